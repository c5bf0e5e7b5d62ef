import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CorpusDocument } from "../../../src/knowledge/corpus/corpus.ts";
import { analyse } from "../../../src/knowledge/retrieval/analysis.ts";
import { buildIndex } from "../../../src/knowledge/retrieval/builder.ts";
import { candidatesOf, ownVector } from "../../../src/knowledge/retrieval/candidates.ts";
import { featureCount, featuresOf } from "../../../src/knowledge/retrieval/features.ts";
import { readQuestion } from "../../../src/knowledge/retrieval/question.ts";
import type { SearchIndex } from "../../../src/knowledge/retrieval/search-index.ts";
import type { Translations } from "../../../src/knowledge/retrieval/translations.ts";
import { searchWords } from "../../../src/knowledge/retrieval/words.ts";
import { systemRuntime } from "../../../src/platform/runtime.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { type RankingFigures, rankingFigures, type TopTen } from "../learning/metrics.ts";
import { fitRanker, order, type Sample, scoresOf } from "../learning/ranker.ts";
import { Associations, openingPair, openingWeight, type Pair } from "./associations.ts";

/** A labelled question with its candidates. */
export interface JudgedQuestion extends Sample {
  /** Number of right answers in the whole bank, whether candidates or not. */
  readonly right: number;
}

/** An indexed bank of answers and its labelled questions. */
export interface Bank {
  readonly index: SearchIndex;
  readonly questions: readonly LabelledQuestion[];
  readonly associations: Associations;
  /** The index of each association pair's question; -1 for an answer's opening. */
  readonly askers: readonly number[];
}

export interface LabelledQuestion {
  readonly text: string;
  /** Indices of the right answers. */
  readonly right: ReadonlySet<number>;
}

interface AnswerRow {
  readonly id: string;
  readonly text: string;
}

interface QuestionRow {
  readonly question: string;
  readonly gold: readonly string[];
}

const readRows = <Row>(folder: string, file: string): Row[] =>
  readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line): Row => JSON.parse(line));

const bank: CorpusDocument = {
  id: "bank",
  family: "bank",
  title: "Answers",
  carrier: null,
  market: "US",
  product_line: null,
  document_type: null,
  provenance: "carrier",
  language: "en",
  version: "1",
  valid_from: null,
  valid_to: null,
  url: null,
};

/** Returns a question's stems paired with the stems of each of its answers, without the answers' function words. */
function pairsOf(question: string, answers: readonly string[]): Pair[] {
  const asked = analyse(question, "en").map(({ stem }) => stem);
  return answers.map((text) => {
    const answer = new Map<string, number>();
    for (const { stem, isStop } of analyse(text, "en")) if (!isStop) answer.set(stem, (answer.get(stem) ?? 0) + 1);
    return { question: asked, answer };
  });
}

const readAnswers = (folder: string): AnswerRow[] => readRows<AnswerRow>(folder, "answers.jsonl");

/** The answers' original texts, in index order. */
export const answerTexts = (folder: string): string[] => readAnswers(folder).map(({ text }) => text);

/**
 * Reads InsuranceQA's answers and questions, and indexes all answers, for training and the bench. The folder contains
 * `answers.jsonl` {id, text} and `questions-valid.jsonl` {question, gold}.
 */
export async function readBank(folder: string): Promise<Bank> {
  const answers = readAnswers(folder);
  const places = new Map(answers.map(({ id }, at) => [id, at]));
  const chunks = answers.map(({ text }, at) => ({
    id: at,
    document_id: bank.id,
    ordinal: at,
    page: null,
    heading: "",
    text,
    start: 0,
  }));
  const index = await buildIndex({ runtime: systemRuntime, documents: [bank], chunks: () => [chunks], version: 0 });
  const questions = readRows<QuestionRow>(folder, "questions-valid.jsonl").map(({ question: text, gold }) => {
    return { text, right: new Set(gold.flatMap((id) => places.get(id) ?? [])) };
  });
  const asked = questions.map(({ text, right }) =>
    pairsOf(
      text,
      [...right].map((at) => answers[at]?.text ?? ""),
    ),
  );
  const openings = answers.flatMap(({ text }) => openingPair(analyse(text, "en")) ?? []);
  return {
    index,
    questions,
    associations: new Associations([...asked.flat(), ...openings]),
    askers: [...asked.flatMap((pairs, question) => pairs.map(() => question)), ...openings.map(() => -1)],
  };
}

/** Returns translations learned from the openings of all answers and from all questions except some folds'. */
export function translationsWithout({ index, associations, askers }: Bank, left: readonly number[]): Translations {
  return associations.translations(index, (pair) => {
    const question = askers[pair] ?? -1;
    if (question < 0) return openingWeight;
    return left.includes(question % folds) ? 0 : 1;
  });
}

/** Returns a question's candidates with their features. */
function judge({ index }: Bank, { text, right }: LabelledQuestion, translations: Translations): JudgedQuestion {
  const question = readQuestion(index, text, "en", translations);
  const vector = ownVector(index, question);
  const candidates = candidatesOf(index, question, vector, null);
  const { rows } = featuresOf(index, question, vector, candidates);
  return { rows, isRight: candidates.map((chunk) => right.has(chunk)), right: right.size };
}

/** Returns the BM25 baseline: only the question's own words, without function words. */
export function byWordsAlone({ index, questions }: Bank): RankingFigures {
  return rankingFigures(
    questions.map(({ text, right }) => {
      const { words } = readQuestion(index, text, "en", new Map());
      const terms = words.filter(({ id, isStop }) => id >= 0 && !isStop);
      return { top: searchWords(index, terms, null, 10).chunks.map((chunk) => right.has(chunk)), right: right.size };
    }),
  );
}

export const folds = 5;
const foldOf = (_: LabelledQuestion, at: number): number => at % folds;

/** Translations and the matching ranker's weights. */
export interface Learned {
  readonly weights: readonly number[];
  readonly translations: Translations;
}

/**
 * Trains without the questions of one fold or, if none is given, on everything, as shipped. Learning from a question's
 * own answers would inflate its features, so each question's translations are learned only from the other folds.
 */
function learnWithout(bank: Bank, fold: number | null): Learned {
  const left = fold === null ? [] : [fold];
  const samples = Array.from({ length: folds }, (_, other) => other)
    .filter((other) => other !== fold)
    .flatMap((other) => {
      const translations = translationsWithout(bank, [...left, other]);
      const questions = bank.questions.filter((question, at) => foldOf(question, at) === other);
      return questions.map((question) => judge(bank, question, translations));
    });
  return {
    weights: fitRanker(samples, featureCount, (fold ?? 0) + 1),
    translations: translationsWithout(bank, left),
  };
}

/** Trains everything that ships. */
export const learnAll = (bank: Bank): Learned => learnWithout(bank, null);

/** Trains weights for languages without translations, as if English had none. */
export function learnWithoutTranslations(bank: Bank): readonly number[] {
  const samples = bank.questions.map((question) => judge(bank, question, new Map()));
  return fitRanker(samples, featureCount, 1);
}

/** A question's top ten, and the score of the first answer, or null if there is none. */
interface Ordered extends TopTen {
  readonly first: { readonly score: number; readonly isRight: boolean } | null;
}

function ordered(bank: Bank, question: LabelledQuestion, { weights, translations }: Learned): Ordered {
  const judged = judge(bank, question, translations);
  const places = order(judged, weights);
  const [first] = places;
  const scores = scoresOf(judged.rows, weights);
  return {
    top: places.slice(0, 10).map((place) => judged.isRight[place] === true),
    right: judged.right,
    first: first === undefined ? null : { score: scores[first] ?? 0, isRight: judged.isRight[first] === true },
  };
}

/** Ranks each question with weights and translations learned from the other folds. Calls `onFold` before each fold. */
export function crossValidated(bank: Bank, onFold: (fold: number, of: number) => void = () => {}) {
  const lists = crossValidate(bank.questions, {
    foldOf,
    fit(_, fold) {
      onFold(fold + 1, folds);
      return learnWithout(bank, fold);
    },
    apply: (learned, question) => ordered(bank, question, learned),
  });
  return { figures: rankingFigures(lists), firsts: lists.flatMap(({ first }) => first ?? []) };
}
