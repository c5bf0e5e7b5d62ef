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
import { Associations, openingPair, openingWeight, type Pair } from "./associations.ts";
import { learn, order, type Ranker, type Sample, scoresOf } from "./learn.ts";

/** A labelled question with its candidates. */
export interface JudgedQuestion extends Sample {
  /** Right answers in the whole bank, candidates or not. */
  readonly right: number;
}

/** An indexed bank of answers and its labelled questions. */
export interface Bank {
  readonly index: SearchIndex;
  readonly questions: readonly LabelledQuestion[];
  readonly associations: Associations;
  /** The question of each pair of the associations, by its place; -1: an answer's opening. */
  readonly askers: readonly number[];
}

export interface LabelledQuestion {
  readonly text: string;
  /** Places of the right answers. */
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

/** A question's stems with each of its answers' stems, function words left out of the answers. */
function pairsOf(question: string, answers: readonly string[]): Pair[] {
  const asked = analyse(question, "en").map(({ stem }) => stem);
  return answers.map((text) => {
    const answer = new Map<string, number>();
    for (const { stem, isStop } of analyse(text, "en")) if (!isStop) answer.set(stem, (answer.get(stem) ?? 0) + 1);
    return { question: asked, answer };
  });
}

/**
 * Reads InsuranceQA's answers and questions, and indexes all answers. Training and the bench call it. The folder has
 * `answers.jsonl` {id, text} and `questions-valid.jsonl` {question, gold}.
 */
export async function readBank(folder: string): Promise<Bank> {
  const answers = readRows<AnswerRow>(folder, "answers.jsonl");
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

/** Translations learned without the questions of some folds, and from the openings of all answers. */
export function translationsWithout({ index, associations, askers }: Bank, left: readonly number[]): Translations {
  return associations.translations(index, (pair) => {
    const question = askers[pair] ?? -1;
    if (question < 0) return openingWeight;
    return left.includes(question % folds) ? 0 : 1;
  });
}

/** The candidates of some questions with their features. */
export function judge({ index }: Bank, questions: readonly LabelledQuestion[], translations: Translations) {
  return questions.map(({ text, right }): JudgedQuestion => {
    const question = readQuestion(index, text, "en", translations);
    const vector = ownVector(index, question);
    const candidates = candidatesOf(index, question, vector, null);
    const { rows } = featuresOf(index, question, vector, candidates);
    return { rows, isRight: candidates.map((chunk) => right.has(chunk)), right: right.size };
  });
}

/** What BM25 alone makes of the bank: the question's own words, function words left out, nothing else. */
export function byWordsAlone({ index, questions }: Bank): Figures {
  return figuresOf(
    questions.map(({ text, right }) => {
      const { words } = readQuestion(index, text, "en", new Map());
      const terms = words.filter(({ id, isStop }) => id >= 0 && !isStop);
      return { top: searchWords(index, terms, null, 10).chunks.map((chunk) => right.has(chunk)), right: right.size };
    }),
  );
}

export interface Figures {
  /** The mean of 1 / the place of the first right answer among ten, or 0. */
  readonly mrr_at_10: number;
  /** The share of a question's right answers that are among ten, on average. */
  readonly recall_at_10: number;
  /** The share of questions with a right answer among ten. */
  readonly success_at_10: number;
}

/** The figures of lists of ten, true where an answer is right; `right` as in `JudgedQuestion`. */
export function figuresOf(lists: readonly { readonly top: readonly boolean[]; readonly right: number }[]): Figures {
  const mean = (of: (list: { top: readonly boolean[]; right: number }) => number): number =>
    Number((lists.reduce((sum, list) => sum + of(list), 0) / Math.max(1, lists.length)).toFixed(4));
  return {
    mrr_at_10: mean(({ top }) => (top.includes(true) ? 1 / (top.indexOf(true) + 1) : 0)),
    recall_at_10: mean(({ top, right }) => top.filter(Boolean).length / Math.max(1, right)),
    success_at_10: mean(({ top }) => (top.includes(true) ? 1 : 0)),
  };
}

const folds = 5;

/** The score of an answer that came first, and whether it is right. */
export interface FirstPlace {
  readonly score: number;
  readonly isRight: boolean;
}

/**
 * The samples to learn weights from, questions of `fold` left out. What is learned from a question's own answers would
 * flatter its features: the translations of each are learned from the other folds alone.
 */
export function samplesWithout(bank: Bank, fold: number): JudgedQuestion[] {
  const inFold = (of: number) => bank.questions.filter((_, at) => at % folds === of);
  return Array.from({ length: folds }, (_, other) => other)
    .filter((other) => other !== fold)
    .flatMap((other) => judge(bank, inFold(other), translationsWithout(bank, [fold, other])));
}

/** Orders each question by weights and translations learned from the other folds alone. `onFold` hears how far it is. */
export function crossValidated(
  bank: Bank,
  onFold: (fold: number, of: number) => void = () => {},
): { readonly figures: Figures; readonly firsts: readonly FirstPlace[] } {
  const lists: { top: boolean[]; right: number }[] = [];
  const firsts: FirstPlace[] = [];
  for (let fold = 0; fold < folds; fold++) {
    onFold(fold + 1, folds);
    const ranker = learn(samplesWithout(bank, fold), featureCount, fold + 1);
    const unseen = bank.questions.filter((_, at) => at % folds === fold);
    for (const question of judge(bank, unseen, translationsWithout(bank, [fold]))) {
      const places = order(question, ranker);
      lists.push({ top: places.slice(0, 10).map((place) => question.isRight[place] === true), right: question.right });
      const [first] = places;
      if (first === undefined) continue;
      const score = scoresOf(question.rows, ranker.weights)[first] ?? 0;
      firsts.push({ score, isRight: question.isRight[first] === true });
    }
  }
  return { figures: figuresOf(lists), firsts };
}

/** A ranker for languages that have no translations: learned as if English had none. */
export const learnWithout = (bank: Bank): Ranker => learn(judge(bank, bank.questions, new Map()), featureCount, 1);

/** Everything that is shipped: translations of all questions, and weights learned with those of other folds. */
export function learnAll(bank: Bank): { readonly ranker: Ranker; readonly translations: Translations } {
  const none = folds;
  return {
    ranker: learn(samplesWithout(bank, none), featureCount, 1),
    translations: translationsWithout(bank, []),
  };
}

/** Fits 1 / (1 + exp(-(slope x score + offset))) to whether the answer in the first place is right: Platt scaling. */
export function calibrate(firsts: readonly FirstPlace[]): { slope: number; offset: number } {
  const mean = firsts.reduce((sum, { score }) => sum + score, 0) / Math.max(1, firsts.length);
  let slope = 0;
  let offset = 0;
  for (let step = 0; step < 2_000; step++) {
    let slopeGradient = 0;
    let offsetGradient = 0;
    for (const { score, isRight } of firsts) {
      const excess = 1 / (1 + Math.exp(-(slope * (score - mean) + offset))) - (isRight ? 1 : 0);
      slopeGradient += excess * (score - mean);
      offsetGradient += excess;
    }
    slope -= (0.2 * slopeGradient) / firsts.length;
    offset -= (0.2 * offsetGradient) / firsts.length;
  }
  return { slope: Number(slope.toFixed(4)), offset: Number((offset - slope * mean).toFixed(4)) };
}
