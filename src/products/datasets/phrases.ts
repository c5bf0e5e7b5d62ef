import { ByFirstWord } from "../../platform/first-word.ts";
import { once } from "../../platform/once.ts";

/** Matches the words of a question against phrase lists. */

/** Folds a text to lower case without accents, as both sides of every comparison are. */
export const folded = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").replaceAll("ł", "l");

/** Returns the folded words of a text. */
export const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the same words as written, with accents and capitals, at the same indices. */
export const writtenWordsOf = (text: string): string[] =>
  text.normalize("NFC").match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];

/** A phrase of a list: consecutive words, exact or, with a trailing star, by prefix. */
interface Phrase {
  readonly entry: string;
  readonly words: readonly string[];
}

/** A phrase with its rank: of two overlapping phrases, the lower rank wins. */
interface Ranked extends Phrase {
  readonly rank: number;
}

/** The position of a phrase in a question. */
export interface Match {
  readonly entry: string;
  readonly at: number;
  readonly words: number;
}

/** Returns the indices of the words covered by matches. */
export const placesOf = (matches: readonly Match[]): number[] =>
  matches.flatMap(({ at, words }) => Array.from({ length: words }, (_, i) => at + i));

/**
 * Merges matches of several lists: of overlapping ones, keeps the longest, or the one from the earlier list if equal.
 */
export function longestOf(...lists: readonly (readonly Match[])[]): Match[] {
  const taken = new Set<number>();
  const kept = lists
    .flat()
    .sort((a, b) => b.words - a.words)
    .filter((match) => {
      const places = placesOf([match]);
      if (places.some((place) => taken.has(place))) return false;
      for (const place of places) taken.add(place);
      return true;
    });
  return kept.sort((a, b) => a.at - b.at);
}

const fits = (word: string | undefined, pattern: string): boolean =>
  word !== undefined && (pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern);

function phrasesOf(text: string): Phrase[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines
    .flatMap((line) => {
      const [entry = "", phrases = ""] = line.split("\t");
      return phrases.split("|").map((phrase) => ({ entry, words: phrase.trim().split(" ") }));
    })
    .sort((a, b) => b.words.length - a.words.length);
}

/** A phrase list: one entry per line, its name, a tab, and phrases separated by bars. Parsed on first use. */
export class Phrases {
  private readonly phrases: () => ByFirstWord<Ranked>;

  constructor(text: string) {
    this.phrases = once(
      () => new ByFirstWord(phrasesOf(text).map((phrase, rank) => [phrase.words[0] ?? "", { ...phrase, rank }])),
    );
  }

  /**
   * Returns the entries that the words name, in word order. Longer phrases match first; a word belongs to only one
   * match.
   */
  in(words: readonly string[]): Match[] {
    const fitting = words.flatMap((word, at) =>
      this.phrases()
        .of(word)
        .filter((phrase) => phrase.words.every((pattern, i) => fits(words[at + i], pattern)))
        .map((phrase) => ({ phrase, at })),
    );
    const taken = new Set<number>();
    const found: Match[] = [];
    for (const { phrase, at } of fitting.sort((a, b) => a.phrase.rank - b.phrase.rank || a.at - b.at)) {
      const places = phrase.words.map((_, i) => at + i);
      if (places.some((place) => taken.has(place))) continue;
      for (const place of places) taken.add(place);
      found.push({ entry: phrase.entry, at, words: phrase.words.length });
    }
    return found.sort((a, b) => a.at - b.at);
  }
}

/** Converts a list with several names per line to one with only the first name. */
export const phrasesByFirst = (text: string): string =>
  text.replace(/^(?!#)(.+)\t([^\t]+)$/gm, (_, names: string, phrases: string) => `${names.split("\t")[0]}\t${phrases}`);
