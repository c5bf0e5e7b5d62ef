import { fold } from "../../platform/text.ts";
import cs from "./data/words.cs.json";
import de from "./data/words.de.json";
import en from "./data/words.en.json";
import sk from "./data/words.sk.json";

/** The languages that hypotheses are read in. */
export const languages = ["en", "cs", "sk", "de"] as const;
export type Language = (typeof languages)[number];

/** The word lists of a language: data files of one shape. An entry is one word or several; `*` stands for any ending. */
export type WordLists = typeof en;
export const wordLists: Readonly<Record<Language, WordLists>> = { en, cs, sk, de };

/** A word of a text: folded, and where it stands. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const wordForm = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** The words of a text, in their order. */
export const tokensOf = (text: string): Token[] =>
  [...text.matchAll(wordForm)].map(({ 0: word, index }) => ({
    word: fold(word).replaceAll("’", "'"),
    start: index,
    end: index + word.length,
  }));

/** One entry of a list, ready to be compared. */
type Entry = readonly ((word: string) => boolean)[];

function matcher(part: string): (word: string) => boolean {
  if (part.startsWith("*")) return (word) => word.endsWith(part.slice(1));
  if (part.endsWith("*")) return (word) => word.startsWith(part.slice(0, -1));
  return (word) => word === part;
}

const entries = new WeakMap<readonly string[], readonly Entry[]>();

function entriesOf(list: readonly string[]): readonly Entry[] {
  const known = entries.get(list);
  if (known) return known;
  const made = list.map((entry) => entry.trim().split(" ").map(matcher));
  entries.set(list, made);
  return made;
}

/** How many tokens from `at` on an entry of the list takes; 0: none does. */
export function matchAt(tokens: readonly Token[], at: number, list: readonly string[]): number {
  let longest = 0;
  for (const entry of entriesOf(list))
    if (entry.length > longest && entry.every((matches, i) => matches(tokens[at + i]?.word ?? "")))
      longest = entry.length;
  return longest;
}

/** Where the list is found first at or after `from` and before `to`; -1: nowhere. */
export function findIn(tokens: readonly Token[], list: readonly string[], from = 0, to = tokens.length): number {
  for (let at = from; at < to; at++) if (matchAt(tokens, at, list) > 0) return at;
  return -1;
}
