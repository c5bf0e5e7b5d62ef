import { clauseOf } from "./clauses.ts";
import { leftOutAs } from "./left-out.ts";
import type { Line } from "./pdf-lines.ts";

/** So many lines at each end of a page may be its header and footer. */
const linesAtEachEnd = 3;
/** On so many pages, and on half of them, something recurs. */
const pagesAtLeast = 3;
/** A header is set apart from the text: by a gap of so many usual ones, or in type of such a part of the text's size. */
const apartFrom = 1.3;
const smallerThan = 0.95;

/**
 * What recurs: the same words, or words that only the page's number tells apart, as in `Page 3 of 40`. A number counts
 * the pages where it goes up with them; another one is an amount or a term, and the line is text.
 */
function keysOf({ text }: Line, page: number): string[] {
  const same = text.replace(/\s+/g, " ").trim().toLowerCase();
  // Sentences and clauses count on too: those are no page's.
  if (/\p{L}{2}[.;:]$/u.test(text.slice(-4)) || clauseOf(text) !== undefined) return [same];
  const counting = [...same.matchAll(/\d{1,4}/g)].map(({ 0: number, index }) => {
    const rest = `${same.slice(0, index)}#${same.slice(index + number.length)}`;
    return `${rest} ${Number(number) - page}`;
  });
  return [same, ...counting];
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** How a document's text is set: the middle one of its sizes, and of the gaps between its lines, in points. */
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

/** How many lines at one end, the outermost first, are apart from the text: those outside the innermost wide gap. */
function linesApart(inwards: readonly Line[], usual: Usual): number {
  const isEdge = ({ y, size }: Line, at: number): boolean => {
    const next = inwards[at + 1];
    if (next === undefined) return at === 0;
    return Math.abs(y - next.y) > usual.gap * apartFrom || size < usual.size * smallerThan;
  };
  return inwards.slice(0, linesAtEachEnd).findLastIndex(isEdge) + 1;
}

/** The lines that may be a page's header and footer, and whether each is apart from the text. */
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

/** Characters of a page's number, with the words around it. */
const pageNumberAtMost = 60;
const pageNumber =
  /^(?<word>(?:strana|str\.|strona|seite|page|oldal|s\.)\s*)?[-–]?\s*(?<number>\d{1,4})\s*[-–]?(?<total>\s*(?:\/|z|ze|of|von|od|sur)\s*\d{1,4})?$/i;

/** Whether a line is its page's number: one that stands alone must count as the page, or as the other pages' numbers do. */
function isPageNumber(text: string, page: number, offsets: ReadonlySet<number>): boolean {
  if (text.length > pageNumberAtMost) return false;
  const { word, number, total } = pageNumber.exec(text)?.groups ?? {};
  return number !== undefined && (word !== undefined || total !== undefined || offsets.has(Number(number) - page));
}

/** What is on enough pages, of what each page has. */
function recurring<V>(pages: readonly (readonly V[])[]): Set<V> {
  const seen = new Map<V, number>();
  for (const values of pages) for (const value of new Set(values)) seen.set(value, (seen.get(value) ?? 0) + 1);
  const often = Math.max(pagesAtLeast, pages.length / 2);
  return new Set([...seen].flatMap(([value, count]) => (count >= often ? [value] : [])));
}

/** How far the numbers at the ends of a page, at most three of a line, are from its place in the file. */
const offsetsOf = (lines: readonly Line[], page: number): number[] =>
  lines.flatMap(({ text }) => (text.match(/\d{1,4}/g) ?? []).slice(-3).map((number) => Number(number) - page));

/**
 * Pages without their headers and footers: what recurs at the ends of at least half of the pages, apart from the text.
 * The notes quote what was left out.
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
