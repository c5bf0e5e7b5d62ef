import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { featureNames } from "../../../src/knowledge/retrieval/features.ts";
import { printTranslations } from "../../../src/knowledge/retrieval/translations.ts";
import { calibrate } from "../learning/logistic.ts";
import { byWordsAlone, crossValidated, learnAll, learnWithoutTranslations, readBank } from "./training.ts";

/**
 * `bun tools/training/retrieval/train.ts --data DIR` rewrites weights.json: one weight per named feature, the score's
 * calibration, and the training record. Deterministic: the same data produce the same file.
 */
const { values } = parseArgs({ options: { data: { type: "string", default: "../shared/data/insuranceqa" } } });

const bank = await readBank(values.data);
const { figures, firsts } = crossValidated(bank, (fold, of) => console.error(`fold ${fold} of ${of}`));
const { weights, translations } = learnAll(bank);
const plain = learnWithoutTranslations(bank);

const five = (value: number): number => Number(value.toFixed(5));
const named = (weights: readonly number[]) =>
  Object.fromEntries(featureNames.map((name, at) => [name, five(weights[at] ?? 0)]));
const file = {
  record: {
    method:
      "linear ranker, listwise softmax loss over the candidates by words and vectors; translations by IBM model 1, from the questions with their answers and, at a fifth of the weight, from each answer's opening with its rest",
    command: "bun tools/training/retrieval/train.ts --data ../shared/data/insuranceqa",
    seed: 1,
    questions: bank.questions.length,
    answers: bank.index.meta.chunks,
    validation: "5 folds by question; each is ordered by weights and translations that never saw it",
    words_alone: byWordsAlone(bank),
    cross_validated: figures,
    licence:
      "Weights of features by name, and pairs of word stems with a probability; no text of the data. InsuranceQA (Feng et al., 2015) is research data.",
  },
  weights: named(weights),
  weights_without_translations: named(plain),
  calibration: calibrate(firsts),
  translations: printTranslations(translations),
};
writeFileSync(
  join(import.meta.dir, "../../../src/knowledge/retrieval/weights.json"),
  `${JSON.stringify(file, null, 2)}\n`,
);
console.table([file.record.words_alone, figures]);
