import type { DatasetVersion, DataTable, EntityCell } from "../../../db/datasets.ts";
import type { GermanyHoldings } from "./schema.ts";

/** Describes the data on the German market, for inclusion in every answer. */

/** The dataset's name in `assay import`. */
export const germanyDataset = "germany";

export type TableName = "universe" | "profiles";

/** Returns the table of that name, if it was imported. */
export const tableOf = ({ tables }: DatasetVersion, name: TableName): DataTable | undefined =>
  tables.find(({ facts }) => facts.name === name);

const cellsOf = (version: DatasetVersion, name: TableName): readonly EntityCell[] =>
  tableOf(version, name)?.cells() ?? [];

const rowsIn = (cells: readonly EntityCell[]): number => cells.reduce((sum, { rows }) => sum + rows, 0);

/** Returns a table's number of rows; 0 if there is no table. */
export const rowsOf = (version: DatasetVersion, name: TableName): number => rowsIn(cellsOf(version, name));

/** Returns the amount and sources of the data. */
export function holdingsOf(version: DatasetVersion): GermanyHoldings {
  const [rows, profiles] = [rowsOf(version, "universe"), rowsOf(version, "profiles")];
  return {
    ...{ state: rows + profiles > 0 ? "imported" : "empty", version: version.number, rows, profiles },
    tables: version.tables.map(({ facts: { name, title, publisher, licence, retrieved, reliability } }) => ({
      ...{ name, title, publisher, licence, retrieved, reliability },
    })),
  };
}

/** Returns the caveats that every answer includes, starting with what is missing. */
export function caveatsOf(version: DatasetVersion): string[] {
  const empty =
    version.tables.length === 0 ? ["Nothing has been imported: there are no rows and no profiles to show."] : [];
  const notes = version.tables.flatMap(({ facts: { note } }) => (note === null ? [] : [note]));
  return [
    ...empty,
    ...new Set(notes),
    "Deduplication is unfinished: several rows may be about one firm. Duplicates are proposed, never merged.",
    "Nothing in it is approved: rows are for discovery, and are not facts about a firm until they are checked.",
  ];
}

/** Counts rows by one of their dimensions, largest first. */
export function countedBy(version: DatasetVersion, table: TableName, dimension: string) {
  const groups = Map.groupBy(cellsOf(version, table), ({ dimensions }) => dimensions[dimension] || "not stated");
  return [...groups]
    .map(([name, cells]) => ({ name, rows: rowsIn(cells) }))
    .sort((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1));
}
