import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Model } from "../../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { dimensions } from "../../../src/knowledge/meaning/words.ts";
import { candidatesOf, ownVector } from "../../../src/knowledge/retrieval/candidates.ts";
import { featureCount, featuresOf } from "../../../src/knowledge/retrieval/features.ts";
import { considered, cosineWeight, nearestJudged } from "../../../src/knowledge/retrieval/passages.ts";
import { readQuestion } from "../../../src/knowledge/retrieval/question.ts";
import type { Translations } from "../../../src/knowledge/retrieval/translations.ts";
import shipped from "../../../src/knowledge/retrieval/weights.json" with { type: "json" };
import { rankingFigures, type TopTen } from "../learning/metrics.ts";
import { fitRanker, order, type Sample, scoresOf } from "../learning/ranker.ts";
import { answerTexts, folds, readBank, translationsWithout } from "./training.ts";

/**
 * `bun tools/training/retrieval/meaning.ts --work DIR [--data DIR]` measures what the encoder adds on InsuranceQA's
 * whole bank, for the questions it was not trained on (`HELD_FOLDS` in `tools/training/meaning/gather.py`). DIR caches
 * the vectors: computing them takes a quarter of an hour, everything else a minute. Nothing that ships is written.
 */
const { values } = parseArgs({
  options: { data: { type: "string", default: "../shared/data/insuranceqa" }, work: { type: "string", default: "." } },
});
const heldFolds = [0, 1];

/** Returns the vectors of texts, concatenated: read from the file, or computed and written to it. */
async function vectorsOf(texts: readonly string[], file: string): Promise<Float32Array> {
  if (existsSync(file)) return new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  if (weightFiles === null) throw new Error("the weights of the meaning models are missing");
  const model = await Model.load(weightFiles);
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [at, text] of texts.entries()) vectors.set(await model.vectorOf(text), at * dimensions);
  writeFileSync(file, vectors);
  return vectors;
}

const bank = await readBank(values.data);
const texts = [
  ...bank.questions.map(({ text }) => `query: ${text}`),
  ...answerTexts(values.data).map((text) => `passage: ${text}`),
];
const vectors = await vectorsOf(texts, join(values.work, "insuranceqa.vectors"));

function cosine(question: number, answer: number): number {
  let sum = 0;
  const from = (bank.questions.length + answer) * dimensions;
  for (let i = 0; i < dimensions; i++) sum += (vectors[question * dimensions + i] ?? 0) * (vectors[from + i] ?? 0);
  return sum;
}
/** A question's candidates, those found by words first. */
interface Judged extends Sample {
  readonly cosines: readonly number[];
  readonly byWords: number;
  readonly right: number;
}

function judge(at: number, translations: Translations): Judged {
  const { text = "", right = new Set<number>() } = bank.questions[at] ?? {};
  const question = readQuestion(bank.index, text, "en", translations);
  const vector = ownVector(bank.index, question);
  const words = candidatesOf(bank.index, question, vector, null);
  const likenesses = Float32Array.from({ length: bank.index.meta.chunks }, (_, answer) => cosine(at, answer));
  const nearest = [...likenesses.keys()]
    .sort((a, b) => (likenesses[b] ?? 0) - (likenesses[a] ?? 0))
    .slice(0, nearestJudged);
  const candidates = [...new Set([...words, ...nearest])];
  const { rows } = featuresOf(bank.index, question, vector, candidates);
  return {
    rows,
    cosines: candidates.map((candidate) => likenesses[candidate] ?? 0),
    isRight: candidates.map((chunk) => right.has(chunk)),
    byWords: words.length,
    right: right.size,
  };
}

/** Returns only the candidates found by words. */
const withinWords = (judged: Judged): Judged => ({
  ...judged,
  rows: judged.rows.subarray(0, judged.byWords * featureCount),
  isRight: judged.isRight.slice(0, judged.byWords),
});

const listOf = ({ isRight, right }: Judged, places: readonly number[]): TopTen => ({
  top: places.slice(0, 10).map((place) => isRight[place] === true),
  right,
});

/** Returns the top candidates by words and the nearest by meaning, in the search's combined order. */
function asSearched(judged: Judged, weights: readonly number[]): number[] {
  const scores = scoresOf(judged.rows, weights);
  const worthOf = (place: number): number =>
    shipped.calibration.slope * (scores[place] ?? 0) + cosineWeight * (judged.cosines[place] ?? 0);
  return order(judged, weights)
    .filter((place, at) => at < considered || place >= judged.byWords)
    .sort((a, b) => worthOf(b) - worthOf(a));
}

/** Returns the nearest candidates in order of meaning alone. */
const byMeaning = ({ cosines }: Judged): number[] =>
  [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0));

const lists = new Map<string, TopTen[]>();
const add = (way: string, list: TopTen): void => {
  lists.set(way, [...(lists.get(way) ?? []), list]);
};

for (const fold of heldFolds) {
  console.error(`fold ${fold + 1} of ${folds}`);
  const questionsOf = (other: number) => [...bank.questions.keys()].filter((at) => at % folds === other);
  // Each question's translations are learned without its own answers.
  const learned = Array.from({ length: folds }, (_, other) => other)
    .filter((other) => other !== fold)
    .flatMap((other) => {
      const translations = translationsWithout(bank, [fold, other]);
      return questionsOf(other).map((at) => withinWords(judge(at, translations)));
    });
  const weights = fitRanker(learned, featureCount, fold + 1);
  const translations = translationsWithout(bank, [fold]);
  for (const at of questionsOf(fold)) {
    const judged = judge(at, translations);
    const found = withinWords(judged);
    add("words alone", listOf(found, order(found, weights)));
    add("meaning alone", listOf(judged, byMeaning(judged)));
    add("the first by words, with meaning", listOf(found, asSearched(found, weights)));
    add("and the nearest of the whole bank, as the search does it", listOf(judged, asSearched(judged, weights)));
  }
}
console.table(Object.fromEntries([...lists].map(([way, list]) => [way, rankingFigures(list)])));
