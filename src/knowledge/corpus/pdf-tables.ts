import type { Line } from "./pdf-lines.ts";

/** A table with its header, which may be centred over the columns. */
export interface Table {
  /** How many lines of the page it takes. */
  readonly lines: number;
  readonly rows: readonly (readonly string[])[];
  readonly headed: boolean;
}

/** How far a cell may be out of its column, in points. */
const columnSlack = 12;
/** Columns that fit on paper: a line of more is no row of a table. */
const columnsAtMost = 60;

const isIn = (column: number, x: number): boolean => Math.abs(column - x) <= columnSlack;

const isRowOf = (first: Line, line: Line): boolean =>
  line.cells.length >= 2 &&
  line.cells.length <= first.cells.length &&
  line.cells.every(({ x }) => first.cells.some((cell) => isIn(cell.x, x)));

/** How many lines from `at` on are a table's. */
function rowsFrom(lines: readonly Line[], at: number): number {
  const first = lines[at];
  if (!first || first.cells.length < 2 || first.cells.length > columnsAtMost) return 0;
  let end = at + 1;
  while (end < lines.length && isRowOf(first, lines[end] ?? first)) end++;
  return end - at >= 3 || (end - at === 2 && first.cells.length > 2) ? end - at : 0;
}

/** Whether a line is the header over a table: a cell for each column, anywhere within its width. */
function isHeaderOf({ cells }: Line, { cells: columns }: Line): boolean {
  if (cells.length < 2 || cells.length !== columns.length) return false;
  return cells.every(({ x }, i) => {
    const left = (columns[i]?.x ?? 0) - columnSlack;
    return x >= left && x < (columns[i + 1]?.x ?? Number.POSITIVE_INFINITY);
  });
}

/** What heads columns is no value itself. */
const isValues = ({ cells }: Line): boolean => cells.slice(1).some(({ text }) => /\d/.test(text));

/** A line's cells in the columns of the table's first line. */
const cellsIn = (first: Line, line: Line): string[] =>
  first.cells.map(({ x }) => line.cells.find((cell) => isIn(cell.x, x))?.text ?? "");

/** The table that begins at a line; undefined when none does. */
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
