import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A column of a table: its name, what stands in a row of it, whether it is figures, and what of use it holds. */
export interface Column<Row> {
  readonly name: string;
  readonly isFigure?: boolean;
  /** A button says itself what it does; a field is what the column is called. */
  readonly holds?: "button" | "field";
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

/**
 * A table of the console: figures at the right, and what is too wide for its place is scrolled there. On a phone, the
 * cells of many columns stand in pairs below the first, since half of a number looks like another number, and those of a
 * table that one does something with below each other, so that no button is out of sight.
 */
export function Rows<Row>({ label, rows, columns, keyOf, isOneOfMany = false }: RowsProps<Row>) {
  const isStacked = columns.some(({ holds }) => holds !== undefined);
  const isPaired = columns.length > 4 && !isStacked;
  return (
    <Box className="scroller" tabIndex={0} role={isOneOfMany ? "group" : "region"} aria-label={label}>
      <table
        className="rows"
        data-paired={isPaired || undefined}
        data-stacked={isStacked || undefined}
        aria-label={label}
      >
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
              {columns.map(({ name, isFigure, holds, cell }) => (
                <td key={name} className={isFigure ? "end" : undefined} data-name={name} data-holds={holds}>
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
