import type { Readings, ToRead, Weighed } from "./computation.ts";
import type { Sentence } from "./sentences.ts";

/** Maximum number of sentences read with the question. Each takes a tenth of a second. */
const mostRead = 3;
/**
 * Readings that settle the matter: the sentence answers, or, although first by its words, is so far from it that the
 * next ones would only be further chances to be wrong. Chosen on other authors' questions on the starter documents: as
 * many are shown as with three sentences each time, in little more than half of the time.
 */
const answersFrom = 0.73;
const isNothingBelow = 0.05;

/** Returns whether a sentence read with its neighbours surely answers, so that each has to be read on its own. */
export const isAnswer = (answers: number): boolean => answers >= answersFrom;

/** Returns whether the next sentence need not be read, by how surely this one answers, 0 to 1. */
export const settles = (answers: number): boolean => isAnswer(answers) || answers < isNothingBelow;

const saysFrom = 0.5;
/** Returns whether a sentence was read on its own as an answer, or is one by known questions, which put it first. */
export const saysAlone = (sentence: Sentence, { alone }: Readings): boolean =>
  sentence.found.askedBefore !== undefined || (alone[nameOf(sentence)] ?? 0) >= saysFrom;

/** Share of the question's words below which a sentence may owe its score to its neighbours. */
export const hardlyOwn = 0.1;

/** Maximum characters of a sentence with its neighbours. With more, the reader ranked no better. */
const longest = 360;

/** Returns a sentence's name, unique within one answer. */
export const nameOf = ({ found, start }: Sentence): string => `${found.chunk.id}:${start}`;

/** Maximum characters of a title that are read. More of it says no more about the document. */
const longestTitle = 120;

/** Returns the title, which says the kind of document and its product or country, without a remark in brackets. */
function titled({ document: { title } }: Sentence["found"]): string {
  const whole = title.trim();
  const remark = whole.endsWith(")") ? whole.lastIndexOf("(") : -1;
  return (remark > 0 ? whole.slice(0, remark) : whole).slice(0, longestTitle).trim();
}

/** Returns the last heading above that has a word. A number alone says nothing. */
const headed = ({ chunk: { heading } }: Sentence["found"]): string =>
  heading
    .split(" > ")
    .findLast((one) => /\p{L}{3}/u.test(one))
    ?.trim() ?? "";

/** Returns the sentence with as many of its neighbours as fit, preferring the one before it. */
function saidIn({ found: { chunk }, quote, near, from, start, end }: Sentence): string {
  const stretches = [near, chunk.text.slice(from, end), chunk.text.slice(start, from + near.length)];
  const [longestThatFits = quote] = stretches.filter((one) => one.length <= longest);
  return longestThatFits.replace(/\s+/g, " ").trim();
}

/** Returns what is said, under its heading, in the document of that title. */
const passageOf = ({ found }: Sentence, said: string): string =>
  [titled(found), headed(found), said].filter((part) => part !== "").join(": ");

/** Returns whether a sentence belongs to the stretch of another: that one and its neighbours. */
const isOfStretch = (one: Sentence, { found, start }: Sentence): boolean =>
  found.chunk.id === one.found.chunk.id && start >= one.from && start < one.from + one.near.length;

/** Returns a sentence and its neighbours, each on its own; none if known questions show which of them answers. */
function apart(one: Sentence, sentences: readonly Sentence[]): ToRead[] {
  if (one.found.askedBefore !== undefined) return [];
  const stretch = sentences.filter((sentence) => isOfStretch(one, sentence));
  return stretch.map((sentence) => ({ name: nameOf(sentence), passage: passageOf(sentence, sentence.quote) }));
}

/**
 * Returns what to quote of a stretch that surely answers, in text order: all of it if none of its sentences answers on
 * its own, as in "Theft is covered up to EUR 1,500. The deductible is EUR 50 for each claim."; otherwise only what was
 * picked.
 */
export function togetherIn<T extends { readonly sentence: Sentence; readonly own: number }>(
  picked: readonly T[],
  all: readonly T[],
  { near, alone }: Readings,
): T[] {
  const [first] = picked;
  if (!first || first.sentence.found.askedBefore !== undefined) return [...picked];
  const stretch = all.filter(({ sentence }) => isOfStretch(first.sentence, sentence));
  const isApart = stretch.some(({ sentence }) => (alone[nameOf(sentence)] ?? 0) >= saysFrom);
  if (isApart || !stretch.some(({ sentence }) => isAnswer(near[nameOf(sentence)] ?? 0))) return [...picked];
  // A sentence with hardly a word of the question that surely answers nothing on its own is only a neighbour.
  const told = stretch.filter(
    ({ sentence, own }) => own >= hardlyOwn || (alone[nameOf(sentence)] ?? 0) >= isNothingBelow,
  );
  return [...new Set([...told.sort((a, b) => a.sentence.start - b.sentence.start), ...picked])];
}

/** Returns the sentences to read, best first, without those inside a stretch that is already read. */
export function toRead(sentences: readonly Sentence[]): Weighed["toRead"] {
  const picked: Sentence[] = [];
  for (const one of sentences) {
    if (picked.length === mostRead) break;
    const isBeside = ({ found, near }: Sentence) => found.chunk.id === one.found.chunk.id && near.includes(one.near);
    if (!picked.some(isBeside)) picked.push(one);
  }
  return picked.map((sentence) => ({
    name: nameOf(sentence),
    passage: passageOf(sentence, saidIn(sentence)),
    alone: apart(sentence, sentences),
  }));
}
