import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { featureNames } from "../../../src/knowledge/faithfulness/features.ts";
import { type LinearModel, sigmoid } from "../../../src/knowledge/learning/linear.ts";
import { auroc, balancedAccuracy } from "../learning/metrics.ts";
import { minimalPairs } from "./corruptions.ts";
import { dataSets, readRows } from "./dataset.ts";
import { crossValidated, documentFrequencyOf, fitAll, prepare, shares } from "./evaluate.ts";

/**
 * `bun tools/training/faithfulness/train.ts --data DIR` rewrites weights.json: the three models, the document
 * frequencies, and the training record. Deterministic: the same data and seed produce the same file.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data/faithfulness" },
    seed: { type: "string", default: "assay-1" },
  },
});

const rows = dataSets.flatMap((set) => readRows(values.data, set));
const pairs = (["cs", "en"] as const).flatMap((language) => minimalPairs(rows, language, values.seed));
const document_frequency = documentFrequencyOf(rows);
const prepared = await prepare([...rows, ...pairs], document_frequency);
const logits = crossValidated(prepared);

const three = (value: number): number => Math.round(value * 1000) / 1000;
const sets = [...new Set(prepared.map(({ row }) => row.set))].map((set) => {
  const at = prepared.flatMap(({ row }, i) => (row.set === set ? [i] : []));
  const scores = at.map((i) => sigmoid(logits[i] ?? 0));
  const faithful = at.map((i) => prepared[i]?.row.faithful ?? false);
  return {
    set,
    answers: at.length,
    faithful: faithful.filter(Boolean).length,
    cross_validated: {
      balanced_accuracy: three(balancedAccuracy(scores, faithful)),
      auroc: three(auroc(scores, faithful)),
    },
  };
});

/** Returns the weights by feature name, so that each one can be inspected. */
const named = ({ bias, weights }: LinearModel) => ({
  bias: Number(bias.toFixed(5)),
  weights: Object.fromEntries(featureNames.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(5))])),
});

const models = fitAll(prepared);
const file = {
  record: {
    method:
      "logistic regression with fixed signs, one model for Czech and Slovak, one for English, one for English answers to a question",
    command: "bun tools/training/faithfulness/train.ts --data ../shared/data/faithfulness",
    seed: values.seed,
    shares,
    sets,
    validation: "10 folds by a hash of the source document; decision at a probability of 0.5",
    licence:
      "Weights and document counts of frequent word stems only, no text of the data. HaluEval is under the MIT licence; CTKFacts, AggreFact and BEGIN are research data, each under its own terms. The pairs-* sets are minimal pairs made by the training script from sentences of these sets' sources.",
  },
  models: { slavic: named(models.slavic), english: named(models.english), asked: named(models.asked) },
  document_frequency,
};
writeFileSync(
  join(import.meta.dir, "../../../src/knowledge/faithfulness/weights.json"),
  `${JSON.stringify(file, null, 2)}\n`,
);
console.table(sets.map(({ set, answers, cross_validated }) => ({ set, answers, ...cross_validated })));
