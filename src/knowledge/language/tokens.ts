import { fold } from "../../platform/text.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Language } from "./languages.ts";
import { negators } from "./lexicon.ts";
import { currencies, months, multipliers, numberWords, weekdays } from "./quantities.ts";
import { stem } from "./stem.ts";

/** One word or number of a text. Offsets are UTF-16 units into that text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  /** Folded form. */
  readonly form: string;
  /** Key by which tokens are compared: a stem, or `#value`, `@month`, `@weekday`, `¤currency`. */
  readonly key: string;
  readonly kind: "word" | "number" | "calendar";
  /** A number's value with its multiplier; null for other tokens. */
  readonly value: number | null;
  /** The unit after a number (`%`, a currency, a stem); empty without one. */
  readonly unit: string;
  /** Starts with a capital or is all capitals. */
  readonly capital: boolean;
  /** First word of its sentence, so that its capital means nothing. */
  readonly initial: boolean;
  /** A function word, which is no evidence; never a negator. */
  readonly empty: boolean;
}

const tokenPattern =
  /(?<date>(?<![\d.])\d{1,2}\.[ \u00a0]?\d{1,2}\.[ \u00a0]?\d{4}(?!\d)|(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))|(?<number>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])(?:,\d+)?|\d+(?:[.,]\d+)*)|(?<word>\p{L}[\p{L}\p{M}]*)|(?<sign>[%€$£])/gu;

/**
 * Returns the value of a written number. Three digits after a separator are a group of thousands, except after a point
 * in English and after a comma in Czech and Slovak; a last separator with another number of digits is the decimal one.
 */
export function parseNumber(written: string, language: Language): number {
  const compact = written.replace(/[\s\u00a0\u202f]/g, "");
  // Several groups of three are thousands in every language.
  if (/^\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/.test(compact)) return Number(compact.replace(/[.,]/g, ""));
  const decimal = language === "en" ? "." : ",";
  const group = decimal === "." ? "," : ".";
  const asWritten = compact.replaceAll(group, "").replace(decimal, ".");
  const grouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d+)?$`).test(compact);
  const value = Number(grouped || !compact.includes(group) ? asWritten : compact.replace(group, "."));
  // Several points without groups of three (a version, a clause number) have no value; the first part is used.
  return Number.isFinite(value) ? value : Number.parseInt(compact, 10) || 0;
}

interface Draft extends Omit<Token, "value" | "key" | "unit"> {
  value: number | null;
  key: string;
  unit: string;
}

const keyOfNumber = (value: number): string => `#${Number(value.toPrecision(12))}`;

function draft(start: number, text: string, initial: boolean): Draft {
  const form = fold(text);
  return {
    start,
    end: start + text.length,
    form,
    key: form,
    kind: "word",
    value: null,
    unit: "",
    initial,
    capital: /^\p{Lu}/u.test(text),
    empty: false,
  };
}

function calendarKey(form: string, capital: boolean, initial: boolean): string | null {
  const month = months.findIndex((names) => names.includes(form));
  // Short names of months collide with other words unless they are capitalised.
  if (month >= 0 && (form.length > 3 || capital)) return `@m${month + 1}`;
  if (form === "may" && capital && !initial) return "@m5";
  const day = weekdays.findIndex((names) => names.includes(form));
  return day < 0 ? null : `@d${day}`;
}

function wordToken(base: Draft, language: Language): Draft {
  const value = numberWords.get(base.form);
  if (value !== undefined) return { ...base, kind: "number", value, key: keyOfNumber(value) };
  const calendar = calendarKey(base.form, base.capital, base.initial);
  if (calendar !== null) return { ...base, kind: "calendar", key: calendar };
  // One key per currency, however it is written; its capitals do not make it a name.
  const currency = currencies.get(base.form);
  if (currency !== undefined) return { ...base, key: `¤${currency}`, capital: false };
  const empty = !negators.has(base.form) && (base.form.length < 2 || isFunctionWord(base.form, language));
  return { ...base, key: stem(base.form, language), empty };
}

function dateTokens(start: number, text: string): Draft[] {
  const parts = text.match(/\d+/g) ?? [];
  const [year, month, day] = text.includes("-") ? parts : parts.toReversed();
  const base = draft(start, text, false);
  return [
    { ...base, kind: "number", value: Number(day), key: keyOfNumber(Number(day)) },
    { ...base, kind: "calendar", key: `@m${Number(month)}` },
    { ...base, kind: "number", value: Number(year), key: keyOfNumber(Number(year)) },
  ];
}

// A number includes the multiplier after it in its value, and takes the unit after that (or the sign before it).
function joinQuantities(drafts: Draft[], language: Language): Token[] {
  const joined: Draft[] = [];
  for (const current of drafts) {
    const last = joined.at(-1);
    if (last?.kind === "number" && last.value !== null && last.unit === "") {
      const factor = multipliers.get(current.form);
      const near = current.start - last.end <= 2;
      if (factor !== undefined && near && (current.form.length > 1 || current.start === last.end)) {
        const value = last.value * factor;
        joined[joined.length - 1] = { ...last, value, key: keyOfNumber(value), end: current.end };
        continue;
      }
      if (near) last.unit = currencies.get(current.form) ?? (current.empty ? "" : stem(current.form, language));
    }
    if (current.kind === "number" && last !== undefined && /^[€$£]$/.test(last.form)) {
      joined[joined.length - 1] = { ...current, unit: currencies.get(last.form) ?? "" };
      continue;
    }
    joined.push(current);
  }
  return joined.filter((token) => !/^[%€$£]$/.test(token.form));
}

/** Splits one sentence into words and numbers, in order. `offset` is where the sentence begins in its text. */
export function tokenize(sentence: string, language: Language, offset = 0): Token[] {
  const drafts: Draft[] = [];
  for (const match of sentence.matchAll(tokenPattern)) {
    const start = offset + match.index;
    const initial = drafts.length === 0;
    const { date, number, word, sign } = match.groups ?? {};
    if (date !== undefined) drafts.push(...dateTokens(start, date));
    else if (number !== undefined) {
      const value = parseNumber(number, language);
      drafts.push({ ...draft(start, number, initial), kind: "number", value, key: keyOfNumber(value) });
    } else if (word !== undefined) drafts.push(wordToken(draft(start, word, initial), language));
    else if (sign !== undefined) drafts.push({ ...draft(start, sign, initial), empty: true });
  }
  return joinQuantities(drafts, language);
}
