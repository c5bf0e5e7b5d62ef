import type { Line } from "./pdf-lines.ts";

/** A table and its header, whose cells may be centred over the columns. */
export interface Table {
  /** Number of lines of the page that it occupies. */
  readonly lines: number;
  readonly rows: readonly (readonly string[])[];
  readonly headed: boolean;
}

/** Maximum distance of a cell from its column, in points. */
const columnSlack = 12;
/** Maximum number of columns that fit on paper. A line with more is not a table row. */
const columnsAtMost = 60;

const isIn = (column: number, x: number): boolean => Math.abs(column - x) <= columnSlack;

const isRowOf = (first: Line, line: Line): boolean =>
  line.cells.length >= 2 &&
  line.cells.length <= first.cells.length &&
  line.cells.every(({ x }) => first.cells.some((cell) => isIn(cell.x, x)));

/** Returns the number of lines from `at` that belong to one table. */
function rowsFrom(lines: readonly Line[], at: number): number {
  const first = lines[at];
  if (!first || first.cells.length < 2 || first.cells.length > columnsAtMost) return 0;
  let end = at + 1;
  while (end < lines.length && isRowOf(first, lines[end] ?? first)) end++;
  return end - at >= 3 || (end - at === 2 && first.cells.length > 2) ? end - at : 0;
}

/** Checks whether a line is the header above a table: one cell per column, anywhere within the column's width. */
function isHeaderOf({ cells }: Line, { cells: columns }: Line): boolean {
  if (cells.length < 2 || cells.length !== columns.length) return false;
  return cells.every(({ x }, i) => {
    const left = (columns[i]?.x ?? 0) - columnSlack;
    return x >= left && x < (columns[i + 1]?.x ?? Number.POSITIVE_INFINITY);
  });
}

/** Checks for values, which a header does not contain. */
const isValues = ({ cells }: Line): boolean => cells.slice(1).some(({ text }) => /\d/.test(text));

/** Assigns a line's cells to the columns of the table's first line. */
const cellsIn = (first: Line, line: Line): string[] =>
  first.cells.map(({ x }) => line.cells.find((cell) => isIn(cell.x, x))?.text ?? "");

/** Returns the table that starts at a line; undefined if there is none. */
export function tableFrom(lines: readonly Line[], at: number): Table | undefined {
  const line = lines[at];
  const below = lines[at + 1];
  if (!line) return undefined;
  const rows = rowsFrom(lines, at);
  if (rows > 0)
    return { lines: rows, rows: lines.slice(at, at + rows).map((row) => cellsIn(line, row)), headed: !isValues(line) };
  if (!below || !isHeaderOf(line, below)) return undefined;
  const under = rowsFrom(lines, at + 1);
  if (under === 0) return undefined;
  const body = lines.slice(at + 1, at + 1 + under).map((row) => cellsIn(below, row));
  return { lines: under + 1, rows: [line.cells.map(({ text }) => text), ...body], headed: true };
}
