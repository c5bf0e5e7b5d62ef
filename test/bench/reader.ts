import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import type { Material } from "../../src/knowledge/faithfulness/evaluate-claim.ts";
import { readClaims } from "../../src/knowledge/faithfulness/readings.ts";
import { type Faithfulness, verdictsOn } from "../../src/knowledge/faithfulness/scorer.ts";
import { Model } from "../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { resultOf } from "../../src/products/capabilities/exa-filter/engine.ts";

/** A way to check answers: by words alone, or with the meaning models. */
export interface Check {
  readonly name: string;
  readonly isRead: boolean;
  check(material: Material): Promise<Faithfulness>;
}

export const byWords: Check = {
  name: "words alone",
  isRead: false,
  check: async (material) => verdictsOn(assess(material)),
};

let loading: Promise<Model> | undefined;

/** Checks as exa-filter does, in this thread. */
export const byReading: Check = {
  name: "with the model of meaning",
  isRead: true,
  async check(material) {
    if (weightFiles === null) throw new Error("the repository has the weights");
    loading ??= Model.load(weightFiles);
    const model = await loading;
    const meaning = { isBuiltIn: true, read: (text: string, passage: string) => model.read(text, passage) };
    const assessment = assess(material);
    return verdictsOn(assessment, await readClaims(assessment, meaning, { firm: "bench" }));
  },
};

/** An answer's exa-filter result, and how long it took. */
export interface Checked<R extends Material> {
  readonly row: R;
  readonly result: ReturnType<typeof resultOf>;
  readonly ms: number;
}

/** Checks each answer once for all tables, because reading takes most of the bench's time. */
export async function checked<R extends Material>(rows: readonly R[], by: Check): Promise<Checked<R>[]> {
  const all: Checked<R>[] = [];
  for (const row of rows) {
    const { question, answer, sources } = row;
    const began = performance.now();
    const result = resultOf(await by.check({ question, answer, sources }), sources);
    all.push({ row, result, ms: performance.now() - began });
  }
  return all;
}
