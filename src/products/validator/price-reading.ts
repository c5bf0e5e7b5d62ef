import type { Money, Price } from "./price.ts";
import type { Period } from "./price-words.ts";
import { findIn, type Token, type WordLists } from "./words.ts";

/** What had to be assumed about a price, or why none was read. */
export type PriceRemark = "measure" | "percent" | "piece" | "no_period" | "daily" | "range" | "first_year";

/** A remark, with the words it concerns. */
export interface Remarked {
  readonly remark: PriceRemark;
  readonly words: string;
}

/** What a hypothesis says about its price. */
export interface PriceReading {
  readonly price: Price | null;
  /** Whether it names several prices that disagree. */
  readonly contradictory: boolean;
  /** Whether it names a price below zero. */
  readonly negative: boolean;
  readonly remarks: readonly Remarked[];
}

/** A text's tokens and all of its amounts. */
interface Priced {
  readonly tokens: readonly Token[];
  readonly lists: Pick<WordLists, "free">;
  readonly money: readonly Money[];
}

/** Payments a year by period. A daily price is assumed for ten days. */
export const timesAYear: Readonly<Record<Period, number>> = { day: 10, week: 52, month: 12, year: 1, once: 1 };

const yearOf = ({ amount, period }: Price): number => amount * timesAYear[period ?? "once"];

/** Whether two prices agree: their yearly costs are within about 20 to 25 percent. */
function agree(one: Price, other: Price): boolean {
  if (one.currency !== other.currency) return false;
  const ratio = yearOf(one) / yearOf(other);
  return ratio > 0.8 && ratio < 1.25;
}

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/** Returns the cost of the first year, from a one-off and a recurring payment. */
function firstYear(one: Money, other: Money): Price | null {
  const isOnce = [one, other].filter(({ period }) => period === "once").length === 1;
  const isAgain = [one, other].every(({ period }) => period !== null);
  if (!other.isAdded || !isOnce || !isAgain || one.currency !== other.currency) return null;
  return { amount: rounded(yearOf(one) + yearOf(other)), currency: one.currency, period: "year" };
}

const priceOf = ({ amount, currency, period }: Money): Price => ({ amount, currency, period });

/** Returns the assumptions made about the amount that is the price. */
function remarksOn({ words, unit, period, isLower, amount }: Money): Remarked[] {
  const said: readonly (readonly [PriceRemark, boolean])[] = [
    ["piece", unit !== null],
    ["no_period", unit === null && period === null && amount > 0],
    ["daily", period === "day"],
    ["range", isLower],
  ];
  return said.flatMap(([remark, isSo]) => (isSo ? [{ remark, words }] : []));
}

/**
 * Returns the price that the amounts state. If several disagree, the first one counts and the result is contradictory.
 */
export function readPrice({ tokens, lists, money: all }: Priced, amounts: readonly Money[]): PriceReading {
  const negative = all.some(({ isNegative }) => isNegative);
  const able = amounts.filter(({ isNegative, isUpper, isOther }) => !isNegative && !isUpper && !isOther);
  const isUncounted = ({ unit, isPercent }: Money) => isPercent || unit?.isMeasure === true;
  const uncounted = able
    .filter(isUncounted)
    .map(({ isPercent, words }): Remarked => ({ remark: isPercent ? "percent" : "measure", words }));
  const [first, ...others] = able.filter((one) => !isUncounted(one));
  if (!first) {
    const isFree = !negative && uncounted.length === 0 && findIn(tokens, lists.free) >= 0;
    const price = isFree ? { amount: 0, currency: null, period: null } : null;
    return { price, contradictory: false, negative, remarks: uncounted };
  }
  const [second] = others;
  const sum = second && others.length === 1 ? firstYear(first, second) : null;
  if (second && sum) {
    const both = { remark: "first_year" as const, words: `${first.words} + ${second.words}` };
    const more = [first, second].flatMap(remarksOn);
    return { price: sum, contradictory: false, negative, remarks: [both, ...more, ...uncounted] };
  }
  return {
    price: priceOf(first),
    contradictory: others.some((other) => !agree(first, other)),
    negative,
    remarks: [...remarksOn(first), ...uncounted],
  };
}
