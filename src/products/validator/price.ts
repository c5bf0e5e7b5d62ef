import { fold } from "../../platform/text.ts";
import { findIn, type Token, tokensOf, type WordLists } from "./words.ts";

export type Period = "day" | "week" | "month" | "year" | "once";

/** A price as a hypothesis names it. Free: an amount of 0 without currency and period. */
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

const amount = String.raw`\d{1,3}(?:[ .,\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)`;
const currency = String.raw`€|euros?|eur[aáo]?|Kč|CZK|korun[ayu]?|korún|\$|USD|dollars?|dolar\p{L}*|£|GBP|pounds?|zł|PLN|CHF`;
const money = new RegExp(
  String.raw`(?<sign>(?<=^|[\s(])[-−–]\s?)?(?:(?<before>${currency})\s?(?<inner>[-−–])?(?<a>${amount})|(?<b>${amount})\s?(?<times>tisíc|tis\.|thousand|tausend|k)?\s?(?<after>${currency})(?![\p{L}]))`,
  "giu",
);

const codes: readonly (readonly [RegExp, string])[] = [
  [/^(€|eur)/i, "EUR"],
  [/^(kč|czk|kor)/i, "CZK"],
  [/^(\$|usd|dol)/i, "USD"],
  [/^(£|gbp|pou)/i, "GBP"],
  [/^(zł|pln)/i, "PLN"],
  [/^chf/i, "CHF"],
];
const codeOf = (text: string): string | null => codes.find(([form]) => form.test(text))?.[1] ?? null;

/** A number in the writing of any of the four languages: `1,200`, `1.200`, `1 200`, `19,90`. */
export function numberOf(text: string): number {
  const bare = text.replace(/[ \u00a0\u202f]/g, "");
  const decimal = /[.,](\d{1,2})$/.exec(bare);
  const whole = (decimal ? bare.slice(0, -decimal[0].length) : bare).replace(/[.,]/g, "");
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
}

const reach = 32;
const closeBy = 80;

/** The period that the words name first, if any. */
function periodIn(text: string, { periods }: WordLists, last = false): Period | null {
  const tokens: Token[] = tokensOf(text);
  const found = (Object.keys(periods) as Period[]).flatMap((period) => {
    const at = findIn(tokens, periods[period]);
    return at < 0 ? [] : [{ period, at }];
  });
  const [nearest] = found.sort((a, b) => (last ? b.at - a.at : a.at - b.at));
  return nearest?.period ?? null;
}

/** The words behind an amount up to the end of what it belongs to, and else the words before it. */
function periodOf(text: string, start: number, end: number, lists: WordLists): Period | null {
  const behind = text.slice(end, end + reach).split(/[.;,!?](?:\s|$)|\d|\b(?:or|nebo|alebo|oder)\b/i)[0] ?? "";
  const before =
    text
      .slice(Math.max(0, start - closeBy), start)
      .split(/[.;!?]\s/)
      .at(-1) ?? "";
  return periodIn(behind, lists) ?? periodIn(before, lists, true);
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

/** What the text says about a price. Several that disagree: the first counts, and it is said. */
export function readPrice(text: string, lists: WordLists): PriceReading {
  const prices: Price[] = [];
  let negative = false;
  for (const match of text.matchAll(money)) {
    const { sign, inner, before = "", after = "", a, b, times } = match.groups ?? {};
    const value = numberOf(a ?? b ?? "") * (times === undefined ? 1 : 1_000);
    if (sign !== undefined || inner !== undefined) negative = true;
    else if (Number.isFinite(value)) {
      const period = periodOf(text, match.index, match.index + match[0].length, lists);
      prices.push({ amount: value, currency: codeOf(before || after), period });
    }
  }
  const [first, ...others] = prices;
  if (first) return { price: first, contradictory: others.some((other) => !agree(first, other)), negative };
  const isFree = !negative && findIn(tokensOf(fold(text)), lists.free) >= 0;
  return { price: isFree ? { amount: 0, currency: null, period: null } : null, contradictory: false, negative };
}
