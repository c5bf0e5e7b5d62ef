import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { folded, type Match, Phrases, placesOf } from "../../datasets/phrases.ts";
import phrasingText from "./phrasing.tsv" with { type: "text" };

/** What a question says beyond what the engine reads. The answer does not take it into account, and has to say so. */

/** Lines of `phrasing.tsv`. A word on two of them counts next to the concepts of both. */
const lines = once(() =>
  phrasingText
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ beside: line.split("\t")[0] ?? "", phrases: new Phrases(line) })),
);

/** Returns the words that only phrase a question, wherever they are. */
export const phrasingIn = (words: readonly string[]): Match[] => lines().flatMap(({ phrases }) => phrases.in(words));

/** Returns whether a folded word is a function word of any of the languages. */
export const isFunctionWord = (word: string): boolean => searchLanguages.some((language) => isStopWord(word, language));

/** Places of a question's words, by how they were used. */
interface Places {
  /** Those of words that the answer takes into account. */
  readonly read: readonly number[];
  /** Those of denying words that were not resolved. They never count as function words. */
  readonly denying: readonly number[];
}

/** Returns the places of the words that nothing has read and that do more than phrase a question about the concepts. */
export function unreadPlaces(
  words: readonly string[],
  { read, denying }: Places,
  concepts: readonly string[],
): number[] {
  const said = lines()
    .filter(({ beside }) => beside === "question" || concepts.some((concept) => concept.startsWith(beside)))
    .flatMap(({ phrases }) => placesOf(phrases.in(words)));
  const known = new Set([...read, ...said]);
  // A single letter is a list marker, or the rest of a possessive.
  const isEmpty = (word: string): boolean => isFunctionWord(word) || /^\p{L}$/u.test(word);
  return words.flatMap((word, at) => (denying.includes(at) || !(known.has(at) || isEmpty(word)) ? [at] : []));
}

/** Maximum number of words named. A question with more is a text, and they would fill the summary. */
const namedAtMost = 8;

/** Returns words of a question for an answer: each once, a number with a short word before it ("over 80"). */
export function wordsAt(written: readonly string[], places: readonly number[]): string[] {
  const named = places.map((at) => {
    const [before = "", word = ""] = [written[at - 1], written[at]];
    return /\p{N}/u.test(word) && isFunctionWord(folded(before)) ? `${before} ${word}` : word;
  });
  const shown = [...new Set(named)];
  return shown.length > namedAtMost ? [...shown.slice(0, namedAtMost), "…"] : shown;
}

/** Returns the words of a question from the first of some places to the last. */
export const quoted = (written: readonly string[], places: readonly number[]): string =>
  written.slice(Math.min(...places), Math.max(...places) + 1).join(" ");
