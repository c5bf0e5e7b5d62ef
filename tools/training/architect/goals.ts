import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Model } from "../../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { taxonomy } from "../../../src/products/architect/taxonomy.ts";

/**
 * `bun tools/training/architect/goals.ts` writes `src/products/architect/goal-meanings.json`: the mean vector of the
 * goals of each need, and of the goals outside the catalogue. Run it whenever the encoder or
 * `test/products/architect-goals.tsv` changes; `architect-goals-unseen.tsv` next to it is not read and is reserved for
 * the test.
 */
const root = join(import.meta.dir, "../../..");
const written = readFileSync(join(root, "test/products/architect-goals.tsv"), "utf8")
  .trim()
  .split("\n")
  .map((row) => row.split("\t"))
  .map(([, needs = "", goal = ""]) => ({ need: needs.split(",")[0] ?? "", goal }));
const titles = Object.entries(taxonomy.needs).flatMap(([need, { titles }]) =>
  [titles.en, titles.cs].map((goal) => ({ need, goal })),
);

/** Rounds to thousandths, which is precise enough and keeps the file small. */
const rounded = (vector: readonly number[]): number[] => vector.map((value) => Math.round(value * 1000));
const unit = (vector: readonly number[]): number[] => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const middleOf = (vectors: readonly (readonly number[])[]): number[] =>
  (vectors[0] ?? []).map((_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / vectors.length);

if (weightFiles === null) throw new Error("the weights of the meaning models are missing");
const model = await Model.load(weightFiles);
const goals: { need: string; vector: number[] }[] = [];
for (const { need, goal } of [...written, ...titles])
  goals.push({ need, vector: [...(await model.vectorOf(`query: ${goal}`))] });
const middle = middleOf(goals.map(({ vector }) => vector));
const needs = [...Map.groupBy(goals, ({ need }) => need)].map(([need, those]) => {
  const away = those.map(({ vector }) => unit(vector.map((value, i) => value - (middle[i] ?? 0))));
  return [need, rounded(unit(middleOf(away)))] as const;
});
const lines = [["middle", rounded(middle)] as const, ...needs].map(([name, vector]) => `  "${name}": [${vector}]`);
await Bun.write(join(root, "src/products/architect/goal-meanings.json"), `{\n${lines.join(",\n")}\n}\n`);
