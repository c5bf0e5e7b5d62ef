import type { DatasetVersion, DataTable, EntityCell } from "../../../db/datasets.ts";
import type { GermanyHoldings } from "./schema.ts";

/** What is held of the German market, as every answer says it. */

/** The name under which `assay import` publishes it. */
export const germanyDataset = "germany";

export type TableName = "universe" | "profiles";

/** The table of that name, where it was imported. */
export const tableOf = ({ tables }: DatasetVersion, name: TableName): DataTable | undefined =>
  tables.find(({ facts }) => facts.name === name);

const cellsOf = (version: DatasetVersion, name: TableName): readonly EntityCell[] =>
  tableOf(version, name)?.cells() ?? [];

const rowsIn = (cells: readonly EntityCell[]): number => cells.reduce((sum, { rows }) => sum + rows, 0);

/** How many rows a table has; 0 where there is none. */
export const rowsOf = (version: DatasetVersion, name: TableName): number => rowsIn(cellsOf(version, name));

/** How much there is, and where it is from. */
export function holdingsOf(version: DatasetVersion): GermanyHoldings {
  const [rows, profiles] = [rowsOf(version, "universe"), rowsOf(version, "profiles")];
  return {
    ...{ state: rows + profiles > 0 ? "imported" : "empty", version: version.number, rows, profiles },
    tables: version.tables.map(({ facts: { name, title, publisher, licence, retrieved, reliability } }) => ({
      ...{ name, title, publisher, licence, retrieved, reliability },
    })),
  };
}

/** What every reader must know: always there, first what is missing. */
export function caveatsOf(version: DatasetVersion): string[] {
  const empty =
    version.tables.length === 0 ? ["Nothing has been imported: there are no rows and no profiles to show."] : [];
  const notes = version.tables.flatMap(({ facts: { note } }) => (note === null ? [] : [note]));
  return [
    ...empty,
    ...new Set(notes),
    "Deduplication is unfinished: several rows may be about one firm. Duplicates are proposed, never merged.",
    "Nothing in it is approved: rows serve discovery, and are no facts about a firm until they are checked.",
  ];
}

/** Rows by one of their dimensions, the most first. */
export function countedBy(version: DatasetVersion, table: TableName, dimension: string) {
  const groups = Map.groupBy(cellsOf(version, table), ({ dimensions }) => dimensions[dimension] || "not stated");
  return [...groups]
    .map(([name, cells]) => ({ name, rows: rowsIn(cells) }))
    .sort((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1));
}
