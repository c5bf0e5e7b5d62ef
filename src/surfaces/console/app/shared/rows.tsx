import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A column of a table: its name, what stands in a row of it, and whether it is figures. */
export interface Column<Row> {
  readonly name: string;
  readonly isFigure?: boolean;
  cell(row: Row): ReactNode;
}

interface RowsProps<Row> {
  /** Says what the table is, to those who don't see its heading. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Whether there may be others of the same name on the page, so that it is no landmark. */
  readonly isOneOfMany?: boolean;
  keyOf(row: Row): string;
}

/** A table of the console: figures at the right, and what is too wide for its place is scrolled there. */
export function Rows<Row>({ label, rows, columns, keyOf, isOneOfMany = false }: RowsProps<Row>) {
  const isWide = columns.length > 4;
  return (
    <Box className="scroller" tabIndex={0} role={isOneOfMany ? "group" : "region"} aria-label={label}>
      <table className="rows" data-wide={isWide || undefined} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isFigure }) =>
              // A heading without a word would be announced as one.
              name === "" ? (
                <td key={name} />
              ) : (
                <th key={name} className={isFigure ? "nowrap end" : "nowrap"}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isFigure, cell }) => (
                <td key={name} className={isFigure ? "end" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
