import { type TableTrouble, troubleWith } from "../../../db/sqlite/dataset-file.ts";
import type { Db } from "../../../db/store.ts";
import { definitions } from "./definitions.ts";
import type { DatasetFolder } from "./folder.ts";
import { servingTables } from "./versions.ts";

/** An unreadable table of a serving version: its dataset, name and imported file. */
export interface MissingTable {
  readonly dataset: string;
  readonly table: string;
  readonly file: string;
  readonly why: TableTrouble;
}

/**
 * Returns the number of serving tables and those whose rows can't be read: a backup of the database has no rows, and
 * copying the folder may have been interrupted. Called by `doctor`, `verify`, `restore` and at start-up.
 */
export async function missingTables(
  db: Db,
  folder: DatasetFolder,
): Promise<{ readonly serving: number; readonly missing: readonly MissingTable[] }> {
  const all = await Promise.all(
    definitions.map(async ({ name: dataset }) => {
      const { tables = [] } = (await servingTables(db, dataset)) ?? {};
      return tables.map(({ id, name, file }) => {
        const why = troubleWith(folder.fileOf(id));
        return why === undefined ? [] : [{ dataset, table: name, file, why }];
      });
    }),
  );
  return { serving: all.flat().length, missing: all.flat(2) };
}

/** Returns the message for a missing table. */
export const missingRows = ({ dataset, table, file, why }: MissingTable): string =>
  `the rows of ${dataset}: ${table} (${file}) are ${why}`;
