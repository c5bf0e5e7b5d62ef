import type { Found, IcpText } from "./icp-text.ts";
import { comparators, joiners, staff, staffTitles, units, years } from "./icp-words.ts";

/** Headcounts and founding years in an ICP. */

export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** Returns the tolerance of "about" for a number. */
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

/** Returns the pattern of one or two numbers with their comparators, in the groups that `boundsIn` reads. */
const quantity = (number: string, filler: string): string =>
  `(?:(${before}) )?${filler}${number}(?: ${anyOf(joiners)} (?:(${before}) )?${number})?(?: (${after}))?`;

/** Returns the bounds of one number with its comparator; a decade spans ten years. */
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

/** Returns the bounds that a quantity's groups state. */
function boundsIn(groups: RegExpExecArray, spread: Spread): Bounds {
  const [, compared, first, decade, comparedToo, second, secondDecade, more, late] = groups;
  const one = boundsOf(kindOf(compared) ?? kindOf(more ?? late), Number(first), decade, spread);
  if (second === undefined) return one;
  const other = boundsOf(kindOf(comparedToo), Number(second), secondDecade, spread);
  // "From 5 to 50" is one range; "more than 5 and fewer than 50" is two bounds.
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
  // Sellers may be the targets themselves, so they count as headcount only if a firm is said to have them.
  pattern(`(?<=${edge.start}${anyOf(units.has)} )${count} ${title}${anyOf(units.sellers)}(?: (${after}))?`),
  pattern(`(?=${before}|\\d+ (?:${anyOf(joiners)}|[+]))${count} ${title}${anyOf(units.sellers)}(?: (${after}))?`),
];

const filler = `(?:${anyOf(years.fillers)} ){0,3}`;
const year = quantity("((?:1[5-9]|20)\\d\\d)((?: (?:s|er|ern))?)", filler);
const foundedPatterns: readonly RegExp[] = [
  pattern(`${anyOf(years.founded)},?(?: ${anyOf(years.fillers)}){0,3} ${year}`),
  pattern(`${year}(?: ${anyOf(years.fillers)}){0,2} ${anyOf(years.founded)}`),
  // Without the word "founded", a year counts only after a comparator.
  pattern(`(?=${before} )${year}`),
];

const allOf = (text: IcpText, patterns: readonly RegExp[], spread: Spread): Found<Bounds>[] =>
  patterns.flatMap((one) => text.matching(one)).map((found) => ({ ...found, value: boundsIn(found.value, spread) }));

/** Returns the headcounts that the text asks for. */
export const personsIn = (text: IcpText): Found<Bounds>[] => allOf(text, personPatterns, aFifth);
/** Returns the founding years that the text asks for. Read after headcounts: "over 1600 employees" is not a year. */
export const foundedIn = (text: IcpText): Found<Bounds>[] => allOf(text, foundedPatterns, fiveYears);

/** Returns bounds in words: "at least 5", "5 to 50". */
export const boundsText = ({ from, to }: Bounds): string => {
  if (from === null) return `at most ${to}`;
  if (to === null) return `at least ${from}`;
  return from === to ? String(from) : `${from} to ${to}`;
};
/** Whether a number is within bounds, inclusive. */
export const isWithin = (value: number, { from, to }: Bounds): boolean =>
  (from === null || value >= from) && (to === null || value <= to);
