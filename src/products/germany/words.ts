import { fold } from "../../platform/text.ts";

/**
 * Words of German names as a search compares them: without accents, `ü` and `ue` alike, and without legal forms. Both
 * sides of a comparison pass here.
 */

/** Words and marks that say what a firm is by law, as `fold` leaves them. */
const legalForms = new Set(
  "gmbh mbh ag kg kgaa ohg gbr ug se eg ev ek ekfr ekfm vvag ag.g co partg partgmbb partnerschaftsgesellschaft haftungsbeschrankt aktiengesellschaft kommanditgesellschaft".split(
    " ",
  ),
);

/** After a vowel or a q, `e` is a sound of its own: Bauer, neue, Quelle. */
const digraph = /(?<![aeiouq])([aou])e/g;
/** Legal forms that are written with points become one word. */
const dotted = /\b(?:e\s?\.\s?(?:k|kfr|kfm|v|g)\s?\.?|v\s?\.\s?v\s?\.\s?a\s?\.\s?g\.?|a\s?\.\s?g\.?)(?![\p{L}])/giu;

/** A text of one piece, such as a city: `Köln`, `Koeln` and `KOLN` are the same. */
export const sameText = (text: string): string => fold(text).replace(digraph, "$1").replace(/\s+/g, " ").trim();

/** The words of a text, without legal forms. */
export const wordsOf = (text: string): string[] =>
  sameText(text.replace(dotted, " "))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !legalForms.has(word));
