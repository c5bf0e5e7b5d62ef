import { questionKinds } from "./cues.ts";
import { product } from "./nearest.ts";
import { saturated, saturation } from "./postings.ts";
import type { Question } from "./question.ts";
import { readForward, type SearchIndex } from "./search-index.ts";

/** What a candidate is judged by, in the order of the weights. */
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
  ...questionKinds,
] as const;
export type FeatureName = (typeof featureNames)[number];
export const featureCount = featureNames.length;
const place = Object.fromEntries(featureNames.map((name, at) => [name, at])) as Record<FeatureName, number>;

/** Terms of a chunk that are looked at; longer ones are judged by their beginning. */
const longest = 1_024;
const nearBy = 8;
const windowSize = 25;

const buffer = new Uint32Array(longest);
/** For each term of the index the place of the question's word plus one; all zeros between searches. */
let slots = new Uint8Array(0);
/** The same for the words' synonyms. */
let synonymSlots = new Uint8Array(0);

/** The same for the words that answers have: places in `translated` plus one. */
let translationSlots = new Uint16Array(0);

/** What a term says about a word of the question; a strong translation counts apart as well. */
interface Meaning {
  readonly word: number;
  readonly probability: number;
}

/** From here on a translation is a strong one. */
const strong = 0.02;
/** The language model that mixes words as they stand with translated ones and with those of the whole corpus. */
const translatedShare = 0.5;
const corpusShare = 0.3;

/** What is the same for all candidates of a question. */
interface Asked {
  readonly question: Question;
  readonly idf: readonly number[];
  readonly isContent: readonly boolean[];
  readonly total: number;
  readonly contentTotal: number;
  readonly contentCount: number;
  readonly pairs: readonly { readonly a: number; readonly b: number; readonly weight: number }[];
  readonly rarest: readonly number[];
  /** What each term with a translation slot stands for. */
  readonly translated: readonly (readonly Meaning[])[];
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
  return {
    question,
    idf,
    isContent: words.map(({ isStop }) => !isStop),
    total: words.reduce((sum, word) => sum + word.weight * word.idf, 0) || 1,
    contentTotal: content.reduce((sum, at) => sum + (idf[at] ?? 0), 0) || 1,
    contentCount: content.length || 1,
    pairs,
    translated: [...Map.groupBy(question.translations, ({ id }) => id).values()],
    rarest: content.toSorted((a, b) => (idf[b] ?? 0) - (idf[a] ?? 0)).slice(0, 2),
  };
}

/** Where the question's words stand in a chunk: places in it and in the question's words, side by side. */
interface Hits {
  readonly length: number;
  readonly at: readonly number[];
  readonly word: readonly number[];
  readonly counts: readonly number[];
  /** Where a synonym of each word stands first; -1: nowhere. */
  readonly synonymFirst: readonly number[];
  /** How probably the chunk's words ask for each word: the sum of the translations, and of the strong ones. */
  readonly translated: readonly number[];
  readonly strongly: readonly number[];
}

function hitsOf(length: number, words: number, meanings: Asked["translated"]): Hits {
  const at: number[] = [];
  const word: number[] = [];
  const counts = new Array<number>(words).fill(0);
  const synonymFirst = new Array<number>(words).fill(-1);
  const translated = new Array<number>(words).fill(0);
  const strongly = new Array<number>(words).fill(0);
  for (let i = 0; i < length; i++) {
    const id = buffer[i] ?? 0;
    const meaning = translationSlots[id] ?? 0;
    if (meaning !== 0)
      for (const { word: w, probability } of meanings[meaning - 1] ?? []) {
        translated[w] = (translated[w] ?? 0) + probability;
        if (probability >= strong) strongly[w] = (strongly[w] ?? 0) + probability;
      }
    const synonym = synonymSlots[id] ?? 0;
    if (synonym !== 0 && synonymFirst[synonym - 1] === -1) synonymFirst[synonym - 1] = i;
    const slot = slots[id] ?? 0;
    if (slot === 0) continue;
    at.push(i);
    word.push(slot - 1);
    counts[slot - 1] = (counts[slot - 1] ?? 0) + 1;
  }
  return { length, at, word, counts, synonymFirst, translated, strongly };
}

/** The share of the question's weight that stands among the chunk's first terms. */
function opening({ at, word }: Hits, { idf, isContent, contentTotal }: Asked, first: number): number {
  const seen = new Set<number>();
  let sum = 0;
  for (let i = 0; i < at.length && (at[i] ?? 0) < first; i++) {
    const w = word[i] ?? 0;
    if (!isContent[w] || seen.has(w)) continue;
    seen.add(w);
    sum += idf[w] ?? 0;
  }
  return sum / contentTotal;
}

/** Words that follow each other in the question and here: their share, and their share by weight. */
function pairsFound({ at, word, counts }: Hits, { pairs }: Asked): [number, number] {
  let found = 0;
  let weighted = 0;
  let total = 0;
  for (const { a, b, weight } of pairs) {
    let count = 0;
    total += weight;
    if (counts[a] === 0 || counts[b] === 0) continue;
    for (let i = 0; i + 1 < at.length; i++)
      if (word[i] === a && word[i + 1] === b && (at[i + 1] ?? 0) - (at[i] ?? 0) === 1) count++;
    if (count === 0) continue;
    found++;
    weighted += (weight * 2 * count) / (count + 1);
  }
  return [found / (pairs.length || 1), weighted / (total || 1)];
}

/** How much of the question's word pairs, in any order, stand within eight terms of each other. */
function near({ at, word, counts }: Hits, { idf, isContent }: Asked): number {
  const content = isContent.flatMap((is, w) => (is ? [w] : [])).slice(0, 12);
  let sum = 0;
  let total = 0;
  for (const [nth, a] of content.entries())
    for (const b of content.slice(nth + 1)) {
      const weight = (idf[a] ?? 0) + (idf[b] ?? 0);
      total += weight;
      if (counts[a] === 0 || counts[b] === 0) continue;
      let last = -1;
      let count = 0;
      for (let i = 0; i < at.length; i++) {
        if (word[i] !== a && word[i] !== b) continue;
        if (last >= 0 && word[last] !== word[i] && (at[i] ?? 0) - (at[last] ?? 0) <= nearBy) count++;
        last = i;
      }
      sum += (weight * count) / (count + 0.6);
    }
  return sum / (total || 1);
}

/** The largest share of the question's weight within 25 terms. */
function bestWindow({ at, word }: Hits, { idf, isContent, contentTotal, question }: Asked): number {
  const counts = new Array<number>(question.words.length).fill(0);
  let best = 0;
  let sum = 0;
  let left = 0;
  for (let right = 0; right < at.length; right++) {
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

/** The share of the question's weight that stands among the first terms by a synonym alone. */
function bySynonyms({ at, word, synonymFirst }: Hits, { idf, isContent, contentTotal }: Asked, first: number): number {
  const found = new Set<number>();
  for (let i = 0; i < at.length && (at[i] ?? 0) < first; i++) found.add(word[i] ?? 0);
  let sum = 0;
  for (const [w, place] of synonymFirst.entries())
    if (place >= 0 && place < first && isContent[w] && !found.has(w)) sum += idf[w] ?? 0;
  return sum / contentTotal;
}

/**
 * How much the chunk's words ask for those of the question: of translations, for its words that the chunk lacks and for
 * its function words.
 */
function byTranslations(hits: Hits, sums: readonly number[], { question, isContent }: Asked): [number, number] {
  let missing = 0;
  let functions = 0;
  for (const [w, { share }] of question.words.entries()) {
    const sum = sums[w] ?? 0;
    if (sum === 0) continue;
    const gain = Math.log(1 + sum / hits.length / (share + 1e-4));
    if (!isContent[w]) functions += gain;
    else if ((hits.counts[w] ?? 0) === 0) missing += gain;
  }
  const words = question.words.length || 1;
  return [missing / words, functions / words];
}

/**
 * How likely the chunk asks for the question's words, and for its function words, by the translation-based language
 * model of Xue, Jeon and Croft (2008), beside how likely the corpus does.
 */
function asksFor(hits: Hits, { question, isContent }: Asked): [number, number] {
  let words = 0;
  let functions = 0;
  for (const [w, { share }] of question.words.entries()) {
    const sum = (1 - translatedShare) * (hits.counts[w] ?? 0) + translatedShare * (hits.translated[w] ?? 0);
    if (sum === 0) continue;
    const gain = Math.log(1 + ((sum / hits.length) * (1 - corpusShare)) / (corpusShare * (share + 1e-5)));
    if (isContent[w]) words += gain;
    else functions += gain;
  }
  const count = question.words.length || 1;
  return [words / count, functions / count];
}

/** The answer words of a kind of question, saturated; yes and no count at the beginning alone. */
function cueShare(kind: string, ids: ReadonlySet<number>, length: number): number {
  let count = 0;
  for (let i = 0; i < Math.min(length, kind === "yes_no" ? 5 : kind === "definition" ? 20 : length); i++)
    if (ids.has(buffer[i] ?? 0)) count++;
  return count / (count + 1);
}

function fill(row: Float32Array, hits: Hits, asked: Asked, averageLength: number): void {
  const { question, idf, isContent, contentTotal, contentCount, rarest } = asked;
  let score = 0;
  let covered = 0;
  let count = 0;
  let held = 0;
  for (const [w, { weight }] of question.words.entries()) {
    const found = hits.counts[w] ?? 0;
    if (found === 0) continue;
    score += weight * (idf[w] ?? 0) * saturated(found, hits.length, averageLength);
    if (!isContent[w]) continue;
    covered += idf[w] ?? 0;
    count++;
    held += found;
  }
  const first = hits.at[0];
  const set = (name: FeatureName, value: number): void => {
    row[place[name]] = value;
  };
  set("words", score / asked.total / (saturation + 1));
  set("opening_15", opening(hits, asked, 15));
  set("opening_40", opening(hits, asked, 40));
  set("coverage", covered / contentTotal);
  set("coverage_count", count / contentCount);
  const [found, weighted] = pairsFound(hits, asked);
  set("pairs", found);
  set("pairs_weighted", weighted);
  set("near", near(hits, asked));
  set("window", bestWindow(hits, asked));
  set("length", Math.log(hits.length + 1) / 6);
  set("rarest", (hits.counts[rarest[0] ?? -1] ?? 0) > 0 ? 1 : 0);
  set("second_rarest", (hits.counts[rarest[1] ?? -1] ?? 0) > 0 ? 1 : 0);
  set("density", hits.length === 0 ? 0 : (5 * held) / hits.length);
  set("first_place", first === undefined ? 0 : Math.exp(-first / 20));
  for (const [name, sums] of [
    ["translated", hits.strongly],
    ["associated", hits.translated],
  ] as const) {
    const [missing, functions] = byTranslations(hits, sums, asked);
    set(name, missing);
    set(`${name}_function_words`, functions);
  }
  const [words, functions] = asksFor(hits, asked);
  set("asked_for", words);
  set("asked_for_function_words", functions);
  set("synonyms", bySynonyms(hits, asked, hits.length));
  set("synonyms_40", bySynonyms(hits, asked, 40));
  for (const { kind, ids } of question.cues) set(kind, cueShare(kind, ids, hits.length));
}

export interface Judged {
  /** One row of features for each candidate. */
  readonly rows: Float32Array;
  /** The share of the question's weight in each candidate's heading: apart, since no bank of answers has headings. */
  readonly headings: Float32Array;
}

/**
 * Features of the candidates, from the index alone: no text is read. `vector` is the question's, empty when there is
 * none. The ranker and its training call it.
 */
export function featuresOf(
  index: SearchIndex,
  question: Question,
  vector: Float32Array,
  candidates: readonly number[],
): Judged {
  const asked = prepare(question);
  if (slots.length < index.meta.terms) {
    slots = new Uint8Array(index.meta.terms);
    synonymSlots = new Uint8Array(index.meta.terms);
    translationSlots = new Uint16Array(index.meta.terms);
  }
  const translatedIds = [...new Set(question.translations.map(({ id }) => id))];
  for (const [at, id] of translatedIds.entries()) translationSlots[id] = at + 1;
  for (const { id, word } of question.synonyms) synonymSlots[id] = word + 1;
  for (const [w, { id }] of question.words.entries()) if (id >= 0) slots[id] = w + 1;
  const rows = new Float32Array(candidates.length * featureCount);
  const headings = new Float32Array(candidates.length);
  let best = 0;
  for (const [c, chunk] of candidates.entries()) {
    const row = rows.subarray(c * featureCount, (c + 1) * featureCount);
    const hits = hitsOf(readForward(index, chunk, buffer), question.words.length, asked.translated);
    fill(row, hits, asked, index.meta.average_length);
    if (vector.length > 0) row[place.vector] = product(index.vectors, index.vectorScales[chunk] ?? 0, chunk, vector);
    headings[c] = opening(hits, asked, index.headingLengths[chunk] ?? 0);
    best = Math.max(best, row[place.words] ?? 0);
  }
  for (let c = 0; c < candidates.length; c++)
    rows[c * featureCount + place.words_of_best] = best === 0 ? 0 : (rows[c * featureCount + place.words] ?? 0) / best;
  for (const { id } of question.words) if (id >= 0) slots[id] = 0;
  for (const { id } of question.synonyms) synonymSlots[id] = 0;
  for (const id of translatedIds) translationSlots[id] = 0;
  return { rows, headings };
}
