import type { PriceWords, Said } from "./price-words.ts";
import { findIn, matchAt, type Token, tokensOf } from "./words.ts";

/** The unit that a price is for, other than a period. */
export interface Unit {
  /**
   * Whether the quantity is unknown, so that the price of one says nothing: a kilometre, an hour. Otherwise one item,
   * person or occasion.
   */
  readonly isMeasure: boolean;
}

/** A match at a token, with the index of the token after it. */
type At<T> = T & { readonly to: number };

/** A piece of text with its tokens and word lists. */
interface Piece extends PriceWords {
  readonly text: string;
  readonly tokens: readonly Token[];
}

const spans = ["day", "week", "month", "year"] as const;
const inAYear: Readonly<Record<(typeof spans)[number], number>> = { day: 365, week: 52, month: 12, year: 1 };

const isAfterSlash = ({ text, tokens }: Piece, at: number): boolean =>
  text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start).includes("/");

const numberAt = ({ tokens, numerals }: Piece, at: number): number | undefined => {
  const word = tokens[at]?.word ?? "";
  return /^\d{1,3}$/.test(word) ? Number(word) : numerals[word];
};

/** Matches `monthly`, `half a year`. */
function plainAt({ tokens, named, periods }: Piece, at: number): At<Said> | null {
  if (matchAt(tokens, at, periods) === 0) return null;
  const found = named.map(({ words, ...said }) => ({ ...said, to: at + matchAt(tokens, at, words) }));
  const longest = found.reduce((most, one) => (one.to > most.to ? one : most));
  return longest;
}

/** Matches `every six months`, `alle zwei Wochen`, `for two years`. A one-off term of days or weeks is not a period. */
function spanAt(piece: Piece, at: number): At<Said> | null {
  const { tokens, lists } = piece;
  const [every, term] = [matchAt(tokens, at, lists.every), matchAt(tokens, at, lists.terms)];
  const isRepeated = every > 0 || isAfterSlash(piece, at);
  if (!isRepeated && term === 0) return null;
  const from = at + Math.max(every, term);
  const count = lists.ordinals[tokens[from]?.word ?? ""] ?? numberAt(piece, from);
  const span = spans.find((name) => matchAt(tokens, from + 1, lists.spans[name]) > 0);
  if (!count || span === undefined || (!isRepeated && (span === "day" || span === "week"))) return null;
  const to = from + 2;
  return count === 1 ? { period: span, times: 1, to } : { period: "year", times: inAYear[span] / count, to };
}

/** Matches a frequency within a period: `twice a year`, `2x ročně`, `once a month`. */
function oftenAt(piece: Piece, at: number): At<Said> | null {
  const { tokens, lists, structure } = piece;
  const word = tokens[at]?.word ?? "";
  const counted = numberAt(piece, at);
  const isCounted = counted !== undefined && matchAt(tokens, at + 1, structure.repeats) > 0;
  const [, digits] = /^(\d{1,3})-?(?:x|mal|krat)$/.exec(word) ?? [];
  const count = isCounted ? counted : (lists.often[word] ?? (digits === undefined ? undefined : Number(digits)));
  if (!count) return null;
  let from = at + (isCounted ? 2 : 1);
  const said = () => spanAt(piece, from) ?? plainAt(piece, from);
  for (let links = 0; links < 2 && said() === null && matchAt(tokens, from, lists.links) > 0; links++) from += 1;
  const base = said();
  return base && base.period !== "once" ? { ...base, times: base.times * count } : null;
}

function periodAt(piece: Piece, at: number): At<Said> | null {
  const found = oftenAt(piece, at) ?? spanAt(piece, at) ?? plainAt(piece, at);
  // `each quarter`: `each` alone means paid once.
  const next = found?.period === "once" ? plainAt(piece, found.to) : null;
  return next && next.period !== "once" ? next : found;
}

/**
 * Matches `per kilometre`, `/user`, `an hour`, `za každou jízdu`. Before an amount, only listed words match, not `an
 * hour`.
 */
function unitAt(piece: Piece, at: number, isBefore = false): At<Unit> | null {
  const { tokens, lists, structure } = piece;
  const measured = matchAt(tokens, at, lists.measured);
  if (measured > 0) return { isMeasure: true, to: at + measured };
  const isSlash = isAfterSlash(piece, at);
  const [per, single] = [lists.per, isBefore ? lists.every : lists.single].map((list) => matchAt(tokens, at, list));
  const lead = Math.max(per ?? 0, single ?? 0);
  let from = isSlash ? at : at + lead;
  if (from >= tokens.length || (lead === 0 && !isSlash)) return null;
  const isCounted = (numberAt(piece, from) ?? 1) > 1;
  if (numberAt(piece, from) !== undefined) from += 1;
  const isLink = [structure.joins, structure.prepositions].some((list) => matchAt(tokens, from + 1, list) > 0);
  // `per calendar month`, `per insured person`
  const isOne = !isLink && !isAfterSlash(piece, from + 1);
  if (periodAt(piece, from) || (isOne && periodAt(piece, from + 1))) return null;
  const noun = [from, ...(isOne ? [from + 1] : [])];
  const has = (list: readonly string[]) => noun.findLast((place) => matchAt(tokens, place, list) > 0);
  const [measure, thing] = [has(lists.measures), has(lists.pieces)];
  // A price per item of the offer itself is the offer's price.
  if (measure === undefined && has(lists.itself) !== undefined) return null;
  if (measure === undefined && thing === undefined && (isBefore || per === 0) && !isSlash) return null;
  return { isMeasure: measure !== undefined || isCounted, to: Math.min(tokens.length, (measure ?? thing ?? from) + 1) };
}

/** What the words before or after an amount say about it. */
export interface Around {
  readonly said: Said | null;
  readonly unit: Unit | null;
  /** End of the match, in characters after the amount. */
  readonly end: number;
}

const nothing: Around = { said: null, unit: null, end: 0 };

/**
 * Returns the period nearest after the amount, and the unit, which must directly follow the amount or its period.
 * Another number ends the search.
 */
export function after(text: string, words: PriceWords): Around {
  const piece: Piece = { ...words, text, tokens: tokensOf(text) };
  const { tokens, lists, structure } = piece;
  let { said, unit, end }: Around = nothing;
  let isNext = true;
  for (let at = 0; at < tokens.length; ) {
    const period = periodAt(piece, at);
    // `per trip` counts as paid once, and also names the unit.
    const one = isNext && (period === null || period.period === "once") ? unitAt(piece, at) : null;
    const to = Math.max(period?.to ?? at, one?.to ?? at);
    if (to > at) {
      const isNews = (period !== null && said === null) || (one !== null && unit === null);
      said ??= period;
      unit ??= one;
      if (isNews && isNext) end = tokens[to - 1]?.end ?? end;
      at = to;
    } else if (/^\d/.test(tokens[at]?.word ?? "")) break;
    else {
      isNext &&= [structure.joins, lists.adds].some((list) => matchAt(tokens, at, list) > 0) || isLead(piece, at);
      at += 1;
    }
  }
  return { said, unit, end };
}

/** Whether a token leads to a period: `in the`, `v`, `payable`. */
const isLead = ({ tokens, lists, structure }: Piece, at: number): boolean =>
  [structure.prepositions, lists.links, lists.every, lists.payable].some((list) => matchAt(tokens, at, list) > 0) &&
  matchAt(tokens, at, lists.terms) === 0;

/** Maximum number of words between a period and an amount that certainly belong together. */
const close = 2;

/**
 * Returns the last period before an amount. What people do every day before they would pay is not part of the price.
 */
export function before(text: string, isStart: boolean, words: PriceWords): Around {
  const piece: Piece = { ...words, text, tokens: tokensOf(text) };
  const { tokens, structure } = piece;
  let { said, unit }: Around = nothing;
  for (let at = 0; at < tokens.length; ) {
    const period = periodAt(piece, at);
    const found = period ?? unitAt(piece, at, true);
    const to = found?.to ?? at + 1;
    const isApart = tokens.length - to > close && !(isStart && at < close);
    const isOthers = [structure.modals, structure.acquires].some((list) => findIn(tokens, list, to) >= 0);
    if (period && !(isApart && isOthers)) said = period;
    else if (found && "isMeasure" in found && !isApart) unit = found;
    at = to;
  }
  return { said, unit, end: 0 };
}
