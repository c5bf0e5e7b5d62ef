import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { Phrases, placesOf } from "../../datasets/phrases.ts";
import phrasingText from "./phrasing.tsv" with { type: "text" };

/** What a question says beside all that the engine reads: the answer takes no account of it, and has to say so. */

/** Lines of `phrasing.tsv`: a word of two of them counts beside the concepts of both. */
const lines = once(() =>
  phrasingText
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ beside: line.split("\t")[0] ?? "", phrases: new Phrases(line) })),
);

const isFunctionWord = (word: string): boolean => searchLanguages.some((language) => isStopWord(word, language));

/** The places of the words that no one of `read` has, and that do more than phrase a question about the concepts. */
export function unreadPlaces(words: readonly string[], read: readonly number[], concepts: readonly string[]): number[] {
  const said = lines()
    .filter(({ beside }) => beside === "question" || concepts.some((concept) => concept.startsWith(beside)))
    .flatMap(({ phrases }) => placesOf(phrases.in(words)));
  const known = new Set([...read, ...said]);
  // A letter alone is a list's, or what is left of a possessive.
  return words.flatMap((word, at) => (known.has(at) || isFunctionWord(word) || /^\p{L}$/u.test(word) ? [] : [at]));
}

/** So many words of a question are named: with more, it is a text, and they would fill the summary. */
const namedAtMost = 8;

/** Words of a question as an answer may repeat them: each once, and `number` for one with a digit, which would look like a figure. */
export function wordsAt(written: readonly string[], places: readonly number[], number: string): string[] {
  const named = places.map((at) => written[at] ?? "").map((word) => (/\p{N}/u.test(word) ? number : word));
  const shown = [...new Set(named)];
  return shown.length > namedAtMost ? [...shown.slice(0, namedAtMost), "…"] : shown;
}
