import type { Meaning } from "../../contracts/meaning.ts";
import meanings from "./goal-meanings.json" with { type: "json" };
import type { Need } from "./schema.ts";
import { taxonomy } from "./taxonomy.ts";

/**
 * Finds the need closest in meaning to a goal that no phrase recognises. This is good enough to ask about and too
 * uncertain to build on; `docs/engines.md` has the figures.
 */

const { middle, ...kinds } = meanings;

/** Minimum cosine similarity at which a need is asked about, after subtracting the mean of all goals. */
const nearEnough = 0.2;

function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0;
  for (const [i, value] of a.entries()) product += value * (b[i] ?? 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

/** Returns the nearest need. Goals outside the catalogue form a kind of their own, for which it returns `undefined`. */
function nearest(vector: Float32Array): string | undefined {
  const away = Array.from(vector, (value, i) => value * 1000 - (middle[i] ?? 0));
  const [best] = Object.entries(kinds)
    .map(([id, kind]) => ({ id, near: cosine(away, kind) }))
    .toSorted((a, b) => b.near - a.near);
  return best && best.near >= nearEnough && best.id in taxonomy.needs ? best.id : undefined;
}

/** Returns the needs that unrecognised goals may mean, by goal; empty if the models are missing. */
export async function needsMeant(
  needs: readonly Need[],
  meaning: Pick<Meaning, "vectorOf">,
): Promise<ReadonlyMap<string, string>> {
  const goals = needs.filter(({ known }) => !known).flatMap((need) => need.goals);
  const meant = await Promise.all(
    goals.map(async (goal) => {
      const vector = await meaning.vectorOf(goal, "query");
      const need = vector ? nearest(vector) : undefined;
      return need === undefined ? [] : [[goal, need] as const];
    }),
  );
  return new Map(meant.flat());
}
