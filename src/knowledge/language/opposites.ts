import table from "./data/opposites.tsv" with { type: "text" };
import { foldedWords, readTable } from "./word-table.ts";

/** Pairs of opposites: prefixes of words, or whole words if they are short. */
const pairs = readTable(table, ["one", "other"]).map(({ one, other }) => ({
  one: foldedWords(one),
  other: foldedWords(other),
}));

// Short entries are whole words; longer ones are prefixes, which a suffix of a few letters may follow.
const begins = (word: string, entry: string): boolean =>
  word === entry || (entry.length >= 4 && word.startsWith(entry) && word.length - entry.length <= 5);

const found = new Map<string, readonly string[]>();

/**
 * Returns the opposites of a folded word, as prefixes; empty for most. Called by the alignment for each word of a
 * claim.
 */
export function oppositesOf(word: string): readonly string[] {
  const known = found.get(word);
  if (known !== undefined) return known;
  const result: string[] = [];
  for (const { one, other } of pairs) {
    if (one.some((entry) => begins(word, entry))) result.push(...other);
    else if (other.some((entry) => begins(word, entry))) result.push(...one);
  }
  // Bounded, so that callers' vocabulary cannot grow the memory of a long-running server.
  if (found.size > 20_000) found.clear();
  found.set(word, result);
  return result;
}

/** Checks whether a folded word is one of the opposites that `oppositesOf` returned. */
export const isOpposite = (word: string, candidates: readonly string[]): boolean =>
  candidates.some((entry) => begins(word, entry));
