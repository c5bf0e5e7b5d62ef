import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import weights from "../../src/knowledge/faithfulness/read-weights.json" with { type: "json" };
import type { Row } from "../../tools/training/faithfulness/dataset.ts";
import { written, writtenLater } from "../../tools/training/faithfulness/read-examples.ts";
import { byReading } from "./reader.ts";
import type { TrustFigures } from "./trust.ts";

/** Claims with sources that were written by hand for the reader, and held back from it. */
export const writtenSet = "pairs written by hand, held back";

/** The claims, each as an answer. */
export const writtenRows = (): Row[] =>
  [...written()].map(({ set, group, faithful, material }) => ({ set, group, faithful, ...material }));

/** The claims' figures with the model from its evaluation, each source in a held-out fold. */
export function writtenHeldOut(): TrustFigures {
  const record = Object.entries(weights.scopes.whole.record).flatMap(([set, figures]) =>
    set.startsWith("written") ? [figures] : [],
  );
  const sum = (of: "answers" | "ok" | "ok_wrong" | "fail" | "fail_wrong") =>
    record.reduce((total, figures) => total + figures[of], 0);
  return {
    set: writtenSet,
    read: true,
    looked_at: true,
    answers: sum("answers"),
    ok: sum("ok"),
    ok_wrong: sum("ok_wrong"),
    fail: sum("fail"),
    fail_wrong: sum("fail_wrong"),
  };
}

/**
 * Prints what is OK of the claims on later sources, by words alone and with the model, which reads only what the rules
 * have proven, since nothing else can be OK. `bun test/bench/written.ts`.
 */
async function printLater(): Promise<void> {
  const none = { answers: 0, "OK by words": 0, "wrong by words": 0, OK: 0, wrong: 0 };
  const table: Record<string, typeof none> = {};
  for (const { set, faithful, material } of writtenLater()) {
    const of = [set, "all"].map((name) => (table[name] ??= { ...none }));
    for (const figures of of) figures.answers++;
    if (!assess(material).claims.every(({ proven, doubt }) => proven && doubt === null)) continue;
    const { promised } = await byReading.check(material);
    for (const figures of of) {
      figures["OK by words"]++;
      if (!faithful) figures["wrong by words"]++;
      if (promised) figures.OK++;
      if (promised && !faithful) figures.wrong++;
    }
  }
  console.table(table);
}

if (import.meta.main) await printLater();
