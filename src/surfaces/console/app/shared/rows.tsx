import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A column of a table: its name, its cells, whether they are numbers, and which control they contain. */
export interface Column<Row> {
  readonly name: string;
  readonly isFigure?: boolean;
  /** A button has its own label; a field is labelled by its column. */
  readonly holds?: "button" | "field";
  cell(row: Row): ReactNode;
}

interface RowsProps<Row> {
  /** Accessible name of the table, for those who can't see its heading. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Whether other tables on the page may have the same name; then it is no landmark. */
  readonly isOneOfMany?: boolean;
  keyOf(row: Row): string;
}

/**
 * A table. Numbers are right-aligned, and a table that is too wide scrolls. On a phone, tables with many columns show
 * their cells in pairs below the first one, because a cut-off number looks like another number, and tables with
 * controls show them one below the other, so that every button is visible.
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
              // An empty heading would be announced as a heading.
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
