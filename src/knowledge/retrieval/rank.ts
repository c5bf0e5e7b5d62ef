import type { SearchLanguage } from "../language/languages.ts";
import { sigmoid } from "../learning/linear.ts";
import { candidatesOf, ownVector } from "./candidates.ts";
import { featureCount, featureNames, featuresOf } from "./features.ts";
import { readQuestion } from "./question.ts";
import type { SearchIndex } from "./search-index.ts";
import { parseTranslations } from "./translations.ts";
import { corpusVectors } from "./vectors.ts";
import shipped from "./weights.json" with { type: "json" };
import type { Ranked } from "./words.ts";

/** What is no matter of the answers it was trained on: neither headings nor several languages are in them. */
const headingWeight = 1.5;
const otherLanguage = -1;
/** An endpoint's model knows more than the corpus's own vectors do. Its cosine counts this much more. */
const endpointFactor = 3;

const translations = parseTranslations(shipped.translations);
const weights = featureNames.map((name) => shipped.weights[name]);
/** Only English has translations; the weights of the others were learned as if there were none. */
const plainWeights = featureNames.map((name) => shipped.weights_without_translations[name]);
const vectorPlace = featureNames.indexOf("vector");

/** How far a candidate's document is from the question's language. */
const languageOf = (index: SearchIndex, chunk: number): string =>
  index.documents[index.chunkDocuments[chunk] ?? 0]?.language ?? "";

export interface RankOptions {
  readonly question: string;
  readonly language: SearchLanguage;
  readonly allowed: Uint8Array | null;
  /** The question's vector by the endpoint whose vectors the index has; left out: the corpus's own. */
  readonly vector?: Float32Array | undefined;
  /** What is judged besides, such as the nearest by another measure: it is among the best wherever it stands. */
  readonly besides?: readonly number[] | undefined;
  readonly limit: number;
}

/**
 * The best chunks for a question: candidates by words and vectors, ordered by the learned weights. Scores are 0 to 1.
 * Synchronous, and the same for the same index and question.
 */
export function rank(index: SearchIndex, options: RankOptions): Ranked {
  const { question, language, allowed, vector, besides = [], limit } = options;
  const read = readQuestion(index, question, language, translations);
  const near = vector ?? ownVector(index, read);
  const candidates = [...new Set([...candidatesOf(index, read, near, allowed), ...besides])];
  const { rows, headings } = featuresOf(index, read, near, candidates);
  const used = language === "en" ? weights : plainWeights;
  const factor = index.meta.vectors === corpusVectors ? 1 : endpointFactor;
  const scores = candidates.map((chunk, c) => {
    let sum = headingWeight * (headings[c] ?? 0) + (languageOf(index, chunk) === language ? 0 : otherLanguage);
    for (let f = 0; f < featureCount; f++)
      sum += (used[f] ?? 0) * (rows[c * featureCount + f] ?? 0) * (f === vectorPlace ? factor : 1);
    return sum;
  });
  const kept = new Set(besides);
  const order = [...candidates.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (candidates[a] ?? 0) - (candidates[b] ?? 0))
    .filter((at, place) => place < limit || kept.has(candidates[at] ?? 0));
  const { slope, offset } = shipped.calibration;
  return {
    chunks: order.map((at) => candidates[at] ?? 0),
    scores: order.map((at) => sigmoid(slope * (scores[at] ?? 0) + offset)),
  };
}
