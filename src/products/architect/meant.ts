import type { Meaning } from "../../contracts/meaning.ts";
import meanings from "./goal-meanings.json" with { type: "json" };
import type { Need } from "./schema.ts";
import { taxonomy } from "./taxonomy.ts";

/**
 * Which need a goal comes nearest to in meaning, where its words say none. That is near enough to be asked about, and too
 * uncertain to be built on: `docs/engines.md` has the figures.
 */

const { middle, ...kinds } = meanings;

/** A need that is farther from a goal than that is not asked about: a cosine, once the middle of all goals is taken off. */
const nearEnough = 0.2;

function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0;
  for (const [i, value] of a.entries()) product += value * (b[i] ?? 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

/** The kind of the nearest goals, as long as it is a need: those that are none of the catalogue's are a kind too. */
function nearest(vector: Float32Array): string | undefined {
  const away = Array.from(vector, (value, i) => value * 1000 - (middle[i] ?? 0));
  const [best] = Object.entries(kinds)
    .map(([id, kind]) => ({ id, near: cosine(away, kind) }))
    .toSorted((a, b) => b.near - a.near);
  return best && best.near >= nearEnough && best.id in taxonomy.needs ? best.id : undefined;
}

/** By goal, the need that a goal which was not recognised may mean. Where the models are missing it names none. */
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
