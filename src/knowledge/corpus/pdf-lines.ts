/** Combines the text runs of a printed page into lines, in reading order. */

/** A run of glyphs as placed on the page, in points from the lower left corner. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** The file's internal name of its font. */
  readonly font: string;
}

/** A part of a line, separated from the others by wide gaps. */
export interface Cell {
  readonly text: string;
  readonly x: number;
}

export interface Line {
  readonly text: string;
  /** From left to right; running text has one. */
  readonly cells: readonly Cell[];
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Font of its longest run. */
  readonly font: string;
}

/**
 * Distances as fractions of the type size: up to `sameLine` vertically is the same line, above `wordGap` a space
 * between words, above `cellGap` a new cell.
 */
const sameLine = 0.45;
const wordGap = 0.18;
const cellGap = 1.8;

/**
 * Limits for the gutter of a two-column page: its position as a fraction of the width, the share of text that may cross
 * it and the minimum share of each column.
 */
const gutterFrom = 0.35;
const gutterTo = 0.65;
const crossingAtMost = 0.06;
const columnAtLeast = 0.25;

/** Returns the x coordinate of the gutter; undefined for a page of one column. Headers and footers may cross it. */
function gutterOf(runs: readonly TextRun[], width: number): number | undefined {
  const total = runs.reduce((sum, { text }) => sum + text.length, 0);
  let best: { x: number; crossing: number } | undefined;
  for (let part = gutterFrom; part <= gutterTo; part += 0.01) {
    const x = part * width;
    let [left, right, crossing] = [0, 0, 0];
    for (const run of runs) {
      const length = run.text.length;
      if (run.x + run.width <= x + 1) left += length;
      else if (run.x >= x - 1) right += length;
      else crossing += length;
    }
    const isGutter = crossing <= crossingAtMost * total && Math.min(left, right) >= columnAtLeast * total;
    if (isGutter && (best === undefined || crossing < best.crossing)) best = { x, crossing };
  }
  return best?.x;
}

/** Distinguishes columns of prose from a table, whose cells are short: most lines of a column end near its edge. */
function isProse(runs: readonly TextRun[], gutter: number, width: number): boolean {
  const rows = linesOf(runs.filter(({ x }) => x < gutter));
  const full = rows.filter(({ text, size }) => text.length * size * 0.45 > width * 0.25);
  return rows.length >= 8 && full.length >= rows.length * 0.5;
}

/** Combines runs from left to right into cells: a gap becomes a space, and a wide gap starts a new cell. */
function cellsOf(runs: readonly TextRun[], size: number): Cell[] {
  const cells: { parts: string[]; x: number }[] = [];
  let end = Number.NEGATIVE_INFINITY;
  let before = "";
  for (const { text, x, width } of runs) {
    const gap = x - end;
    const cell = cells.at(-1);
    if (cell === undefined || gap > cellGap * size) cells.push({ parts: [text], x });
    else cell.parts.push(gap > wordGap * size && !before.endsWith(" ") && !text.startsWith(" ") ? ` ${text}` : text);
    before = text;
    end = Math.max(end, x + width);
  }
  return cells
    .map(({ parts, x }) => ({ text: parts.join("").replace(/\s+/g, " ").trim(), x }))
    .filter(({ text }) => text !== "");
}

function lineOf(first: TextRun, runs: readonly TextRun[]): Line {
  const sorted = [...runs].sort((a, b) => a.x - b.x);
  const size = sorted.reduce((largest, run) => Math.max(largest, run.size), 0);
  const leftmost = sorted[0] ?? first;
  const longest = sorted.reduce((a, b) => (b.text.length > a.text.length ? b : a), leftmost);
  const cells = cellsOf(sorted, size);
  return {
    text: cells.map(({ text }) => text).join(" "),
    cells,
    x: leftmost.x,
    y: leftmost.y,
    size,
    font: longest.font,
  };
}

/** Groups runs that share a baseline into lines, from top to bottom. */
function linesOf(runs: readonly TextRun[]): Line[] {
  const sorted = [...runs].sort((a, b) => b.y - a.y || a.x - b.x);
  const lines: { first: TextRun; runs: TextRun[] }[] = [];
  for (const run of sorted) {
    const last = lines.at(-1);
    if (last && last.first.y - run.y <= sameLine * Math.max(last.first.size, run.size)) last.runs.push(run);
    else lines.push({ first: run, runs: [run] });
  }
  return lines.map((line) => lineOf(line.first, line.runs)).filter(({ text }) => text !== "");
}

/** Returns a page's lines in reading order: the left column, then the right; lines across both in their place. */
export function readingOrder(runs: readonly TextRun[], width: number): Line[] {
  const gutter = gutterOf(runs, width);
  if (gutter === undefined || !isProse(runs, gutter, width)) return linesOf(runs);
  const crosses = (run: TextRun) => run.x < gutter - 1 && run.x + run.width > gutter + 1;
  const lines: Line[] = [];
  let [crossing, columns]: [TextRun[], TextRun[]] = [[], []];
  const endColumns = () => {
    for (const line of linesOf(columns.filter(({ x }) => x < gutter - 1))) lines.push(line);
    for (const line of linesOf(columns.filter(({ x }) => x >= gutter - 1))) lines.push(line);
    columns = [];
  };
  const endCrossing = () => {
    for (const line of linesOf(crossing)) lines.push(line);
    crossing = [];
  };
  const downwards = [...runs].sort((a, b) => b.y - a.y || Number(crosses(b)) - Number(crosses(a)));
  for (const run of downwards) {
    if (crossing.length > 0 && (crossing[0]?.y ?? 0) !== run.y) endCrossing();
    if (!crosses(run)) columns.push(run);
    else {
      if (crossing.length === 0) endColumns();
      crossing.push(run);
    }
  }
  endCrossing();
  endColumns();
  return lines;
}
