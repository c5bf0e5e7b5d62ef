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

/** Set by hand, because the training answers have neither headings nor several languages. */
const headingWeight = 1.5;
const otherLanguage = -1;
/** Factor of the cosine of an endpoint's vectors, which are better than those trained on the corpus. */
const endpointFactor = 3;

const translations = parseTranslations(shipped.translations);
const weights = featureNames.map((name) => shipped.weights[name]);
/** Only English has translations; the other languages' weights were trained without them. */
const plainWeights = featureNames.map((name) => shipped.weights_without_translations[name]);
const vectorPlace = featureNames.indexOf("vector");

/** Returns the language of a candidate's document. */
const languageOf = (index: SearchIndex, chunk: number): string =>
  index.documents[index.chunkDocuments[chunk] ?? 0]?.language ?? "";

export interface RankOptions {
  readonly question: string;
  readonly language: SearchLanguage;
  readonly allowed: Uint8Array | null;
  /** The question's vector from the endpoint that made the index's vectors; absent: computed from the corpus's own. */
  readonly vector?: Float32Array | undefined;
  /** Additional candidates, such as the nearest by another measure, which are returned whatever their rank. */
  readonly besides?: readonly number[] | undefined;
  readonly limit: number;
}

/**
 * Returns the best chunks for a question: candidates by words and vectors, ordered by the trained weights, with scores
 * from 0 to 1. Synchronous and deterministic for an index and a question.
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
