import { ByFirstWord } from "../../platform/first-word.ts";
import { once } from "../../platform/once.ts";

/** Words of a question, and the lists that they are looked up in. */

/** Lower case without accents: as both sides of every comparison are. */
export const folded = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").replaceAll("ł", "l");

/** The words of a text, folded. */
export const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The same words as they are written, with their accents and capitals: as many, in the same places. */
export const writtenWordsOf = (text: string): string[] =>
  text.normalize("NFC").match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];

/** A phrase of a list: words in a row, each whole or, with a star, by its beginning. */
interface Phrase {
  readonly entry: string;
  readonly words: readonly string[];
}

/** A phrase with its place among all: of two that overlap, the earlier is taken. */
interface Ranked extends Phrase {
  readonly rank: number;
}

/** Where a phrase stands in a question. */
export interface Match {
  readonly entry: string;
  readonly at: number;
  readonly words: number;
}

/** The places of the words that matches are made of. */
export const placesOf = (matches: readonly Match[]): number[] =>
  matches.flatMap(({ at, words }) => Array.from({ length: words }, (_, i) => at + i));

/** Matches of several lists without those that share a word with a longer one, or with an equal one of an earlier list. */
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

/**
 * Entries by what they may be called: a line each, its name, a tab, and phrases with a bar between them. The list is read
 * with the first question.
 */
export class Phrases {
  private readonly phrases: () => ByFirstWord<Ranked>;

  constructor(text: string) {
    this.phrases = once(
      () => new ByFirstWord(phrasesOf(text).map((phrase, rank) => [phrase.words[0] ?? "", { ...phrase, rank }])),
    );
  }

  /** What the words name, the longest phrases first; a word belongs to one of them. In the order of the words. */
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

/** A list whose lines have several names and then the phrases, as one with the first name alone. */
export const phrasesByFirst = (text: string): string =>
  text.replace(/^(?!#)(.+)\t([^\t]+)$/gm, (_, names: string, phrases: string) => `${names.split("\t")[0]}\t${phrases}`);
