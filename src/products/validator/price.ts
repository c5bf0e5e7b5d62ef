import { withDigits } from "./numerals.ts";
import { after, before, type Unit } from "./period.ts";
import type { Period, PriceWords } from "./price-words.ts";
import { findIn, matchAt, type Token, tokensOf } from "./words.ts";

/** A stated price. Free is an amount of 0 without currency and period; a range is represented by its lower end. */
export interface Price {
  readonly amount: number;
  readonly currency: string | null;
  readonly period: Period | null;
}

/** An amount of money with its position in the text, in characters. */
export interface Money extends Price {
  readonly start: number;
  readonly end: number;
  /** End of the words for its period and unit, if they follow it. */
  readonly through: number;
  /** All of these words as written. */
  readonly words: string;
  readonly unit: Unit | null;
  /** Payments per period; the amount is their sum. */
  readonly times: number;
  /** Whether it is a percentage of an unknown sum. */
  readonly isPercent: boolean;
  readonly isNegative: boolean;
  /** Whether it is the lower end of a range. */
  readonly isLower: boolean;
  /** Whether it is the upper end of a range whose lower end comes before it. */
  readonly isUpper: boolean;
  /** Whether it is paid in addition to the amount before it. */
  readonly isAdded: boolean;
  /** Whether it is an income, a sum insured, or the price of something else. */
  readonly isOther: boolean;
}

// Both bounds are beyond any price. Without them, matching a row of figures takes quadratic time.
const digits = String.raw`0[.,]\d{1,6}(?!\d)|\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3}){1,6}(?:[.,]\d{1,2})?(?!\d)|\d{1,24}(?:[.,]\d{1,2})?(?!\d)`;
const currency = String.raw`€|euros?|eur[aáoy]?|eurami|Kč|kc|CZK|korun[ayu]?|korún|\$|USD|dollars?|bucks|dolar\p{L}*|£|GBP|pounds?|quid|zł|zlot\p{L}{1,4}|PLN|CHF|SFr|francs|Franken`;
const minor = String.raw`cents?|¢|eurocent\p{L}*|cent[aoóůy]\p{L}*|ct|pence|hal(?:é|ie)[rř]\p{L}*|grosz\p{L}*|Rappen`;
const thousand = String.raw`tisíc[ei]?|tisic|tis\.|thousand|tausend|Tsd\.|k(?![\p{L}])`;
const million = String.raw`mil\.|mili[oóò]n\p{L}*|million\p{L}*|Mio\.?`;
const times = `${thousand}|${million}`;
const money = new RegExp(
  String.raw`(?<sign>(?<=^|[\s(])(?:[-−–]\s?|minus\s|mínus\s))?(?:(?<before>${currency})\s?(?<inner>[-−–])?(?<a>${digits})(?:\s?(?<kilo>${times}))?|(?<b>${digits})(?:,[-–—])?\s?(?:(?<times>${times})\s?)?(?<after>${currency}|${minor})(?![\p{L}]))`,
  "giu",
);
const percent =
  /(?<![\d.,])(?<b>\d{1,3}(?:[.,]\d{1,3})?)\s?(?:%|‰|per\s?cent(?!\p{L})|pct|pro[cz]ent\p{L}*|percent\p{L}*|promil\p{L}*)/giu;

const codes: readonly (readonly [RegExp, string])[] = [
  [/^(€|eur)/i, "EUR"],
  [/^(kč|kc|czk|kor|hal)/i, "CZK"],
  [/^(\$|usd|dol|buck)/i, "USD"],
  [/^(£|gbp|pou|quid|pence)/i, "GBP"],
  [/^(zł|zlot|pln|grosz)/i, "PLN"],
  [/^(chf|sfr|fran|rappen)/i, "CHF"],
  [/^cent(?!s?$)/i, "EUR"],
];
const codeOf = (text: string): string | null => codes.find(([form]) => form.test(text))?.[1] ?? null;
const isMinor = new RegExp(`^(?:${minor})$`, "iu");
const isMillion = new RegExp(`^(?:${million})$`, "iu");

/**
 * Parses a number in the notation of any of the four languages: `1,200`, `1.200`, `1 200`, `1'200`, `19,90`, `0.005`.
 */
export function numberOf(text: string): number {
  const bare = text.replace(/[ '’\u00a0\u202f]/g, "");
  const decimal = /(?<=^0)[.,](\d+)$/.exec(bare) ?? /[.,](\d{1,2})$/.exec(bare);
  const whole = (decimal ? bare.slice(0, -decimal[0].length) : bare).replace(/[.,]/g, "");
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
}

const reach = 32;
const closeBy = 80;

/** Returns a piece of a text without words cut off at its ends. */
const pieceOf = (text: string, from: number, to: number): string => {
  const piece = text.slice(from, to);
  const headless = /\p{L}/u.test(text[from - 1] ?? "") ? piece.replace(/^\p{L}+/u, "") : piece;
  return /\p{L}/u.test(text[to] ?? "") ? headless.replace(/\p{L}+$/u, "") : headless;
};

const upper = /^\s?(?:[-–—]|to|až|bis|do)\s?(\d+(?:[.,]\d{1,2})?)(?![\d%])(?!\s?%)/iu;

/** An amount's position among the others, in characters, from the end of what belongs to the one before it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the period and unit stated after an amount or, failing that, before it. */
function saidOf(text: string, { start, end, from, to }: Place, words: PriceWords) {
  const window = pieceOf(text, end, Math.min(to, end + reach)).replace(/\bp\. ([am])\b/i, "p.$1 ");
  const [own = "", ...rest] = window.split(/(?<=[.;,!?])(?=\s|$)|\b(?=(?:or|nebo|alebo|oder|lub|albo)\b)/i);
  const found = after(own, words);
  const [next = ""] = own.endsWith(",") ? rest : [];
  // `EUR 100, payable every quarter`
  const later = found.said === null ? after(next, words) : null;
  if (later?.said && later.end > 0) return { ...later, through: end + own.length + later.end };
  const lead = pieceOf(text, Math.max(from, start - closeBy), start).split(/(?<=[.;!?,]\s)/);
  const isStart = start <= closeBy ? lead.length === 1 && from === 0 : /[.;!?]\s$/.test(lead.at(-2) ?? "");
  const earlier = found.said === null ? before(lead.at(-1) ?? "", isStart, words) : null;
  const { said, unit } = { said: found.said ?? earlier?.said ?? null, unit: found.unit ?? earlier?.unit ?? null };
  return { said, unit, through: end + found.end };
}

/** Returns the words just before a position in its sentence; `wordsAfter` returns those after it. */
const wordsBefore = (text: string, at: number): Token[] =>
  tokensOf(
    text
      .slice(Math.max(0, at - reach), at)
      .split(/[.;!?,]\s/)
      .at(-1) ?? "",
  );
const wordsAfter = (text: string, at: number): Token[] =>
  tokensOf(text.slice(at, at + reach).split(/[.;!?,](?:\s|$)/)[0] ?? "");

/** Whether an amount follows a bound such as `with an income up to`: income, assets or a sum insured, not a price. */
const isBound = (text: string, start: number, { structure }: PriceWords): boolean => {
  const tokens = wordsBefore(text, start);
  let to = tokens.length;
  const isAt = (list: readonly string[], from: number) => from >= 0 && matchAt(tokens, from, list) === to - from;
  for (let words = 2; words > 0; words--)
    if (isAt(structure.bounds, to - words)) return true;
    else if (isAt(structure.limits, to - words)) {
      to -= words;
      words = 3;
    }
  return false;
};

/** Number of words around a percentage that say what it is a part of. */
const near = 5;
const isCurrency = /^(?:eur|kc|czk|korun|usd|gbp|pln|zl|chf)/;

/**
 * Whether a percentage is a price: after a word for a payment and before its base, as in `fee of 0.3 % of the sum
 * insured`.
 */
function isPercentPrice(text: string, { index, 0: written }: RegExpExecArray, { lists }: PriceWords): boolean {
  const lead = wordsBefore(text, index).slice(-near);
  const tail = wordsAfter(text, index + written.length).slice(0, near);
  const hasBase = findIn(tail, lists.bases) >= 0 || tail.some(({ word }) => isCurrency.test(word));
  return hasBase && findIn(lead, lists.percent_leads) >= 0;
}

const areAll = (text: string, lists: readonly (readonly string[])[]): boolean => {
  const tokens = tokensOf(text);
  return tokens.length > 0 && tokens.every((_, at) => lists.some((list) => matchAt(tokens, at, list) > 0));
};

/** Whether an amount is the base of a percentage: `0.3 % of the EUR 100,000`. */
function isWhole(text: string, start: number, { lists, structure }: PriceWords): boolean {
  const [, between] =
    /(?:[%‰]|[cz]ent\p{L}*)(\s[^\d.;!?,]*)$/iu.exec(text.slice(Math.max(0, start - reach), start)) ?? [];
  return between !== undefined && areAll(between, [structure.prepositions, structure.determiners, lists.bases]);
}

/** Whether the text between two amounts makes the second the unit of the first: `5 EUR per EUR 1,000`. */
const isRate = (between: string, { lists }: PriceWords): boolean =>
  between.length <= reach && (between.trim() === "/" || areAll(between, [lists.per, lists.every, lists.single]));

/** Whether the text between two amounts adds the second to the first. */
const isSum = (between: string, { lists }: PriceWords): boolean =>
  between.length <= closeBy &&
  !/[.;!?]\s|\b(?:or|nebo|alebo|oder|lub|albo)\b/i.test(between) &&
  (between.includes("+") || findIn(tokensOf(between), lists.adds) >= 0);

/** Returns an amount and its currency as written, without its period. */
function writtenOf({ groups = {} }: RegExpExecArray) {
  const { before: lead = "", after: tail = "", a, b = "", times: factor, kilo } = groups;
  const by = factor ?? kilo;
  const scale = by === undefined ? 1 : isMillion.test(by) ? 1e6 : 1_000;
  return { amount: (numberOf(a ?? b) * scale) / (isMinor.test(tail) ? 100 : 1), currency: codeOf(lead || tail) };
}

/** Returns the lower end of a range, which has no currency of its own: `5-8 EUR`. */
function lowerEnd(text: string, match: RegExpExecArray): { readonly at: number; readonly part: number } | null {
  const from = Math.max(0, match.index - reach);
  const found = /(?<![\d.,])(\d+(?:[.,]\d{1,2})?)\s?(?:[-–—]|to|až|do|bis|and|und|a)\s?$/iu.exec(
    text.slice(from, match.index),
  );
  const [low, high] = [numberOf(found?.[1] ?? ""), numberOf(match.groups?.b ?? "")];
  return found && low < high ? { at: from + found.index, part: low / high } : null;
}

/** Returns the length of a range's upper end, if the currency comes before the lower end or after both: `EUR 5-8`. */
function upperEnd(text: string, end: number, low: number): number {
  const [written = "", high = ""] = upper.exec(text.slice(end, end + reach)) ?? [];
  return numberOf(high) > low ? written.length : 0;
}

const isBetweenEnds = (between: string): boolean => /^\s?(?:[-–—]|to|až|až do|do|bis|and|a|und)\s?$/iu.test(between);

/** Whether an amount is the upper end of a range that starts with the amount before it. */
function isUpperEnd(previous: Money, between: string, amount: number, period: Period | null): boolean {
  const isOfOne = previous.period === null || period === null || previous.period === period;
  return isBetweenEnds(between) && isOfOne && amount > previous.amount / previous.times;
}

/** Returns where the words for a percentage's base end. */
function wholeOf(text: string, end: number, { lists }: PriceWords): number {
  const tokens = wordsAfter(text, end);
  return end + (tokens[findIn(tokens, lists.bases, 0, near)]?.end ?? 0);
}

/** Returns one amount of a text, given the previous amount and the next match. */
function amountOf(
  text: string,
  match: RegExpExecArray,
  previous: Money | undefined,
  next: RegExpExecArray | undefined,
  words: PriceWords,
): Money {
  const isPercent = match.groups?.before === undefined && match.groups?.after === undefined;
  const { sign, inner } = match.groups ?? {};
  const [start, written] = [match.index, writtenOf(match)];
  const end = match.index + match[0].length;
  const low = isPercent ? null : lowerEnd(text, match);
  const high = isPercent ? 0 : upperEnd(text, end, written.amount);
  const place = { start, end: end + high, from: previous?.through ?? 0, to: next?.index ?? text.length };
  const { said, unit, through: last } = saidOf(text, place, words);
  const between = previous ? text.slice(previous.end, start) : null;
  const perAmount = next && isRate(text.slice(end, next.index), words) ? next.index + next[0].length : null;
  const through = perAmount ?? (isPercent ? wholeOf(text, end, words) : last);
  const from = low?.at ?? start;
  const [period, amount] = [said?.period ?? null, written.amount * (low?.part ?? 1)];
  const times = said?.times ?? 1;
  const isNegative =
    (sign !== undefined && !/\d\s?$/.test(text.slice(Math.max(0, start - 2), start))) || inner !== undefined;
  return {
    ...{ start: from, end, through, words: text.slice(from, through).trim().replace(/\s+/g, " ") },
    ...{
      amount: times === 1 ? amount : Math.round(amount * times * 100) / 100,
      currency: written.currency,
      period,
      times,
    },
    ...{ isPercent, isNegative, isLower: low !== null || high > 0 },
    unit: perAmount === null ? unit : { isMeasure: true },
    isUpper: previous !== undefined && between !== null && isUpperEnd(previous, between, amount, period),
    isAdded: between !== null && isSum(between, words),
    isOther: isBound(text, start, words) || isWhole(text, start, words) || (between !== null && isRate(between, words)),
  };
}

/** Gives the lower end of each range the period and unit of its upper end. */
const withUpper = (money: readonly Money[], text: string): Money[] =>
  money.map((one, i) => {
    const upper = money[i + 1];
    if (!upper?.isUpper) return one;
    const { period, unit, through } = upper;
    const words = text.slice(one.start, through).trim();
    const lower = { ...one, words, through, isLower: true };
    return one.period === null && one.unit === null
      ? { ...lower, period, unit, times: upper.times, amount: one.amount * upper.times }
      : lower;
  });

/** Returns each amount of money in the text, and each percentage that is a price. */
export function moneyIn(given: string, words: PriceWords): Money[] {
  const text = withDigits(given, words.numerals, words.structure.joins, `${currency}|${minor}`);
  const parts = [...text.matchAll(percent)].filter((match) => isPercentPrice(text, match, words));
  const matches = [...text.matchAll(money), ...parts].sort((a, b) => a.index - b.index);
  const found: Money[] = [];
  for (const [i, match] of matches.entries()) {
    const one = amountOf(text, match, found.at(-1), matches[i + 1], words);
    if (Number.isFinite(one.amount)) found.push(one);
  }
  return withUpper(found, text);
}

/** Returns the amount that each token belongs to, if any, in a single pass. */
export function moneyByToken(tokens: readonly Token[], money: readonly Money[]): readonly (Money | undefined)[] {
  let next = 0;
  return tokens.map(({ start, end }) => {
    while (next < money.length && (money[next]?.end ?? 0) <= start) next += 1;
    const one = money[next];
    return one && one.start < end ? one : undefined;
  });
}
