import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { folded, type Match, Phrases, placesOf } from "../../datasets/phrases.ts";
import phrasingText from "./phrasing.tsv" with { type: "text" };

/** What a question says beside all that the engine reads: the answer takes no account of it, and has to say so. */

/** Lines of `phrasing.tsv`: a word of two of them counts beside the concepts of both. */
const lines = once(() =>
  phrasingText
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ beside: line.split("\t")[0] ?? "", phrases: new Phrases(line) })),
);

/** What phrases a question, wherever it stands. */
export const phrasingIn = (words: readonly string[]): Match[] => lines().flatMap(({ phrases }) => phrases.in(words));

/** Whether a folded word is a function word of any of the languages. Items and denials ask too. */
export const isFunctionWord = (word: string): boolean => searchLanguages.some((language) => isStopWord(word, language));

/** Places of a question's words by what became of them. */
interface Places {
  /** Of words that the answer takes account of. */
  readonly read: readonly number[];
  /** Of words that deny something, and were not made out: no function words, whatever they are elsewhere. */
  readonly denying: readonly number[];
}

/** The places of the words that nothing has read, and that do more than phrase a question about the concepts. */
export function unreadPlaces(
  words: readonly string[],
  { read, denying }: Places,
  concepts: readonly string[],
): number[] {
  const said = lines()
    .filter(({ beside }) => beside === "question" || concepts.some((concept) => concept.startsWith(beside)))
    .flatMap(({ phrases }) => placesOf(phrases.in(words)));
  const known = new Set([...read, ...said]);
  // A letter alone is a list's, or what is left of a possessive.
  const isEmpty = (word: string): boolean => isFunctionWord(word) || /^\p{L}$/u.test(word);
  return words.flatMap((word, at) => (denying.includes(at) || !(known.has(at) || isEmpty(word)) ? [at] : []));
}

/** So many words of a question are named: with more, it is a text, and they would fill the summary. */
const namedAtMost = 8;

/** Words of a question as an answer may repeat them: each once, and a number with a small word before it, as "over 80". */
export function wordsAt(written: readonly string[], places: readonly number[]): string[] {
  const named = places.map((at) => {
    const [before = "", word = ""] = [written[at - 1], written[at]];
    return /\p{N}/u.test(word) && isFunctionWord(folded(before)) ? `${before} ${word}` : word;
  });
  const shown = [...new Set(named)];
  return shown.length > namedAtMost ? [...shown.slice(0, namedAtMost), "…"] : shown;
}

/** The words of a question from the first of some places to the last. */
export const quoted = (written: readonly string[], places: readonly number[]): string =>
  written.slice(Math.min(...places), Math.max(...places) + 1).join(" ");
