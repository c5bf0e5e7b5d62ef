import table from "./data/opposites.tsv" with { type: "text" };
import { foldedWords, readTable } from "./word-table.ts";

/** Pairs of opposites: beginnings of words, and whole words where they are short. */
const pairs = readTable(table, ["one", "other"]).map(({ one, other }) => ({
  one: foldedWords(one),
  other: foldedWords(other),
}));

// Short entries are whole words; longer ones are the beginning of a word with at most a few letters of ending.
const begins = (word: string, entry: string): boolean =>
  word === entry || (entry.length >= 4 && word.startsWith(entry) && word.length - entry.length <= 5);

const found = new Map<string, readonly string[]>();

/** The opposites of a folded word, as beginnings of words; empty for most. Alignment asks for each claim word. */
export function oppositesOf(word: string): readonly string[] {
  const known = found.get(word);
  if (known !== undefined) return known;
  const result: string[] = [];
  for (const { one, other } of pairs) {
    if (one.some((entry) => begins(word, entry))) result.push(...other);
    else if (other.some((entry) => begins(word, entry))) result.push(...one);
  }
  // Bounded, so that a long-lived server's memory does not follow its callers' vocabulary.
  if (found.size > 20_000) found.clear();
  found.set(word, result);
  return result;
}

/** Whether a folded word is one of the opposites that `oppositesOf` gave. */
export const isOpposite = (word: string, candidates: readonly string[]): boolean =>
  candidates.some((entry) => begins(word, entry));
