import { Hits } from "./hits.ts";
import { product } from "./nearest.ts";
import { saturated, saturation } from "./postings.ts";
import type { Question } from "./question.ts";
import { questionTypes } from "./question-type.ts";
import type { SearchIndex } from "./search-index.ts";

/** Features of a candidate, in the order of the weights. */
export const featureNames = [
  "words",
  "words_of_best",
  "opening_15",
  "opening_40",
  "coverage",
  "coverage_count",
  "pairs",
  "pairs_weighted",
  "near",
  "window",
  "length",
  "vector",
  "rarest",
  "second_rarest",
  "density",
  "first_place",
  "synonyms",
  "synonyms_40",
  "translated",
  "translated_function_words",
  "associated",
  "associated_function_words",
  "asked_for",
  "asked_for_function_words",
  ...questionTypes,
] as const;
export type FeatureName = (typeof featureNames)[number];
export const featureCount = featureNames.length;
const place = Object.fromEntries(featureNames.map((name, at) => [name, at])) as Record<FeatureName, number>;

const nearBy = 8;
const windowSize = 25;
/** Maximum number of a question's words whose proximity counts. */
const nearWords = 12;

/** Weights of the language model that mixes words as written with translated ones and those of the whole corpus. */
const translatedShare = 0.5;
const corpusShare = 0.3;

/** Values shared by all candidates of a question. */
interface Asked {
  readonly question: Question;
  readonly idf: readonly number[];
  readonly isContent: readonly boolean[];
  readonly total: number;
  readonly contentTotal: number;
  readonly contentCount: number;
  readonly pairs: readonly { readonly a: number; readonly b: number; readonly weight: number }[];
  readonly pairsTotal: number;
  readonly rarest: readonly number[];
  /** The words whose proximity counts, each word's index among them or -1, and the total weight of their pairs. */
  readonly near: readonly number[];
  readonly nearPlaces: readonly number[];
  readonly nearTotal: number;
  /** For the current chunk: how often each two of them are near each other, and each word's count in a window. */
  readonly nearCounts: Uint16Array;
  readonly windowCounts: Uint16Array;
}

function prepare(question: Question): Asked {
  const { words, sequence } = question;
  const idf = words.map((word) => word.idf);
  const content = [...words.keys()].filter((at) => words[at]?.isStop === false);
  const pairs = sequence.slice(1).flatMap((b, at) => {
    const a = sequence[at] ?? 0;
    const isEmpty = words[a]?.isStop === true && words[b]?.isStop === true;
    return isEmpty ? [] : [{ a, b, weight: ((idf[a] ?? 0) + (idf[b] ?? 0)) / 2 }];
  });
  const near = content.slice(0, nearWords);
  let nearTotal = 0;
  for (const [nth, a] of near.entries())
    for (const b of near.slice(nth + 1)) nearTotal += (idf[a] ?? 0) + (idf[b] ?? 0);
  return {
    question,
    idf,
    isContent: words.map(({ isStop }) => !isStop),
    total: words.reduce((sum, word) => sum + word.weight * word.idf, 0) || 1,
    contentTotal: content.reduce((sum, at) => sum + (idf[at] ?? 0), 0) || 1,
    contentCount: content.length || 1,
    pairs,
    pairsTotal: pairs.reduce((sum, { weight }) => sum + weight, 0) || 1,
    rarest: content.toSorted((a, b) => (idf[b] ?? 0) - (idf[a] ?? 0)).slice(0, 2),
    near,
    nearPlaces: words.map((_, at) => near.indexOf(at)),
    nearTotal: nearTotal || 1,
    nearCounts: new Uint16Array(nearWords * nearWords),
    windowCounts: new Uint16Array(words.length),
  };
}

/** Returns the share of the question's weight found among the chunk's first terms. */
function opening({ distinct, found, firstAt }: Hits, { idf, isContent, contentTotal }: Asked, first: number): number {
  let sum = 0;
  for (let i = 0; i < distinct; i++) {
    const w = found[i] ?? 0;
    if ((firstAt[w] ?? 0) >= first) break;
    if (isContent[w]) sum += idf[w] ?? 0;
  }
  return sum / contentTotal;
}

/** Sets the share of the question's adjacent word pairs that the chunk has, unweighted and weighted. */
function setPairs(row: Float32Array, { at, word, counts, size }: Hits, { pairs, pairsTotal }: Asked): void {
  let found = 0;
  let weighted = 0;
  for (let p = 0; p < pairs.length; p++) {
    const { a = 0, b = 0, weight = 0 } = pairs[p] ?? {};
    if (counts[a] === 0 || counts[b] === 0) continue;
    let count = 0;
    for (let i = 0; i + 1 < size; i++)
      if (word[i] === a && word[i + 1] === b && (at[i + 1] ?? 0) - (at[i] ?? 0) === 1) count++;
    if (count === 0) continue;
    found++;
    weighted += (weight * 2 * count) / (count + 1);
  }
  row[place.pairs] = found / (pairs.length || 1);
  row[place.pairs_weighted] = weighted / pairsTotal;
}

/** Counts for each pair of words how often one is near the other with neither of them in between. */
function countNear({ at, word, size }: Hits, { nearPlaces, nearCounts }: Asked): void {
  nearCounts.fill(0);
  for (let i = 1; i < size; i++) {
    const w = word[i] ?? 0;
    const own = nearPlaces[w] ?? -1;
    if (own < 0) continue;
    let seen = 0;
    for (let j = i - 1; j >= 0 && (at[i] ?? 0) - (at[j] ?? 0) <= nearBy && word[j] !== w; j--) {
      const other = nearPlaces[word[j] ?? 0] ?? -1;
      if (other < 0 || (seen & (1 << other)) !== 0) continue;
      seen |= 1 << other;
      const pair = Math.min(own, other) * nearWords + Math.max(own, other);
      nearCounts[pair] = (nearCounts[pair] ?? 0) + 1;
    }
  }
}

/** Returns the weighted share of the question's word pairs, in any order, within eight terms of each other. */
function nearness(hits: Hits, asked: Asked): number {
  const { idf, near, nearCounts, nearTotal } = asked;
  countNear(hits, asked);
  let sum = 0;
  for (let a = 0; a < near.length; a++)
    for (let b = a + 1; b < near.length; b++) {
      const count = nearCounts[a * nearWords + b] ?? 0;
      if (count > 0) sum += (((idf[near[a] ?? 0] ?? 0) + (idf[near[b] ?? 0] ?? 0)) * count) / (count + 0.6);
    }
  return sum / nearTotal;
}

/** Returns the largest share of the question's weight within 25 terms. */
function bestWindow({ at, word, size }: Hits, { idf, isContent, contentTotal, windowCounts: counts }: Asked): number {
  counts.fill(0);
  let best = 0;
  let sum = 0;
  let left = 0;
  for (let right = 0; right < size; right++) {
    const entering = word[right] ?? 0;
    if (!isContent[entering]) continue;
    counts[entering] = (counts[entering] ?? 0) + 1;
    if (counts[entering] === 1) sum += idf[entering] ?? 0;
    for (; (at[right] ?? 0) - (at[left] ?? 0) >= windowSize; left++) {
      const leaving = word[left] ?? 0;
      if (!isContent[leaving]) continue;
      counts[leaving] = (counts[leaving] ?? 0) - 1;
      if (counts[leaving] === 0) sum -= idf[leaving] ?? 0;
    }
    best = Math.max(best, sum);
  }
  return best / contentTotal;
}

/** Returns the share of the question's weight found among the first terms only through a synonym. */
function bySynonyms({ firstAt, synonymFirst }: Hits, { idf, isContent, contentTotal }: Asked, first: number): number {
  let sum = 0;
  for (let w = 0; w < synonymFirst.length; w++) {
    const [synonym = -1, own = -1] = [synonymFirst[w], firstAt[w]];
    if (synonym >= 0 && synonym < first && isContent[w] && !(own >= 0 && own < first)) sum += idf[w] ?? 0;
  }
  return sum / contentTotal;
}

/** The translation sums, from each of which two features are computed. */
const translationSums = [
  { sums: "strongly", missing: place.translated, functions: place.translated_function_words },
  { sums: "translated", missing: place.associated, functions: place.associated_function_words },
] as const;

/**
 * Sets how strongly the chunk's words predict those of the question: by translations, for words that the chunk lacks
 * and for function words; and by the translation-based language model of Xue, Jeon and Croft (2008), relative to the
 * whole corpus.
 */
function setTranslations(row: Float32Array, hits: Hits, { question, isContent }: Asked): void {
  const { words } = question;
  const count = words.length || 1;
  for (const { sums, missing, functions } of translationSums) {
    let missed = 0;
    let ofFunctions = 0;
    for (let w = 0; w < words.length; w++) {
      const sum = hits[sums][w] ?? 0;
      if (sum === 0 || (isContent[w] && hits.counts[w] !== 0)) continue;
      const gain = Math.log(1 + sum / hits.length / ((words[w]?.share ?? 0) + 1e-4));
      if (isContent[w]) missed += gain;
      else ofFunctions += gain;
    }
    row[missing] = missed / count;
    row[functions] = ofFunctions / count;
  }
  let asked = 0;
  let askedFunctions = 0;
  for (let w = 0; w < words.length; w++) {
    const sum = (1 - translatedShare) * (hits.counts[w] ?? 0) + translatedShare * (hits.translated[w] ?? 0);
    if (sum === 0) continue;
    const share = words[w]?.share ?? 0;
    const gain = Math.log(1 + ((sum / hits.length) * (1 - corpusShare)) / (corpusShare * (share + 1e-5)));
    if (isContent[w]) asked += gain;
    else askedFunctions += gain;
  }
  row[place.asked_for] = asked / count;
  row[place.asked_for_function_words] = askedFunctions / count;
}

/** Sets the features that depend only on word counts. */
function setWords(row: Float32Array, { counts, length }: Hits, asked: Asked, averageLength: number): void {
  const { question, idf, isContent, rarest } = asked;
  let score = 0;
  let covered = 0;
  let count = 0;
  let held = 0;
  for (let w = 0; w < counts.length; w++) {
    const found = counts[w] ?? 0;
    if (found === 0) continue;
    score += (question.words[w]?.weight ?? 0) * (idf[w] ?? 0) * saturated(found, length, averageLength);
    if (!isContent[w]) continue;
    covered += idf[w] ?? 0;
    count++;
    held += found;
  }
  row[place.words] = score / asked.total / (saturation + 1);
  row[place.coverage] = covered / asked.contentTotal;
  row[place.coverage_count] = count / asked.contentCount;
  row[place.length] = Math.log(length + 1) / 6;
  row[place.rarest] = (counts[rarest[0] ?? -1] ?? 0) > 0 ? 1 : 0;
  row[place.second_rarest] = (counts[rarest[1] ?? -1] ?? 0) > 0 ? 1 : 0;
  row[place.density] = length === 0 ? 0 : (5 * held) / length;
}

function fill(row: Float32Array, hits: Hits, asked: Asked, averageLength: number): void {
  setWords(row, hits, asked, averageLength);
  row[place.opening_15] = opening(hits, asked, 15);
  row[place.opening_40] = opening(hits, asked, 40);
  setPairs(row, hits, asked);
  row[place.near] = nearness(hits, asked);
  row[place.window] = bestWindow(hits, asked);
  row[place.first_place] = hits.size === 0 ? 0 : Math.exp(-(hits.at[0] ?? 0) / 20);
  setTranslations(row, hits, asked);
  row[place.synonyms] = bySynonyms(hits, asked, hits.length);
  row[place.synonyms_40] = bySynonyms(hits, asked, 40);
  for (const [at, { type }] of asked.question.types.entries()) {
    const count = hits.answerCounts[at] ?? 0;
    row[place[type]] = count / (count + 1);
  }
}

export interface Judged {
  /** One row of features for each candidate. */
  readonly rows: Float32Array;
  /** The share of the question's weight in each heading. Separate, since the training answers have no headings. */
  readonly headings: Float32Array;
}

/**
 * Returns the candidates' features, computed from the index without reading any text. `vector` is the question's; empty
 * if there is none. Used by the ranker and its training.
 */
export function featuresOf(
  index: SearchIndex,
  question: Question,
  vector: Float32Array,
  candidates: readonly number[],
): Judged {
  const asked = prepare(question);
  const hits = new Hits(index, question);
  const rows = new Float32Array(candidates.length * featureCount);
  const headings = new Float32Array(candidates.length);
  let best = 0;
  for (let c = 0; c < candidates.length; c++) {
    const chunk = candidates[c] ?? 0;
    const row = rows.subarray(c * featureCount, (c + 1) * featureCount);
    hits.read(chunk);
    fill(row, hits, asked, index.meta.average_length);
    if (vector.length > 0) row[place.vector] = product(index.vectors, index.vectorScales[chunk] ?? 0, chunk, vector);
    headings[c] = opening(hits, asked, index.headingLengths[chunk] ?? 0);
    best = Math.max(best, row[place.words] ?? 0);
  }
  hits.release();
  for (let c = 0; c < candidates.length; c++)
    rows[c * featureCount + place.words_of_best] = best === 0 ? 0 : (rows[c * featureCount + place.words] ?? 0) / best;
  return { rows, headings };
}
