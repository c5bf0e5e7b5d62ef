import type { Language } from "./languages.ts";

/** How a language separates thousands and a fraction. */
function marksOf(language: Language): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(language).formatToParts(12_345.6);
  const mark = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? "";
  return { group: mark("group"), decimal: mark("decimal") };
}

const spaces = /^[\s\u00a0\u202f]$/;
const whole = /^[+-]?(?:\d+|\d{1,3}(?:(?<mark>[^\d])\d{3})(?:\k<mark>\d{3})*)$/;

/**
 * The number that a person typed, in digits with the thousands apart as the language or a space parts them; undefined
 * where it is none. Nothing of it is left out to make it one: "2.5" is not 25, nor "1e3" 13. `fraction`: whether it may
 * have one.
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
