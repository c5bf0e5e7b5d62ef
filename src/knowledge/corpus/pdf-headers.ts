import { clauseOf } from "./clauses.ts";
import type { Line } from "./pdf-lines.ts";

/** So many lines at each end of a page may be its header and footer. */
const linesAtEachEnd = 3;

/** What recurs: the same words, or words that only a number tells apart, as in `Page 3 of 40`. */
function keysOf({ text }: Line): string[] {
  const same = text.replace(/\s+/g, " ").trim().toLowerCase();
  // Sentences and clauses differ by their numbers: those are no page's.
  const isText = /\p{L}{2}[.;:]$/u.test(text.slice(-4)) || clauseOf(text) !== undefined;
  return isText ? [same] : [same, same.replace(/\d+/g, "#")];
}

/** The lines that may be a page's header and footer. */
function endsOf(lines: readonly Line[]): ReadonlySet<Line> {
  const byHeight = [...lines].sort((a, b) => b.y - a.y);
  return new Set([...byHeight.slice(0, linesAtEachEnd), ...byHeight.slice(-linesAtEachEnd)]);
}

/** Characters of a page's number, with the words around it. */
const pageNumberAtMost = 60;

const isPageNumber = (text: string, pages: number): boolean =>
  pages > 1 &&
  text.length <= pageNumberAtMost &&
  /^(?:(?:strana|str\.|strona|seite|page|s\.)\s*)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:\/|z|ze|of|von|od)\s*\d{1,4})?$/i.test(
    text,
  );

/** Pages without their headers and footers: what recurs at the ends of at least half of the pages. */
export function withoutHeadersAndFooters(pages: readonly (readonly Line[])[]): Line[][] {
  const ends = pages.map(endsOf);
  const seen = new Map<string, number>();
  for (const lines of ends)
    for (const key of new Set([...lines].flatMap(keysOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const often = Math.max(3, pages.length / 2);
  const recurs = (line: Line) => keysOf(line).some((key) => (seen.get(key) ?? 0) >= often);
  return pages.map((lines, i) =>
    lines.filter((line) => !(ends[i]?.has(line) && (recurs(line) || isPageNumber(line.text, pages.length)))),
  );
}
