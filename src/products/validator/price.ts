import { fold } from "../../platform/text.ts";
import { findIn, matchAt, type Structure, type Token, tokensOf, type WordLists } from "./words.ts";

export type Period = "day" | "week" | "month" | "year" | "once";

/** A price as a hypothesis names it. Free: an amount of 0 without currency and period. Of a range, the lower end. */
export interface Price {
  readonly amount: number;
  readonly currency: string | null;
  readonly period: Period | null;
}

/** What a hypothesis says about its price. */
export interface PriceReading {
  readonly price: Price | null;
  /** It names several prices that do not agree. */
  readonly contradictory: boolean;
  /** It names one below zero. */
  readonly negative: boolean;
}

/** An amount of money where it stands in a text, in characters. */
export interface Money extends Price {
  readonly start: number;
  readonly end: number;
  readonly isNegative: boolean;
  /** The upper end of a range whose lower one comes before it. */
  readonly isUpper: boolean;
  /** What somebody earns, saves or is insured for; what another thing costs. */
  readonly isOther: boolean;
}

const digits = String.raw`\d{1,3}(?:[ .,\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)`;
const currency = String.raw`€|euros?|eur[aáoy]?|eurami|Kč|kc|CZK|korun[ayu]?|korún|\$|USD|dollars?|bucks|dolar\p{L}*|£|GBP|pounds?|quid|zł|zlot\p{L}{1,4}|PLN|CHF|SFr|francs|Franken`;
const minor = "cents?|centov|centy|centů|ct|pence|halierov|haléřů";
const times = String.raw`tisíc[ei]?|tisic|tis\.|thousand|tausend|Tsd\.|k(?![\p{L}])`;
const money = new RegExp(
  String.raw`(?<sign>(?<=^|[\s(])(?:[-−–]\s?|minus\s|mínus\s))?(?:(?<before>${currency})\s?(?<inner>[-−–])?(?<a>${digits})(?:\s?(?<kilo>${times}))?|(?<b>${digits})(?:,[-–—])?\s?(?:(?<times>${times})\s?)?(?<after>${currency}|${minor})(?![\p{L}]))`,
  "giu",
);

const codes: readonly (readonly [RegExp, string])[] = [
  [/^(€|eur)/i, "EUR"],
  [/^(kč|kc|czk|kor|hal[eé])/i, "CZK"],
  [/^(\$|usd|dol|buck)/i, "USD"],
  [/^(£|gbp|pou|quid|pence)/i, "GBP"],
  [/^(zł|zlot|pln)/i, "PLN"],
  [/^(chf|sfr|fran)/i, "CHF"],
  [/^cent(?!s?$)/i, "EUR"],
];
const codeOf = (text: string): string | null => codes.find(([form]) => form.test(text))?.[1] ?? null;
const isMinor = new RegExp(`^(?:${minor})$`, "iu");

/** A number in the writing of any of the four languages: `1,200`, `1.200`, `1 200`, `19,90`. */
export function numberOf(text: string): number {
  const bare = text.replace(/[ \u00a0\u202f]/g, "");
  const decimal = /[.,](\d{1,2})$/.exec(bare);
  const whole = (decimal ? bare.slice(0, -decimal[0].length) : bare).replace(/[.,]/g, "");
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
}

const reach = 32;
const closeBy = 80;

/** Words of one language for what a price is made of. */
export interface PriceWords {
  readonly lists: Pick<WordLists, "periods">;
  readonly structure: Pick<Structure, "numerals" | "quarters" | "bounds" | "limits">;
}

/** A text's words and all its amounts. */
interface Priced {
  readonly tokens: readonly Token[];
  readonly lists: Pick<WordLists, "free">;
  readonly money: readonly Money[];
}

/** A period as it is said; a quarter of a year is four times a year's price. */
type Said = { readonly period: Period; readonly times: number };

/** The period that the words name first, or last, if any. */
function periodIn(text: string, { lists, structure }: PriceWords, last = false): Said | null {
  if (!/\p{L}/u.test(text)) return null;
  const tokens = tokensOf(text);
  const found = (Object.keys(lists.periods) as Period[]).flatMap((period) => {
    const at = findIn(tokens, lists.periods[period]);
    return at < 0 ? [] : [{ period, times: 1, at }];
  });
  const quarter = findIn(tokens, structure.quarters);
  const all = quarter < 0 ? found : [...found, { period: "year" as const, times: 4, at: quarter }];
  const [nearest] = all.sort((a, b) => (last ? b.at - a.at : a.at - b.at));
  return nearest ?? null;
}

/** The words after an amount up to the end of what it belongs to, and else the words before it. */
function periodOf(text: string, start: number, end: number, words: PriceWords): Said | null {
  const after = text.slice(end, end + reach).split(/[.;,!?](?:\s|$)|\d|\b(?:or|nebo|alebo|oder)\b/i)[0] ?? "";
  const before =
    text
      .slice(Math.max(0, start - closeBy), start)
      .split(/[.;!?]\s/)
      .at(-1) ?? "";
  return periodIn(after, words) ?? periodIn(before, words, true);
}

/** Times a year that a price of the period is paid. A daily one is taken for ten days. */
export const timesAYear: Readonly<Record<Period, number>> = { day: 10, week: 52, month: 12, year: 1, once: 1 };

/** Two prices agree where a year at the one costs about what a year at the other does. */
function agree(one: Price, other: Price): boolean {
  if (one.currency !== other.currency) return false;
  const year = ({ amount, period }: Price) => amount * timesAYear[period ?? "once"];
  const ratio = year(one) / year(other);
  return ratio > 0.8 && ratio < 1.25;
}

/** `With an income up to`: a bound on what somebody earns, owns or is insured for is no price. */
const isBound = (text: string, start: number, { structure }: PriceWords): boolean => {
  const tokens = tokensOf(
    text
      .slice(Math.max(0, start - reach), start)
      .split(/[.;!?,]\s/)
      .at(-1) ?? "",
  );
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

/** Number words before a currency as digits of the same length, so that places in the text stay what they are. */
function withDigits(text: string, { structure }: PriceWords): string {
  const numerals: Readonly<Record<string, number>> = structure.numerals;
  return text.replace(
    new RegExp(String.raw`(?<![\p{L}\p{N}]|\d\s)(\p{L}{2,20})(?=[\s-](?:${currency}|${minor})(?![\p{L}]))`, "giu"),
    (word) => {
      const value = numerals[fold(word)];
      const written = String(value ?? "");
      return value === undefined || written.length > word.length ? word : written.padStart(word.length, " ");
    },
  );
}

/** Each amount of money in the text. */
export function moneyIn(given: string, words: PriceWords): Money[] {
  const text = withDigits(given, words);
  const found: Money[] = [];
  for (const match of text.matchAll(money)) {
    const { sign, inner, before = "", after = "", a, b, times: thousands, kilo } = match.groups ?? {};
    const [start, end] = [match.index, match.index + match[0].length];
    const written = numberOf(a ?? b ?? "") * (thousands === undefined && kilo === undefined ? 1 : 1_000);
    if (!Number.isFinite(written)) continue;
    const said = periodOf(text, start, end, words);
    const value = (isMinor.test(after) ? written / 100 : written) * (said?.times ?? 1);
    const previous = found.at(-1);
    const between = previous ? text.slice(previous.end, start) : "";
    const isRange = /^\s?(?:[-–—]|to|až|až do|do|bis|and|a|und)\s?$/iu.test(between);
    // `5-8 EUR`: the first end has no currency of its own.
    const low = /(?<![\d.,])(\d+(?:[.,]\d{1,2})?)\s?(?:[-–—]|to|až|do|bis|and|und|a)\s?$/iu.exec(
      text.slice(Math.max(0, start - reach), start),
    );
    const isLow = low !== null && b !== undefined && numberOf(low[1] ?? "") < numberOf(b);
    const isNegative =
      (sign !== undefined && !/\d\s?$/.test(text.slice(Math.max(0, start - 2), start))) || inner !== undefined;
    found.push({
      ...{ start: isLow ? Math.max(0, start - reach) + low.index : start, end, isNegative },
      amount: isLow ? (numberOf(low[1] ?? "") * value) / numberOf(b ?? "") : value,
      currency: codeOf(before || after),
      period: said?.period ?? null,
      isUpper: isRange,
      isOther: isBound(text, start, words),
    });
  }
  return found;
}

/** What amounts say about a price. Several that disagree: the first counts, and it is said. */
export function readPrice({ tokens, lists, money: all }: Priced, amounts: readonly Money[]): PriceReading {
  const negative = all.some(({ isNegative }) => isNegative);
  const able = amounts.filter(({ isNegative, isUpper, isOther }) => !isNegative && !isUpper && !isOther);
  const [first, ...others] = able.map(({ amount, currency, period }) => ({ amount, currency, period }));
  if (first) return { price: first, contradictory: others.some((other) => !agree(first, other)), negative };
  const isFree = !negative && findIn(tokens, lists.free) >= 0;
  return { price: isFree ? { amount: 0, currency: null, period: null } : null, contradictory: false, negative };
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
