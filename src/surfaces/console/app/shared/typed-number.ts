import type { Language } from "./languages.ts";

/** Returns a language's separators of thousands and decimals. */
function marksOf(language: Language): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(language).formatToParts(12_345.6);
  const mark = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? "";
  return { group: mark("group"), decimal: mark("decimal") };
}

const spaces = /^[\s\u00a0\u202f]$/;
const whole = /^[+-]?(?:\d+|\d{1,3}(?:(?<mark>[^\d])\d{3})(?:\k<mark>\d{3})*)$/;

/**
 * Parses a typed number, with thousands separated as in the language or by spaces; undefined if it is not a number. No
 * character is skipped: "2.5" is not 25, and "1e3" is not 13. `fraction`: whether decimals are allowed.
 */
export function typedNumber(typed: string, language: Language, { fraction = false } = {}): number | undefined {
  const { group, decimal } = marksOf(language);
  const [integer = "", ...rest] = typed
    .trim()
    .replace(/^[−–]/, "-")
    .split(fraction ? decimal : "\n");
  const [decimals = ""] = rest;
  const mark = whole.exec(integer)?.groups?.mark;
  const isApart = mark === undefined || mark === group || spaces.test(mark);
  if (!whole.test(integer) || !isApart || rest.length > 1 || !/^\d*$/.test(decimals)) return undefined;
  const value = Number(`${integer.replaceAll(/[^\d-]/g, "")}.${decimals || "0"}`);
  return fraction || Number.isSafeInteger(value) ? value : undefined;
}
