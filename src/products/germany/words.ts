import { fold } from "../../platform/text.ts";

/**
 * Normalises the words of German names for comparison: without accents, `ü` equal to `ue`, and without legal forms.
 * Both sides of a comparison must be normalised here.
 */

/** Legal forms and their abbreviations, as `fold` leaves them. */
const legalForms = new Set(
  "gmbh mbh ag kg kgaa ohg gbr ug se eg ev ek ekfr ekfm vvag ag.g co partg partgmbb partnerschaftsgesellschaft haftungsbeschrankt aktiengesellschaft kommanditgesellschaft".split(
    " ",
  ),
);

/** After a vowel or q, `e` is a separate sound: Bauer, neue, Quelle. */
const digraph = /(?<![aeiouq])([aou])e/g;
/** Legal forms written with points, which become one word. */
const dotted = /\b(?:e\s?\.\s?(?:k|kfr|kfm|v|g)\s?\.?|v\s?\.\s?v\s?\.\s?a\s?\.\s?g\.?|a\s?\.\s?g\.?)(?![\p{L}])/giu;

/** Normalises a text such as a city: `Köln`, `Koeln` and `KOLN` become equal. */
export const sameText = (text: string): string => fold(text).replace(digraph, "$1").replace(/\s+/g, " ").trim();

/** Returns the words of a text, without legal forms. */
export const wordsOf = (text: string): string[] =>
  sameText(text.replace(dotted, " "))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !legalForms.has(word));
