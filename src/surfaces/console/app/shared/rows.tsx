import { ScrollArea, Table } from "@mantine/core";
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
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: isOneOfMany ? "group" : "region", "aria-label": label }}
    >
      <Table verticalSpacing={7} horizontalSpacing="sm" highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isFigure }) =>
              // A heading without a word would be announced as one.
              name === "" ? (
                <Table.Td key={name} />
              ) : (
                <Table.Th key={name} ta={isFigure ? "right" : undefined} className="nowrap">
                  {name}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ name, isFigure, cell }) => (
                <Table.Td key={name} ta={isFigure ? "right" : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
