import { fold } from "../../../platform/text.ts";

/** Helpers for the texts of web pages. */

/** Returns a text on one line, without doubly encoded entities, invisible characters and halves of surrogate pairs. */
export const clean = (text: string): string =>
  text
    .replace(/&amp;/g, "&")
    .replace(/&(nbsp|#160);/g, " ")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .toWellFormed();

/** Returns a text for comparison: lower case, no diacritics, words separated by single spaces. */
export const key = (text: string): string =>
  fold(text)
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Returns the same without spaces, as in a domain name. */
export const compact = (text: string): string => key(text.replace(/&/g, " ")).replaceAll(" ", "");

/** Returns the words of a text in the form of `key`. */
export const wordsOf = (text: string): string[] => key(text).split(" ").filter(Boolean);

/** Returns a word without plural and case endings: rough, but the same for both sides of a comparison. */
export const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(ies|es|s|y|i|e|a|u|ou|ych|ich|ovy|en|er|n)$/, "") : word.replace(/s$/, "");

/** Returns a pattern for any of the phrases as whole words of a folded text. */
export function phrases(list: readonly string[]): RegExp {
  const escaped = list.map((one) => key(one)).filter(Boolean);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(escaped)].join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** Returns the same for inflected words: a long word also matches with other endings. */
export function inflected(list: readonly string[]): RegExp {
  const stems = list
    .map((one) => key(one))
    .map((one) => (/^\p{L}{7,}$/u.test(one) ? `${one.replace(/[aeiouy]$/, "")}\\p{L}{0,4}` : one));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(stems)].join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** Returns an excerpt for evidence: at most 120 characters, cut at a word. */
export function excerpt(text: string): string {
  const line = clean(text);
  return line.length <= 120 ? line : `${line.slice(0, 119).replace(/\s+\S*$/, "")}…`;
}
