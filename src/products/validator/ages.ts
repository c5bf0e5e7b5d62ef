import type { Span } from "./clauses.ts";
import measures from "./data/measures.json";
import { type Description, gapAt, isDenied, isFunctionWord, isPeople, matchBefore } from "./described-text.ts";
import { findIn, matchAt } from "./words.ts";

/** A range of ages in whole years, both ends inclusive. */
export interface AgeRange {
  readonly youngest: number;
  readonly oldest: number;
}

export const anyAge: AgeRange = { youngest: 0, oldest: Number.POSITIVE_INFINITY };

/** Returns the intersection of two age ranges; it may be empty (see `isNobody`). */
export const overlap = (a: AgeRange, b: AgeRange): AgeRange => ({
  youngest: Math.max(a.youngest, b.youngest),
  oldest: Math.min(a.oldest, b.oldest),
});
/** Returns the non-empty intersections of each range in `some` with each range in `others`. */
export const overlaps = (some: readonly AgeRange[], others: readonly AgeRange[]): AgeRange[] =>
  some.flatMap((one) => others.map((other) => overlap(one, other))).filter((one) => !isNobody(one));
/** Whether an age range is empty. */
export const isNobody = ({ youngest, oldest }: AgeRange): boolean => youngest > oldest;

/** An age range found in a text, with its position. */
interface Written extends Span, AgeRange {
  /** Whether a word says that the numbers are ages. */
  readonly isNamed: boolean;
  /** Whether it is a range or a bound; a bare number may be anything. */
  readonly isBounded: boolean;
}

type Bound = "over" | "from" | "under" | "to";
const bounds: readonly Bound[] = ["over", "from", "under", "to"];
const bounded: Readonly<Record<Bound, (age: number) => AgeRange>> = {
  over: (age) => ({ ...anyAge, youngest: age + 1 }),
  from: (age) => ({ ...anyAge, youngest: age }),
  under: (age) => ({ ...anyAge, oldest: age - 1 }),
  to: (age) => ({ ...anyAge, oldest: age }),
};
const between = (one: number, other: number): AgeRange => ({
  youngest: Math.min(one, other),
  oldest: Math.max(one, other),
});

/** Returns the number at a token: up to three digits, or a number word. `undefined` if there is none. */
export function numberAt({ tokens, structure }: Description, at: number): number | undefined {
  const word = tokens[at]?.word ?? "";
  return /^\d{1,3}$/.test(word) ? Number(word) : structure.numerals[word];
}

/** Whether a bound such as `over`, followed by a number, starts at a token. */
export const isBound = (description: Description, at: number): boolean =>
  bounds.some((name) => {
    const length = matchAt(description.tokens, at, description.lists.ages[name]);
    return length > 0 && numberAt(description, at + length) !== undefined;
  });

/** Returns the words that lead to a number: a bound, and before it a word for age. */
function leadOf(description: Description, at: number) {
  const { ages } = description.lists;
  const [bound] = bounds
    .map((name) => ({ name, length: matchBefore(description, at, ages[name]) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length);
  const pair = bound ? 0 : matchBefore(description, at, ages.between);
  const start = at - (bound?.length ?? pair);
  const named = matchBefore(description, start, ages.age);
  return { bound: bound?.name, isPair: pair > 0, isNamed: named > 0, from: start - named };
}

/** Returns how many words for years start at a token and whether they denote an age. */
function unitAt({ tokens, lists }: Description, at: number) {
  const age = matchAt(tokens, at, lists.ages.old);
  return { length: Math.max(age, matchAt(tokens, at, lists.ages.years)), isAge: age > 0 };
}

/** Returns the index of a range's second number; `undefined` if there is none. */
function secondAt(description: Description, first: number, isPair: boolean): number | undefined {
  const { tokens, lists, structure } = description;
  const after = first + 1 + unitAt(description, first + 1).length;
  const linked = matchAt(tokens, after, lists.ages.linked);
  const link = linked === 0 && isPair ? matchAt(tokens, after, structure.joins) : linked;
  const isNext = link > 0 || /^\s*[-–—]\s*$/.test(gapAt(description, after));
  return isNext && numberAt(description, after + link) !== undefined ? after + link : undefined;
}

/** Returns the range that a number and the words after it form: `60+`, `60 and over`, `60s`. `undefined` if none. */
function tailOf(description: Description, at: number, age: number, bound: Bound | undefined) {
  const { text, tokens, lists } = description;
  const to = at + 1 + unitAt(description, at + 1).length;
  if (text[tokens[at]?.end ?? text.length] === "+") return { ...bounded.from(age), to };
  // In `over 18 and under 30`, `under` belongs to the second number.
  const tail = (list: readonly string[]) => {
    const length = matchAt(tokens, to, list);
    return numberAt(description, to + length) === undefined ? length : 0;
  };
  const [more, less] = [tail(lists.ages.more), tail(lists.ages.less)];
  if (more > 0) return { ...bounded.from(age), to: to + more };
  if (less > 0) return { ...bounded.to(age), to: to + less };
  const decade = gapAt(description, at + 1) === "" ? matchAt(tokens, at + 1, lists.ages.decade) : 0;
  if (decade === 0) return undefined;
  // `the over 60s` means from 61 up, not a decade.
  const range = bound ? bounded[bound](age) : age % 10 === 0 ? between(age, age + 9) : between(age, age);
  return { ...range, to: at + 1 + decade };
}

function writtenAt(description: Description, at: number): Written | undefined {
  const age = numberAt(description, at);
  if (age === undefined) return undefined;
  const { bound, isPair, isNamed: isAge, from } = leadOf(description, at);
  const second = secondAt(description, at, isPair);
  const last = second ?? at;
  const unit = unitAt(description, last + 1);
  const isNamed = isAge || unit.isAge || unitAt(description, at + 1).isAge;
  const to = last + 1 + unit.length;
  const other = second === undefined ? undefined : numberAt(description, second);
  if (other !== undefined) return { ...between(age, other), from, to, isNamed, isBounded: true };
  const tail = tailOf(description, at, age, bound);
  if (tail) return { from, isNamed, isBounded: true, ...tail };
  const range = bound ? bounded[bound](age) : between(age, age);
  return { ...range, from, to, isNamed, isBounded: bound !== undefined };
}

/** Returns the range of a word such as `thirties`. */
function decadeAt({ tokens, lists }: Description, at: number): Written | undefined {
  for (const [decade, words] of Object.entries(lists.ages.decades)) {
    const length = matchAt(tokens, at, words);
    const first = Number(decade);
    if (length > 0) return { ...between(first, first + 9), from: at, to: at + length, isNamed: true, isBounded: true };
  }
  return undefined;
}

/** Plausible ages of an adult: without a word for age, only numbers in this range count as ages. */
const grown: AgeRange = { youngest: 14, oldest: 110 };

/** Whether numbers are ages: marked as ages, or next to people and not followed by a unit or other noun. */
function areAges(description: Description, { from, to, isNamed, isBounded, youngest, oldest }: Written): boolean {
  const { tokens, text, structure } = description;
  if (isNamed) return true;
  const ends = [youngest, oldest].filter((age) => age > 0 && Number.isFinite(age));
  if (!isBounded || ends.some((age) => age < grown.youngest || age > grown.oldest)) return false;
  const money = /\p{Sc}|%|°/u;
  if (money.test(gapAt(description, from)) || money.test(gapAt(description, to))) return false;
  // `years of experience` starts inside the words taken for the age's unit.
  for (let at = from + 1; at <= to; at++) if (matchAt(tokens, at, measures) > 0) return false;
  const next = tokens[to];
  const isAlone = next === undefined || text.slice(tokens[to - 1]?.end, next.start).trim() !== "";
  if (next && /^\d/.test(next.word)) return false;
  const isAfterPeople =
    from === 0 || isPeople(description, from - 1) || matchAt(tokens, from - 1, structure.auxiliaries) > 0;
  return isAlone || isAfterPeople || isFunctionWord(description, to) || isPeople(description, to);
}

/** Maximum number of words before an age in which the person it belongs to is looked for. */
const farthest = 12;

/** Whether the ages belong to something other than the people described, such as their children or a car. */
function areOthers(description: Description, { from, to }: Written): boolean {
  const { tokens, lists, structure } = description;
  if (matchAt(tokens, to, lists.others) > 0) return true;
  const first = Math.max(0, from - farthest);
  let at = from - 1;
  while (at >= first && matchAt(tokens, at, lists.others) === 0) {
    if (isPeople(description, at) || /[.;!?]/.test(gapAt(description, at + 1))) return false;
    at -= 1;
  }
  if (at < first) return false;
  const isAdded = at > 0 && matchAt(tokens, at - 1, structure.prepositions) > 0;
  return isAdded || tokens.slice(first, at).some((_, i) => isPeople(description, first + i));
}

/**
 * Merges an age mention with the last one: `over 18 and under 30` is an intersection, `18-24 or 60-70` a union. May be
 * empty.
 */
function joined(description: Description, known: readonly Written[], next: Written): readonly Written[] {
  const last = known.at(-1);
  if (!last) return [next];
  const isEither = findIn(description.tokens, description.lists.ages.either, last.to, next.from) >= 0;
  const isOpen = (one: AgeRange) => one.youngest === 0 || one.oldest === Number.POSITIVE_INFINITY;
  const both = { ...next, ...overlap(last, next) };
  if (isEither || (isNobody(both) && !(isOpen(last) && isOpen(next)))) return [...known, next];
  return [...known.slice(0, -1), both];
}

/** Returns the ages that a description asks for and the words that state them; `null` if it mentions none. */
export function agesIn(description: Description): { ranges: readonly AgeRange[]; spans: readonly Span[] } | null {
  const spans: Span[] = [];
  let ranges: readonly Written[] = [];
  for (let at = 0; at < description.tokens.length; at++) {
    const written = decadeAt(description, at) ?? writtenAt(description, at);
    if (!written) continue;
    const isRead =
      areAges(description, written) && !areOthers(description, written) && !isDenied(description, written.from);
    at = written.to - 1;
    if (!isRead) continue;
    spans.push({ from: written.from, to: written.to });
    ranges = joined(description, ranges, written);
  }
  return spans.length === 0 ? null : { ranges, spans };
}
