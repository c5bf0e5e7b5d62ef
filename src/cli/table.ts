import { facts, table } from "./client/screen.ts";
import type { Io } from "./io.ts";

type Cell = string | number | null;
const text = (cell: Cell | undefined): string => (cell === null || cell === undefined ? "" : String(cell));

/** Formats rows as a table with titles. Numbers are right-aligned. */
export function grid(io: Io, titles: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const columns = titles.map((title, i) => {
    const isNumeric = rows.some((row) => typeof row[i] === "number");
    const cell = (row: readonly Cell[]): string => text(row[i]);
    return isNumeric ? { title, cell, align: "right" as const } : { title, cell };
  });
  return table(io, columns, rows);
}

/** Formats labels and values, one pair per line. Pairs without a value are left out. */
export const pairs = (io: Io, values: Readonly<Record<string, Cell>>): string[] =>
  facts(
    io,
    Object.entries(values).map(([label, value]) => [label, text(value)]),
  );
