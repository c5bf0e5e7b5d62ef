import { clauseOf } from "./clauses.ts";
import { leftOutAs } from "./left-out.ts";
import type { Line } from "./pdf-lines.ts";

/** Maximum number of lines of a header or footer, at each end of a page. */
const linesAtEachEnd = 3;
/** A line recurs if it is on at least this many pages and on half of all pages. */
const pagesAtLeast = 3;
/** Minimum gap between header and text, as a multiple of the usual gap, or maximum relative size of its type. */
const apartFrom = 1.3;
const smallerThan = 0.95;

/**
 * Returns the keys by which a line recurs: its text, and its text without a number that increases with the pages, as in
 * `Page 3 of 40`. Any other number is an amount or a term, so the line is content.
 */
function keysOf({ text }: Line, page: number): string[] {
  const same = text.replace(/\s+/g, " ").trim().toLowerCase();
  // Sentences and clauses are numbered consecutively too, but not by page.
  if (/\p{L}{2}[.;:]$/u.test(text.slice(-4)) || clauseOf(text) !== undefined) return [same];
  const counting = [...same.matchAll(/\d{1,4}/g)].map(({ 0: number, index }) => {
    const rest = `${same.slice(0, index)}#${same.slice(index + number.length)}`;
    return `${rest} ${Number(number) - page}`;
  });
  return [same, ...counting];
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Typical layout of a document's text: median type size and median line gap, in points. */
interface Usual {
  readonly size: number;
  readonly gap: number;
}

const downwards = (lines: readonly Line[]): Line[] => lines.toSorted((a, b) => b.y - a.y);

function usualOf(pages: readonly (readonly Line[])[]): Usual {
  const gaps = pages.flatMap((lines) => {
    const heights = downwards(lines).map(({ y }) => y);
    return heights.slice(1).map((y, at) => (heights[at] ?? y) - y);
  });
  return { size: middle(pages.flat().map(({ size }) => size)), gap: middle(gaps.filter((gap) => gap > 0)) };
}

/** Returns the number of lines at one end that are separated from the text, outside the innermost wide gap. */
function linesApart(inwards: readonly Line[], usual: Usual): number {
  const isEdge = ({ y, size }: Line, at: number): boolean => {
    const next = inwards[at + 1];
    if (next === undefined) return at === 0;
    return Math.abs(y - next.y) > usual.gap * apartFrom || size < usual.size * smallerThan;
  };
  return inwards.slice(0, linesAtEachEnd).findLastIndex(isEdge) + 1;
}

/** Returns the lines that may be a page's header or footer, and whether each is separated from the text. */
function endsOf(lines: readonly Line[], usual: Usual): ReadonlyMap<Line, boolean> {
  const fromTop = downwards(lines);
  const ends = new Map<Line, boolean>();
  for (const inwards of [fromTop, fromTop.toReversed()]) {
    const apart = linesApart(inwards, usual);
    for (const [at, line] of inwards.slice(0, linesAtEachEnd).entries())
      ends.set(line, at < apart || ends.get(line) === true);
  }
  return ends;
}

/** Maximum length of a page number with the words around it, in characters. */
const pageNumberAtMost = 60;
const pageNumber =
  /^(?<word>(?:strana|str\.|strona|seite|page|oldal|s\.)\s*)?[-–]?\s*(?<number>\d{1,4})\s*[-–]?(?<total>\s*(?:\/|z|ze|of|von|od|sur)\s*\d{1,4})?$/i;

/** Checks for a page number. One without words must equal the page, or be offset from it as on other pages. */
function isPageNumber(text: string, page: number, offsets: ReadonlySet<number>): boolean {
  if (text.length > pageNumberAtMost) return false;
  const { word, number, total } = pageNumber.exec(text)?.groups ?? {};
  return number !== undefined && (word !== undefined || total !== undefined || offsets.has(Number(number) - page));
}

/** Returns the values that occur on enough of the pages. */
function recurring<V>(pages: readonly (readonly V[])[]): Set<V> {
  const seen = new Map<V, number>();
  for (const values of pages) for (const value of new Set(values)) seen.set(value, (seen.get(value) ?? 0) + 1);
  const often = Math.max(pagesAtLeast, pages.length / 2);
  return new Set([...seen].flatMap(([value, count]) => (count >= often ? [value] : [])));
}

/** Returns the offsets of numbers at the ends of a page, at most three per line, from its position in the file. */
const offsetsOf = (lines: readonly Line[], page: number): number[] =>
  lines.flatMap(({ text }) => (text.match(/\d{1,4}/g) ?? []).slice(-3).map((number) => Number(number) - page));

/**
 * Removes headers and footers: lines at the ends of pages that recur on at least half of them and are separated from
 * the text. The notes quote what was removed.
 */
export function withoutHeadersAndFooters(pages: readonly (readonly Line[])[]): { pages: Line[][]; notes: string[] } {
  const usual = usualOf(pages);
  const ends = pages.map((lines) => endsOf(lines, usual));
  const outer = ends.map((lines) => [...lines.keys()]);
  const keys = recurring(outer.map((lines, i) => lines.flatMap((line) => keysOf(line, i + 1))));
  const offsets = recurring(outer.map((lines, i) => offsetsOf(lines, i + 1))).add(0);
  const recurs = (line: Line, page: number) => keysOf(line, page).some((key) => keys.has(key));
  const left = new Map<string, string>();
  const kept = pages.map((lines, i) =>
    lines.filter((line) => {
      const page = i + 1;
      const isApart = ends[i]?.get(line);
      const isLeft =
        isApart !== undefined &&
        ((isApart && recurs(line, page)) || (pages.length > 1 && isPageNumber(line.text, page, offsets)));
      const key = line.text.replace(/\d+/g, "#");
      if (isLeft && !left.has(key)) left.set(key, line.text);
      return !isLeft;
    }),
  );
  return { pages: kept, notes: leftOutAs("headers and footers", [...left.values()]) };
}
