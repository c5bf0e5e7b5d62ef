import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Model } from "../../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { dimensions } from "../../../src/knowledge/meaning/words.ts";
import { candidatesOf, ownVector } from "../../../src/knowledge/retrieval/candidates.ts";
import { featureCount, featuresOf } from "../../../src/knowledge/retrieval/features.ts";
import { considered, cosineWeight } from "../../../src/knowledge/retrieval/passages.ts";
import { readQuestion } from "../../../src/knowledge/retrieval/question.ts";
import type { Translations } from "../../../src/knowledge/retrieval/translations.ts";
import shipped from "../../../src/knowledge/retrieval/weights.json" with { type: "json" };
import { rankingFigures, type TopTen } from "../learning/metrics.ts";
import { fitRanker, order, type Sample, scoresOf } from "../learning/ranker.ts";
import { answerTexts, folds, readBank, translationsWithout } from "./training.ts";

/**
 * `bun tools/training/retrieval/meaning.ts --work DIR [--data DIR]`: what the model of meaning adds on InsuranceQA's whole
 * bank: as the search uses it, as one more feature that is learned, and with the nearest of the whole bank among what is
 * judged. DIR keeps the vectors: making them takes half an hour, all else three minutes. Nothing is written that ships.
 */
const { values } = parseArgs({
  options: { data: { type: "string", default: "../shared/data/insuranceqa" }, work: { type: "string", default: "." } },
});
/** The nearest by meaning that are judged besides the candidates by words. */
const byMeaning = 100;
const width = featureCount + 1;

/** The vectors of texts, one after the other: from the file, or made and written there. */
async function vectorsOf(texts: readonly string[], file: string): Promise<Float32Array> {
  if (existsSync(file)) return new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  if (weightFiles === null) throw new Error("the repository has the weights");
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
const cosines = bank.questions.map((_, q) =>
  Float32Array.from({ length: bank.index.meta.chunks }, (_, a) => cosine(q, a)),
);
const nearest = cosines.map((row) => [...row.keys()].sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0)).slice(0, byMeaning));

/** A question's candidates with their features and, as the last one, the cosine: those by words first. */
interface Judged extends Sample {
  readonly byWords: number;
  readonly right: number;
}

function judge(at: number, translations: Translations): Judged {
  const { text = "", right = new Set<number>() } = bank.questions[at] ?? {};
  const question = readQuestion(bank.index, text, "en", translations);
  const vector = ownVector(bank.index, question);
  const words = candidatesOf(bank.index, question, vector, null);
  const candidates = [...new Set([...words, ...(nearest[at] ?? [])])];
  const { rows: own } = featuresOf(bank.index, question, vector, candidates);
  const rows = new Float32Array(candidates.length * width);
  for (const [c, candidate] of candidates.entries()) {
    rows.set(own.subarray(c * featureCount, (c + 1) * featureCount), c * width);
    rows[c * width + featureCount] = cosines[at]?.[candidate] ?? 0;
  }
  return { rows, isRight: candidates.map((chunk) => right.has(chunk)), byWords: words.length, right: right.size };
}

/** Only the candidates by words. */
const withinWords = (judged: Judged): Judged => ({
  ...judged,
  rows: judged.rows.subarray(0, judged.byWords * width),
  isRight: judged.isRight.slice(0, judged.byWords),
});
/** Without the cosine: it is 0 everywhere, and gets no weight. */
function unread(judged: Judged): Judged {
  const rows = judged.rows.slice();
  for (let at = featureCount; at < rows.length; at += width) rows[at] = 0;
  return { ...judged, rows };
}

const listOf = ({ isRight, right }: Judged, places: readonly number[]): TopTen => ({
  top: places.slice(0, 10).map((place) => isRight[place] === true),
  right,
});

/** The first by words, put in order by words and meaning together: what the search does with them. */
function asSearched(judged: Judged, weights: readonly number[]): number[] {
  const scores = scoresOf(judged.rows, weights);
  const worthOf = (place: number): number =>
    shipped.calibration.slope * (scores[place] ?? 0) + cosineWeight * (judged.rows[place * width + featureCount] ?? 0);
  const places = order(judged, weights);
  return [...places.slice(0, considered).sort((a, b) => worthOf(b) - worthOf(a)), ...places.slice(considered)];
}

const lists = new Map<string, TopTen[]>();
const add = (way: string, list: TopTen): void => {
  lists.set(way, [...(lists.get(way) ?? []), list]);
};

for (let fold = 0; fold < folds; fold++) {
  console.error(`fold ${fold + 1} of ${folds}`);
  const questionsOf = (other: number) => [...bank.questions.keys()].filter((at) => at % folds === other);
  // The translations of each question are learned without its own answers.
  const learned = Array.from({ length: folds }, (_, other) => other)
    .filter((other) => other !== fold)
    .flatMap((other) => {
      const translations = translationsWithout(bank, [fold, other]);
      return questionsOf(other).map((at) => judge(at, translations));
    });
  const byWords = fitRanker(learned.map(withinWords).map(unread), width, fold + 1);
  const asFeature = fitRanker(learned.map(withinWords), width, fold + 1);
  const inBank = fitRanker(learned, width, fold + 1);
  const translations = translationsWithout(bank, [fold]);
  for (const at of questionsOf(fold)) {
    const judged = judge(at, translations);
    const found = withinWords(judged);
    add("words alone", listOf(found, order(found, byWords)));
    add("first by words, with meaning", listOf(found, asSearched(found, byWords)));
    add("cosine as a learned feature", listOf(found, order(found, asFeature)));
    add("and the nearest of the whole bank", listOf(judged, order(judged, inBank)));
  }
}
console.table(Object.fromEntries([...lists].map(([way, list]) => [way, rankingFigures(list)])));
