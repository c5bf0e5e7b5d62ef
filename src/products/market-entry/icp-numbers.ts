import type { Found, IcpText } from "./icp-text.ts";
import { comparators, joiners, staff, staffTitles, units, years } from "./icp-words.ts";

/** Numbers of persons and years of foundation in an ICP. */

export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** How far from a number "about" goes. */
type Spread = (value: number) => number;
const aFifth: Spread = (value) => Math.ceil(value / 5);
const fiveYears: Spread = () => 5;

const escaped = (phrase: string): string => phrase.replace(/[+]/g, "\\$&").replaceAll("*", "\\p{L}*");
const anyOf = (phrases: readonly string[]): string =>
  `(?:${phrases
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|")})`;

const kinds = Object.entries(comparators).map(([kind, phrases]) => ({
  kind,
  is: new RegExp(`^${anyOf(phrases)}$`, "u"),
}));
const kindOf = (phrase: string | undefined): string | undefined =>
  phrase === undefined ? undefined : kinds.find(({ is }) => is.test(phrase))?.kind;

const before = anyOf([
  ...comparators.above,
  ...comparators.least,
  ...comparators.below,
  ...comparators.most,
  ...comparators.near,
  ...comparators.exact,
]);
const after = anyOf([...comparators.orMore, ...comparators.orLess]);

/** A number, or two, with what compares them: the groups `boundsIn` reads. */
const quantity = (number: string, filler: string): string =>
  `(?:(${before}) )?${filler}${number}(?: ${anyOf(joiners)} (?:(${before}) )?${number})?(?: (${after}))?`;

/** The bounds of one number by what compares it; a decade has ten years. */
function boundsOf(kind: string | undefined, value: number, decade: string | undefined, spread: Spread): Bounds {
  const last = decade ? value + 9 : value;
  if (kind === "above") return { from: last + 1, to: null };
  if (kind === "least" || kind === "orMore") return { from: value, to: null };
  if (kind === "below") return { from: null, to: value - 1 };
  if (kind === "most" || kind === "orLess") return { from: null, to: last };
  if (kind === "near") return { from: value - spread(value), to: last + spread(value) };
  return { from: value, to: last };
}

const narrower = (a: number | null, b: number | null, pick: (...of: number[]) => number): number | null =>
  a === null ? b : b === null ? a : pick(a, b);

/** What the groups of a quantity come to. */
function boundsIn(groups: RegExpExecArray, spread: Spread): Bounds {
  const [, compared, first, decade, comparedToo, second, secondDecade, more, late] = groups;
  const one = boundsOf(kindOf(compared) ?? kindOf(more ?? late), Number(first), decade, spread);
  if (second === undefined) return one;
  const other = boundsOf(kindOf(comparedToo), Number(second), secondDecade, spread);
  // "From 5 to 50" is a range; "more than 5 and fewer than 50" are two bounds.
  if (comparedToo === undefined) return { from: Number(first), to: other.to };
  return { from: narrower(one.from, other.from, Math.max), to: narrower(one.to, other.to, Math.min) };
}

const edge = { start: "(?<![\\p{L}\\p{N}])", end: "(?![\\p{L}\\p{N}])" };
const pattern = (...parts: readonly string[]): RegExp => new RegExp(edge.start + parts.join(" ") + edge.end, "gu");

const count = quantity("(\\d{1,7})()", "");
const title = `(?:${anyOf(staffTitles)} )?`;
const personPatterns: readonly RegExp[] = [
  pattern(`${count} (?:- )?${title}${anyOf(staff)}(?: (${after}))?`),
  pattern(`${anyOf([...staff, ...units.counts])},?(?: ${anyOf(units.links)})? ${count}`),
  // People who sell may be the targets themselves, unless it is said that a firm has them.
  pattern(`(?<=${edge.start}${anyOf(units.has)} )${count} ${title}${anyOf(units.sellers)}(?: (${after}))?`),
  pattern(`(?=${before}|\\d+ (?:${anyOf(joiners)}|[+]))${count} ${title}${anyOf(units.sellers)}(?: (${after}))?`),
];

const filler = `(?:${anyOf(years.fillers)} ){0,3}`;
const year = quantity("((?:1[5-9]|20)\\d\\d)((?: (?:s|er|ern))?)", filler);
const foundedPatterns: readonly RegExp[] = [
  pattern(`${anyOf(years.founded)},?(?: ${anyOf(years.fillers)}){0,3} ${year}`),
  pattern(`${year}(?: ${anyOf(years.fillers)}){0,2} ${anyOf(years.founded)}`),
  // Without the word, a year says so where something compares it.
  pattern(`(?=${before} )${year}`),
];

const allOf = (text: IcpText, patterns: readonly RegExp[], spread: Spread): Found<Bounds>[] =>
  patterns.flatMap((one) => text.matching(one)).map((found) => ({ ...found, value: boundsIn(found.value, spread) }));

/** How many persons work there, as far as the text says so. */
export const personsIn = (text: IcpText): Found<Bounds>[] => allOf(text, personPatterns, aFifth);
/** When it was founded. Read after the persons: "over 1600 employees" is no year. */
export const foundedIn = (text: IcpText): Found<Bounds>[] => allOf(text, foundedPatterns, fiveYears);

/** Bounds as a demand is told to its reader: "at least 5", "5 to 50". */
export const boundsText = ({ from, to }: Bounds): string => {
  if (from === null) return `at most ${to}`;
  if (to === null) return `at least ${from}`;
  return from === to ? String(from) : `${from} to ${to}`;
};
/** Whether a row's number is within bounds, both ends included. */
export const isWithin = (value: number, { from, to }: Bounds): boolean =>
  (from === null || value >= from) && (to === null || value <= to);
