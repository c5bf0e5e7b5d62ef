import { withDigits } from "./numerals.ts";
import { after, before, type Unit } from "./period.ts";
import type { Period, PriceWords } from "./price-words.ts";
import { findIn, matchAt, type Token, tokensOf } from "./words.ts";

/** A price as a hypothesis names it. Free: an amount of 0 without currency and period. Of a range, the lower end. */
export interface Price {
  readonly amount: number;
  readonly currency: string | null;
  readonly period: Period | null;
}

/** An amount of money where it stands in a text, in characters. */
export interface Money extends Price {
  readonly start: number;
  readonly end: number;
  /** Where the words for its period and its unit end, where they follow it. */
  readonly through: number;
  /** All of that as the text has it. */
  readonly words: string;
  readonly unit: Unit | null;
  /** How often it is paid in its period: the amount is the sum. */
  readonly times: number;
  /** A part of a sum that is not known: the amount is in percent. */
  readonly isPercent: boolean;
  readonly isNegative: boolean;
  /** The lower end of a range. */
  readonly isLower: boolean;
  /** The upper end of a range whose lower one comes before it. */
  readonly isUpper: boolean;
  /** It is paid besides the amount before it, not instead of that. */
  readonly isAdded: boolean;
  /** What somebody earns, saves or is insured for; what another thing costs. */
  readonly isOther: boolean;
}

// Both bounds are beyond any price: without them a row of figures takes time by the square of its length.
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

/** A number in the writing of any of the four languages: `1,200`, `1.200`, `1 200`, `1'200`, `19,90`, `0.005`. */
export function numberOf(text: string): number {
  const bare = text.replace(/[ '’\u00a0\u202f]/g, "");
  const decimal = /(?<=^0)[.,](\d+)$/.exec(bare) ?? /[.,](\d{1,2})$/.exec(bare);
  const whole = (decimal ? bare.slice(0, -decimal[0].length) : bare).replace(/[.,]/g, "");
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
}

const reach = 32;
const closeBy = 80;

/** A piece of a text, without the words that it begins or ends within. */
const pieceOf = (text: string, from: number, to: number): string => {
  const piece = text.slice(from, to);
  const headless = /\p{L}/u.test(text[from - 1] ?? "") ? piece.replace(/^\p{L}+/u, "") : piece;
  return /\p{L}/u.test(text[to] ?? "") ? headless.replace(/\p{L}+$/u, "") : headless;
};

const upper = /^\s?(?:[-–—]|to|až|bis|do)\s?(\d+(?:[.,]\d{1,2})?)(?![\d%])(?!\s?%)/iu;

/** Where an amount is among others, in characters: from the end of what belongs to the one before it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** What is said of an amount after it, up to the end of what it belongs to, and else before it. */
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

/** The words next before a place in its sentence, and after it. */
const wordsBefore = (text: string, at: number): Token[] =>
  tokensOf(
    text
      .slice(Math.max(0, at - reach), at)
      .split(/[.;!?,]\s/)
      .at(-1) ?? "",
  );
const wordsAfter = (text: string, at: number): Token[] =>
  tokensOf(text.slice(at, at + reach).split(/[.;!?,](?:\s|$)/)[0] ?? "");

/** `With an income up to`: a bound on what somebody earns, owns or is insured for is no price. */
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

/** So many words around a percentage say what it is a part of. */
const near = 5;
const isCurrency = /^(?:eur|kc|czk|korun|usd|gbp|pln|zl|chf)/;

/** `fee of 0.3 % of the sum insured`: after a word for what is paid, and before one for what it is a part of. */
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

/** `0.3 % of the EUR 100,000`: an amount that another one is a part of. */
function isWhole(text: string, start: number, { lists, structure }: PriceWords): boolean {
  const [, between] =
    /(?:[%‰]|[cz]ent\p{L}*)(\s[^\d.;!?,]*)$/iu.exec(text.slice(Math.max(0, start - reach), start)) ?? [];
  return between !== undefined && areAll(between, [structure.prepositions, structure.determiners, lists.bases]);
}

/** `5 EUR per EUR 1,000`: whether what comes between two amounts makes the second one the unit of the first. */
const isRate = (between: string, { lists }: PriceWords): boolean =>
  between.length <= reach && (between.trim() === "/" || areAll(between, [lists.per, lists.every, lists.single]));

/** Whether what comes between two amounts adds the second one to the first. */
const isSum = (between: string, { lists }: PriceWords): boolean =>
  between.length <= closeBy &&
  !/[.;!?]\s|\b(?:or|nebo|alebo|oder|lub|albo)\b/i.test(between) &&
  (between.includes("+") || findIn(tokensOf(between), lists.adds) >= 0);

/** What is written of an amount, before anything is known of its period. */
function writtenOf({ groups = {} }: RegExpExecArray) {
  const { before: lead = "", after: tail = "", a, b = "", times: factor, kilo } = groups;
  const by = factor ?? kilo;
  const scale = by === undefined ? 1 : isMillion.test(by) ? 1e6 : 1_000;
  return { amount: (numberOf(a ?? b) * scale) / (isMinor.test(tail) ? 100 : 1), currency: codeOf(lead || tail) };
}

/** `5-8 EUR`: the first end has no currency of its own. */
function lowerEnd(text: string, match: RegExpExecArray): { readonly at: number; readonly part: number } | null {
  const from = Math.max(0, match.index - reach);
  const found = /(?<![\d.,])(\d+(?:[.,]\d{1,2})?)\s?(?:[-–—]|to|až|do|bis|and|und|a)\s?$/iu.exec(
    text.slice(from, match.index),
  );
  const [low, high] = [numberOf(found?.[1] ?? ""), numberOf(match.groups?.b ?? "")];
  return found && low < high ? { at: from + found.index, part: low / high } : null;
}

/** The upper end of a range, whose currency comes before the lower one or after both: `EUR 5-8`. */
function upperEnd(text: string, end: number, low: number): number {
  const [written = "", high = ""] = upper.exec(text.slice(end, end + reach)) ?? [];
  return numberOf(high) > low ? written.length : 0;
}

const isBetweenEnds = (between: string): boolean => /^\s?(?:[-–—]|to|až|až do|do|bis|and|a|und)\s?$/iu.test(between);

/** Whether an amount is the upper end of a range whose lower one is the amount before it. */
function isUpperEnd(previous: Money, between: string, amount: number, period: Period | null): boolean {
  const isOfOne = previous.period === null || period === null || previous.period === period;
  return isBetweenEnds(between) && isOfOne && amount > previous.amount / previous.times;
}

/** Where the words for what a percentage is a part of end. */
function wholeOf(text: string, end: number, { lists }: PriceWords): number {
  const tokens = wordsAfter(text, end);
  return end + (tokens[findIn(tokens, lists.bases, 0, near)]?.end ?? 0);
}

/** One amount of a text, with the one before it and where the next one is. */
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

/** A range's lower end is for what its upper one is for. */
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

/** Each amount of money in the text, and each part of a sum that is a price. */
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

/** The amount that each word is of, if any: in one pass over both. */
export function moneyByToken(tokens: readonly Token[], money: readonly Money[]): readonly (Money | undefined)[] {
  let next = 0;
  return tokens.map(({ start, end }) => {
    while (next < money.length && (money[next]?.end ?? 0) <= start) next += 1;
    const one = money[next];
    return one && one.start < end ? one : undefined;
  });
}
