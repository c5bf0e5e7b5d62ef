import { fold } from "../../../platform/text.ts";

/** Small tools for texts of web pages. */

/** One line, without entities that were encoded twice, without what nobody sees, and without halves of characters. */
export const clean = (text: string): string =>
  text
    .replace(/&amp;/g, "&")
    .replace(/&(nbsp|#160);/g, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .toWellFormed();

/** For comparison: lower case, no diacritics, words with single blanks between. */
export const key = (text: string): string =>
  fold(text)
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The same without blanks, as a domain name has it. */
export const compact = (text: string): string => key(text.replace(/&/g, " ")).replaceAll(" ", "");

/** The words of a text in the form that `key` gives. */
export const wordsOf = (text: string): string[] => key(text).split(" ").filter(Boolean);

/** A word without the endings that plural and case add: rough, and the same for both sides of a comparison. */
export const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(ies|es|s|y|i|e|a|u|ou|ych|ich|ovy|en|er|n)$/, "") : word.replace(/s$/, "");

/** A pattern for any of these phrases as whole words, on folded text. */
export function phrases(list: readonly string[]): RegExp {
  const escaped = list.map((one) => key(one)).filter(Boolean);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(escaped)].join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** The same for words that are inflected: a long word matches with other endings too. */
export function inflected(list: readonly string[]): RegExp {
  const stems = list
    .map((one) => key(one))
    .map((one) => (/^\p{L}{7,}$/u.test(one) ? `${one.replace(/[aeiouy]$/, "")}\\p{L}{0,4}` : one));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(stems)].join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** An excerpt for evidence: at most 120 characters, cut at a word. */
export function excerpt(text: string): string {
  const line = clean(text);
  return line.length <= 120 ? line : `${line.slice(0, 119).replace(/\s+\S*$/, "")}…`;
}
