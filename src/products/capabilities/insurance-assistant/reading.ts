import type { Readings, ToRead, Weighed } from "./computation.ts";
import type { Sentence } from "./sentences.ts";

/** Sentences that are read beside the question at most: each takes a tenth of a second. */
const mostRead = 3;
/**
 * A sentence that was read as surely settles the matter: it answers, or, standing first for its words, is so far from it
 * that the next ones would only be further chances to be wrong. Chosen on questions of other authors on the starter
 * documents, of which as many are shown as with three sentences each time, for little more than half of the time.
 */
const answersFrom = 0.73;
const isNothingBelow = 0.05;

/** Whether a sentence read with its neighbours surely answers: then it is asked which of them does. */
export const isAnswer = (answers: number): boolean => answers >= answersFrom;

/** Whether the next sentence need not be read, by how surely this one answers: 0 to 1. */
export const settles = (answers: number): boolean => isAnswer(answers) || answers < isNothingBelow;

const saysFrom = 0.5;
/** Whether a sentence was read by itself as an answer, or is one by known questions, which put it first. */
export const saysAlone = (sentence: Sentence, { alone }: Readings): boolean =>
  sentence.found.askedBefore !== undefined || (alone[nameOf(sentence)] ?? 0) >= saysFrom;

/** A sentence with a smaller share of the question's words in itself may owe its score to what stands beside it. */
export const hardlyOwn = 0.1;

/** Characters of a sentence with its neighbours; with more, the reader ranked questions on the starter documents no better. */
const longest = 360;

/** A sentence's name in one answer. */
export const nameOf = ({ found, start }: Sentence): string => `${found.chunk.id}:${start}`;

/** Characters of a title that are read: more of it says no more of what the document is. */
const longestTitle = 120;

/** What kind of document it is, of which product or country; without a remark in brackets. */
function titled({ document: { title } }: Sentence["found"]): string {
  const whole = title.trim();
  const remark = whole.endsWith(")") ? whole.lastIndexOf("(") : -1;
  return (remark > 0 ? whole.slice(0, remark) : whole).slice(0, longestTitle).trim();
}

/** The last heading above that says something: a number alone does not. */
const headed = ({ chunk: { heading } }: Sentence["found"]): string =>
  heading
    .split(" > ")
    .findLast((one) => /\p{L}{3}/u.test(one))
    ?.trim() ?? "";

/** The sentence with as many of its neighbours as there is room for, the one before it rather than the one after it. */
function saidIn({ found: { chunk }, quote, near, from, start, end }: Sentence): string {
  const stretches = [near, chunk.text.slice(from, end), chunk.text.slice(start, from + near.length)];
  const [longestThatFits = quote] = stretches.filter((one) => one.length <= longest);
  return longestThatFits.replace(/\s+/g, " ").trim();
}

/** What is said, under its heading, in the document of that title. */
const passageOf = ({ found }: Sentence, said: string): string =>
  [titled(found), headed(found), said].filter((part) => part !== "").join(": ");

/** Whether a sentence is of a stretch: one and its neighbours. */
const isOfStretch = (one: Sentence, { found, start }: Sentence): boolean =>
  found.chunk.id === one.found.chunk.id && start >= one.from && start < one.from + one.near.length;

/** A sentence and its neighbours, each by itself; none where known questions tell which of them answers. */
function apart(one: Sentence, sentences: readonly Sentence[]): ToRead[] {
  if (one.found.askedBefore !== undefined) return [];
  const stretch = sentences.filter((sentence) => isOfStretch(one, sentence));
  return stretch.map((sentence) => ({ name: nameOf(sentence), passage: passageOf(sentence, sentence.quote) }));
}

/**
 * What is quoted of a stretch that surely answers, in its order: the whole of it where none of its sentences says so by
 * itself, as in "Theft is covered up to EUR 1,500. The deductible is EUR 50 for each claim."; else nothing but what was
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
  // What has hardly a word of the question, and surely answers nothing by itself, only stands beside what answers.
  const told = stretch.filter(
    ({ sentence, own }) => own >= hardlyOwn || (alone[nameOf(sentence)] ?? 0) >= isNothingBelow,
  );
  return [...new Set([...told.sort((a, b) => a.sentence.start - b.sentence.start), ...picked])];
}

/** What is to be read of the sentences, the best first: no two that stand side by side. */
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
