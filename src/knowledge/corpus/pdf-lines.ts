import { clauseOf } from "./clauses.ts";

/** From the signs on a printed page to its lines, in the order that people read them. */

/** A piece of text as the page sets it; points, the origin at the lower left. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** Which font it is set in, by the file's own name for it. */
  readonly font: string;
}

export interface Line {
  readonly text: string;
  /** The line's parts that wide gaps keep apart; one for running text. */
  readonly cells: readonly { readonly text: string; readonly x: number }[];
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Of most of its letters. */
  readonly font: string;
}

/** In parts of the type size: less is the same line; more is a space between words; still more is another cell. */
const sameLine = 0.45;
const wordGap = 0.18;
const cellGap = 1.8;

/** A page in two columns has a gutter that hardly any line crosses, between these parts of its width. */
const gutterFrom = 0.35;
const gutterTo = 0.65;
const crossingAtMost = 0.06;
const columnAtLeast = 0.25;

/** Where a second column begins; undefined on a page of one column. Headers and footers may cross the gutter. */
function gutterOf(pieces: readonly Piece[], width: number): number | undefined {
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0);
  let best: { x: number; crossing: number } | undefined;
  for (let part = gutterFrom; part <= gutterTo; part += 0.01) {
    const x = part * width;
    let [left, right, crossing] = [0, 0, 0];
    for (const piece of pieces) {
      const length = piece.text.length;
      if (piece.x + piece.width <= x + 1) left += length;
      else if (piece.x >= x - 1) right += length;
      else crossing += length;
    }
    const isGutter = crossing <= crossingAtMost * total && Math.min(left, right) >= columnAtLeast * total;
    if (isGutter && (best === undefined || crossing < best.crossing)) best = { x, crossing };
  }
  return best?.x;
}

/** A table has short cells side by side as well: columns are full of lines that end near their edges. */
function isProse(pieces: readonly Piece[], gutter: number, width: number): boolean {
  const rows = linesOf(pieces.filter(({ x }) => x < gutter));
  const full = rows.filter(({ text, size }) => text.length * size * 0.45 > width * 0.25);
  return rows.length >= 8 && full.length >= rows.length * 0.5;
}

const none: Piece = { text: "", x: 0, y: 0, width: 0, size: 0, font: "" };

function lineOf(pieces: readonly Piece[]): Line {
  const sorted = [...pieces].sort((a, b) => a.x - b.x);
  const first = sorted[0];
  const size = Math.max(...sorted.map((piece) => piece.size));
  const cells: { text: string; x: number }[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { text, x, width } of sorted) {
    const gap = x - end;
    const cell = cells.at(-1);
    if (cell === undefined || gap > cellGap * size) cells.push({ text, x });
    else cell.text += gap > wordGap * size && !cell.text.endsWith(" ") && !text.startsWith(" ") ? ` ${text}` : text;
    end = Math.max(end, x + width);
  }
  const tidied = cells
    .map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
  const longest = sorted.reduce((a, b) => (b.text.length > a.text.length ? b : a), sorted[0] ?? none);
  const text = tidied.map((cell) => cell.text).join(" ");
  return { text, cells: tidied, x: first?.x ?? 0, y: first?.y ?? 0, size, font: longest.font };
}

/** Pieces that share a baseline make a line; from the top to the bottom. */
function linesOf(pieces: readonly Piece[]): Line[] {
  const sorted = [...pieces].sort((a, b) => b.y - a.y || a.x - b.x);
  const lines: Piece[][] = [];
  let top: Piece | undefined;
  for (const piece of sorted) {
    const last = lines.at(-1);
    if (last && top && top.y - piece.y <= sameLine * Math.max(top.size, piece.size)) last.push(piece);
    else {
      lines.push([piece]);
      top = piece;
    }
  }
  return lines.map(lineOf).filter(({ text }) => text !== "");
}

/** The lines of a page in reading order: the left column before the right one, what crosses both where it stands. */
export function readingOrder(pieces: readonly Piece[], width: number): Line[] {
  const gutter = gutterOf(pieces, width);
  if (gutter === undefined || !isProse(pieces, gutter, width)) return linesOf(pieces);
  const crosses = (piece: Piece) => piece.x < gutter - 1 && piece.x + piece.width > gutter + 1;
  const bands = pieces.filter(crosses).map(({ y }) => y);
  const lines: Line[] = [];
  let rest = pieces.filter((piece) => !crosses(piece));
  for (const y of [...new Set(bands)].sort((a, b) => b - a)) {
    lines.push(
      ...columns(
        rest.filter((piece) => piece.y > y),
        gutter,
      ),
    );
    lines.push(...linesOf(pieces.filter((piece) => crosses(piece) && piece.y === y)));
    rest = rest.filter((piece) => piece.y <= y);
  }
  return [...lines, ...columns(rest, gutter)];
}

const columns = (pieces: readonly Piece[], gutter: number): Line[] => [
  ...linesOf(pieces.filter(({ x }) => x < gutter - 1)),
  ...linesOf(pieces.filter(({ x }) => x >= gutter - 1)),
];

/** So many lines at each end of a page may be its header and footer. */
const furniture = 3;
/** What comes again: the same words, or words that only a number tells apart, as in `Page 3 of 40`. */
function keysOf({ text }: Line): string[] {
  const same = text.replace(/\s+/g, " ").trim().toLowerCase();
  // Sentences and clauses differ by their numbers: those are no page's.
  const isText = /\p{L}{2}[.;:]$/u.test(text) || clauseOf(text) !== undefined;
  return isText ? [same] : [same, same.replace(/\d+/g, "#")];
}

/** Takes out headers and footers: what stands at the same end of at least half of the pages. */
export function withoutFurniture(pages: readonly (readonly Line[])[]): Line[][] {
  const seen = new Map<string, number>();
  const edges = (lines: readonly Line[]) => {
    const byHeight = [...lines].sort((a, b) => b.y - a.y);
    return new Set([...byHeight.slice(0, furniture), ...byHeight.slice(-furniture)]);
  };
  for (const lines of pages)
    for (const key of new Set([...edges(lines)].flatMap(keysOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const often = Math.max(3, pages.length / 2);
  return pages.map((lines) => {
    const edge = edges(lines);
    const isFurniture = (line: Line) =>
      edge.has(line) &&
      (keysOf(line).some((key) => (seen.get(key) ?? 0) >= often) || isPageNumber(line.text, pages.length));
    return lines.filter((line) => !isFurniture(line));
  });
}

const isPageNumber = (text: string, pages: number): boolean =>
  pages > 1 &&
  /^(?:(?:strana|str\.|strona|seite|page|s\.)\s*)?[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:\/|z|ze|of|von|od)\s*\d{1,4})?$/i.test(
    text,
  );
