import { fold } from "../../../platform/text.ts";
import { compoundNumber } from "../../language/number-words.ts";
import { compoundMeasure, markOf } from "../../language/statement-words.ts";

/** A measured amount, a duration or a bare number. */
export interface Quantity {
  readonly value: number;
  /** The number as written: 25 years are counted as 300 months. */
  readonly count: number;
  /** A currency, `%`, `hour`, `workday`, `day` or `month`; null without a unit. */
  readonly measure: string | null;
  readonly bound: "min" | "max" | null;
}

/** A date, as far as it is written. */
export interface CalendarDate {
  readonly day: number | null;
  readonly month: number;
  readonly year: number | null;
  readonly way: string | null;
}

/** One word, quantity or date of a sentence. Offsets are UTF-16 units into its text. */
export interface Lexeme {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly capital: boolean;
  readonly quantity: Quantity | null;
  readonly date: CalendarDate | null;
  /** Whether a comma, semicolon, colon, dash or bracket precedes it. */
  readonly cut: boolean;
}

const pattern =
  /(?<date>(?<![\d.])\d{1,2}[./][ \u00a0]?\d{1,2}[./][ \u00a0]?(?:19|20)\d{2}(?!\d)|(?<!\d)(?:19|20)\d{2}-\d{2}-\d{2}(?!\d)|(?<!\d)(?:19|20)\d{2}\.[ \u00a0]?\d{1,2}\.[ \u00a0]?\d{1,2}(?!\d))|(?<number>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)|(?<word>\p{L}[\p{L}\p{M}]*)|(?<sign>[%€$£])/gu;

/** Parses a written number, whatever the language: three digits after the last separator are thousands. */
function numberOf(written: string): number {
  const compact = written.replace(/[\s\u00a0\u202f]/g, "");
  const parts = compact.split(/[.,]/);
  const last = parts.at(-1) ?? "";
  const isDecimal = parts.length > 1 && last.length !== 3;
  const whole = (isDecimal ? parts.slice(0, -1) : parts).join("");
  return Number(isDecimal ? `${whole}.${last}` : whole);
}

function dateOf(written: string): CalendarDate {
  const parts = (written.match(/\d+/g) ?? []).map(Number);
  const isYearFirst = (parts[0] ?? 0) > 31;
  const [year = 0, month = 0, day = 0] = isYearFirst ? parts : parts.toReversed();
  return { day, month, year, way: null };
}

type Draft = { -readonly [K in keyof Lexeme]: Lexeme[K] };

const bare = (value: number): Quantity => ({ value, count: value, measure: null, bound: null });

function draftOf(match: RegExpMatchArray, start: number, cut: boolean): Draft {
  const { date, number, word, sign } = match.groups ?? {};
  const text = match[0];
  const form = fold(text);
  const draft: Draft = {
    start,
    end: start + text.length,
    form,
    capital: /^\p{Lu}/u.test(text),
    quantity: null,
    date: null,
    cut,
  };
  if (date !== undefined) return { ...draft, date: dateOf(date) };
  if (number !== undefined) return { ...draft, quantity: bare(numberOf(number)) };
  if (sign !== undefined) return { ...draft, form };
  const compound = word === undefined ? null : compoundMeasure(form);
  if (compound !== null) return { ...draft, quantity: timeOf(compound.value, compound.time) };
  return draft;
}

/** Converts a duration to the base unit of its measure, such as days or months: a fortnight is fourteen days. */
export function timeOf(value: number, time: string): Quantity {
  const [measure = "", factor = "1"] = time.split(" ");
  const total = value * Number(factor);
  // Two days are 48 hours.
  if (measure === "hour" && total >= 24 && total % 24 === 0)
    return { value: total / 24, count: value, measure: "day", bound: null };
  return { value: total, count: value, measure, bound: null };
}

const isYear = (draft: Draft | undefined): boolean =>
  draft?.quantity?.measure === null && draft.quantity.value >= 1900 && draft.quantity.value <= 2100;
const isDay = (draft: Draft | undefined): boolean =>
  draft?.quantity?.measure === null && draft.quantity.value >= 1 && draft.quantity.value <= 31;

/** Joins the day, month name and year of a date, in any order that the six languages write. */
function withDates(drafts: readonly Draft[]): Draft[] {
  const joined: Draft[] = [];
  for (let at = 0; at < drafts.length; at += 1) {
    const draft = drafts[at] as Draft;
    const month = markOf("month", draft.form);
    const before = joined.at(-1);
    const after = drafts[at + 1];
    const isBeside = isDay(before) || isDay(after) || isYear(after);
    if (month === undefined || !(isBeside || (draft.form.length > 4 && draft.form !== "march"))) {
      joined.push(draft);
      continue;
    }
    const date = { day: null as number | null, month: Number(month), year: null as number | null, way: null };
    let { start, end } = draft;
    if (isDay(before)) {
      date.day = before?.quantity?.value ?? null;
      start = joined.pop()?.start ?? start;
    } else if (isDay(after)) {
      date.day = after?.quantity?.value ?? null;
      end = after?.end ?? end;
      at += 1;
    }
    if (isYear(drafts[at + 1])) {
      date.year = drafts[at + 1]?.quantity?.value ?? null;
      end = drafts[at + 1]?.end ?? end;
      at += 1;
    } else if (isYear(joined.at(-1))) {
      const year = joined.pop();
      date.year = year?.quantity?.value ?? null;
      start = year?.start ?? start;
    }
    joined.push({ ...draft, start, end, date });
  }
  return joined;
}

const isTimeSoon = (drafts: readonly Draft[], at: number): boolean =>
  [1, 2].some(
    (step) =>
      markOf("time", drafts[at + step]?.form ?? "") !== undefined && (step === 1 || drafts[at + 1]?.form.length === 1),
  );

/** `Hat` is six in Hungarian and `has` in German: it is a number only before a Hungarian unit. */
const isSix = (drafts: readonly Draft[], at: number): boolean =>
  /^(?:nap|het|honap|ev(?!ent)|ora|ezer|milli|forint|ft$|euro|szazalek)/.test(drafts[at + 1]?.form ?? "");

/** Returns the number before `and a half`, and how many drafts it and the words up to `half` take. */
function halved(joined: readonly Draft[]): [Draft | undefined, number] {
  const isArticle = joined.at(-1)?.form === "a" && markOf("and", joined.at(-2)?.form ?? "") !== undefined;
  const length = isArticle ? 3 : 2;
  return markOf("and", joined.at(1 - length)?.form ?? "") === undefined ? [undefined, 0] : [joined.at(-length), length];
}

/**
 * Converts number words to numbers, and joins multipliers, tens and ones. `one` counts only before a unit: it is an
 * article too.
 */
function withNumbers(drafts: readonly Draft[]): Draft[] {
  const joined: Draft[] = [];
  for (const [at, draft] of drafts.entries()) {
    const written = markOf("number", draft.form) ?? compoundNumber(draft.form)?.toString();
    // `two and a half`
    const [counted, length] = written === "0.5" ? halved(joined) : [undefined, 0];
    if (counted?.quantity?.measure === null) {
      joined.splice(-length, length, { ...counted, end: draft.end, quantity: bare(counted.quantity.value + 0.5) });
      continue;
    }
    const isOne = (written === "1" || written?.startsWith("0.") === true) && !isTimeSoon(drafts, at);
    const isOther = draft.form === "hat" && !isSix(drafts, at);
    const isCount = written !== undefined && !isOne && !isOther && draft.quantity === null && draft.date === null;
    const current = isCount ? { ...draft, quantity: bare(Number(written)) } : draft;
    const last = joined.at(-1);
    const factor = Number(markOf("multiplier", current.form) ?? 0);
    const lastValue = last?.quantity?.measure === null ? last.quantity.value : null;
    // In `up to a million`, the multiplier is the number.
    if (lastValue === null && factor > 0 && current.form.length > 3) {
      joined.push({ ...current, quantity: bare(factor) });
      continue;
    }
    if (last !== undefined && lastValue !== null && factor > 0)
      joined[joined.length - 1] = { ...last, end: current.end, quantity: bare(lastValue * factor) };
    else if (
      last !== undefined &&
      lastValue !== null &&
      isCount &&
      lastValue >= 20 &&
      lastValue % 10 === 0 &&
      Number(written) < 10
    )
      joined[joined.length - 1] = { ...last, end: current.end, quantity: bare(lastValue + Number(written)) };
    else joined.push(current);
  }
  return joined;
}

const countries = /^(?:czech|cesk|tschech|hungar|magyar|madar|ungar|polsk|poln|polish|swiss|schweiz|svycar)/;
const isCloseBy = (one: Draft, other: Draft): boolean => other.start - one.end <= 3;

/** Attaches to a number the currency, sign or unit of time next to it. */
function withMeasures(drafts: readonly Draft[]): Draft[] {
  const joined: Draft[] = [];
  // Index of the `days` that the `working` before them has already consumed.
  let worked = -1;
  for (const [at, draft] of drafts.entries()) {
    const last = joined.at(-1);
    // `40,000 Czech crowns`
    const isCountry = countries.test(draft.form) && markOf("money", drafts[at + 1]?.form ?? "") !== undefined;
    if (isCountry && last?.quantity != null) {
      joined[joined.length - 1] = { ...last, end: draft.end };
      continue;
    }
    const money = markOf("money", draft.form);
    const time = markOf("time", draft.form);
    // `half a year`
    const isArticle = draft.form === "a" && (last?.quantity?.value ?? 1) < 1 && isTimeSoon(drafts, at);
    if (isArticle && last !== undefined) {
      joined[joined.length - 1] = { ...last, end: draft.end };
      continue;
    }
    // `three working days`, `dni roboczych`: a unit of its own.
    const isWorking = markOf("working", draft.form) !== undefined;
    const next = drafts[at + 1];
    if (isWorking && last?.quantity?.measure === "day") {
      joined[joined.length - 1] = { ...last, end: draft.end, quantity: { ...last.quantity, measure: "workday" } };
      continue;
    }
    const open = last?.quantity?.measure === null ? last.quantity : null;
    if (isWorking && last !== undefined && open !== null && markOf("time", next?.form ?? "") === "day 1") {
      joined[joined.length - 1] = { ...last, end: draft.end, quantity: timeOf(open.value, "workday 1") };
      worked = at + 1;
      continue;
    }
    if (worked === at) continue;
    if (last !== undefined && open !== null && isCloseBy(last, draft) && (money ?? time) !== undefined) {
      const quantity = money === undefined ? timeOf(open.value, time ?? "") : { ...open, measure: money };
      const bound = /ig$/.test(draft.form) ? ("max" as const) : open.bound;
      joined[joined.length - 1] = { ...last, end: draft.end, quantity: { ...quantity, bound } };
    } else if (
      draft.quantity?.measure === null &&
      last !== undefined &&
      last.quantity === null &&
      isCloseBy(last, draft)
    ) {
      const before = markOf("money", last.form);
      if (before === undefined) joined.push(draft);
      else
        joined[joined.length - 1] = {
          ...draft,
          start: last.start,
          cut: last.cut,
          quantity: { ...draft.quantity, measure: before },
        };
    } else joined.push(draft);
  }
  return joined;
}

const mostBracketed = 4;

/** `14.7 (2022: 13.8) billion euros`: the unit after the bracket applies to the number before it too. */
function withBracketed(drafts: readonly Draft[], text: string): Draft[] {
  return drafts.map((draft, at) => {
    const next = drafts[at + 1];
    if (draft.quantity?.measure !== null || !next || !/^\s?\($/.test(text.slice(draft.end, next.start))) return draft;
    const inside = drafts
      .slice(at + 1, at + 1 + mostBracketed)
      .find((one) => text.slice(one.start, one.end).includes(")"));
    const number =
      inside === undefined ? undefined : text.slice(inside.start, inside.end).match(/^[\d.,\s]+(?=\))/)?.[0];
    if (number === undefined || inside?.quantity == null) return draft;
    const factor = Math.round(inside.quantity.count / numberOf(number));
    const count = draft.quantity.count * factor;
    return { ...draft, quantity: { ...inside.quantity, count, value: count } };
  });
}

const irregular: Readonly<Record<string, string>> = { won: "will", can: "can", shan: "shall" };

/** Expands a contraction: `isn't`, `can't` and `won't` to `is not`, `can not` and `will not`. */
function expand(auxiliary: Draft, rest: Draft): void {
  auxiliary.form = irregular[auxiliary.form] ?? auxiliary.form.slice(0, -1);
  rest.form = "not";
}

/** Splits a sentence into lexemes, with whole dates, and times and amounts in base units. Used by `readStatement`. */
export function lex(text: string): Lexeme[] {
  const drafts: Draft[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const between = text.slice(end, match.index);
    const draft = draftOf(match, match.index, /[,;:()–—]|\s-\s/.test(between));
    const before = drafts.at(-1);
    if (draft.form === "t" && /^['’]$/.test(between) && before?.form.endsWith("n")) expand(before, draft);
    drafts.push(draft);
    end = match.index + match[0].length;
  }
  return withBracketed(withMeasures(withDates(withNumbers(drafts))), text);
}
