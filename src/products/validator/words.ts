import { fold } from "../../platform/text.ts";
import structureCs from "./data/structure.cs.json";
import structureDe from "./data/structure.de.json";
import structureEn from "./data/structure.en.json";
import structureSk from "./data/structure.sk.json";
import cs from "./data/words.cs.json";
import de from "./data/words.de.json";
import en from "./data/words.en.json";
import sk from "./data/words.sk.json";

/** The languages that hypotheses are read in. */
export const languages = ["en", "cs", "sk", "de"] as const;
export type Language = (typeof languages)[number];

/** A language's word lists, in data files of one shape. An entry is one or more words; `*` matches any ending. */
export type WordLists = typeof en;
export const wordLists: Readonly<Record<Language, WordLists>> = { en, cs, sk, de };

/** The closed word classes: what clauses and phrases start with, and what turns a count into evidence. */
export type Structure = Omit<typeof structureEn, "numerals"> & { readonly numerals: Readonly<Record<string, number>> };
export const structures: Readonly<Record<Language, Structure>> = {
  en: structureEn,
  cs: structureCs,
  sk: structureSk,
  de: structureDe,
};

/** A folded word of a text and its position. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const wordForm = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** Splits a text into its words. */
export const tokensOf = (text: string): Token[] =>
  [...text.matchAll(wordForm)].map(({ 0: word, index }) => ({
    word: fold(word).replaceAll("’", "'"),
    start: index,
    end: index + word.length,
  }));

/** A list entry compiled into matchers, one per word. */
type Entry = readonly ((word: string) => boolean)[];

function matcher(part: string): (word: string) => boolean {
  const star = part.indexOf("*");
  if (star < 0) return (word) => word === part;
  const [head, tail] = [part.slice(0, star), part.slice(star + 1)];
  return (word) => word.length >= head.length + tail.length && word.startsWith(head) && word.endsWith(tail);
}

/** An index of list entries by first word or, if that has a star, by its first letter, so that few need comparing. */
interface Prepared {
  readonly byWord: ReadonlyMap<string, readonly Entry[]>;
  /** Entries that start with a star have the key "". */
  readonly byLetter: ReadonlyMap<string, readonly Entry[]>;
}

const prepared = new WeakMap<readonly string[], Prepared>();

function preparedOf(list: readonly string[]): Prepared {
  const known = prepared.get(list);
  if (known) return known;
  const byWord = new Map<string, Entry[]>();
  const byLetter = new Map<string, Entry[]>();
  for (const entry of list) {
    const parts = entry.trim().split(" ");
    const [first = ""] = parts;
    const [group, name] = first.includes("*")
      ? [byLetter, first.startsWith("*") ? "" : first.slice(0, 1)]
      : [byWord, first];
    group.set(name, [...(group.get(name) ?? []), parts.map(matcher)]);
  }
  const made = { byWord, byLetter };
  prepared.set(list, made);
  return made;
}

/** Returns the length in tokens of the longest entry that matches at `at`; 0 if none does. */
function longestAt(tokens: readonly Token[], at: number, entries: readonly Entry[] | undefined): number {
  let longest = 0;
  for (const entry of entries ?? [])
    if (entry.length > longest && entry.every((matches, i) => matches(tokens[at + i]?.word ?? "")))
      longest = entry.length;
  return longest;
}

/**
 * Returns the length in tokens of the list's longest entry at `at`; 0 if none matches. Called for every word and some
 * fifty lists, few of which have any entry to compare.
 */
export function matchAt(tokens: readonly Token[], at: number, list: readonly string[]): number {
  const word = tokens[at]?.word;
  if (word === undefined) return 0;
  const { byWord, byLetter } = preparedOf(list);
  const whole = longestAt(tokens, at, byWord.get(word));
  if (byLetter.size === 0) return whole;
  return Math.max(
    whole,
    longestAt(tokens, at, byLetter.get(word.slice(0, 1))),
    longestAt(tokens, at, byLetter.get("")),
  );
}

/** Returns the first index from `from` up to but not including `to` at which the list matches; -1 if there is none. */
export function findIn(tokens: readonly Token[], list: readonly string[], from = 0, to = tokens.length): number {
  for (let at = from; at < to; at++) if (matchAt(tokens, at, list) > 0) return at;
  return -1;
}
