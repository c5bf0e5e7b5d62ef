import { type TableTrouble, troubleWith } from "../../../db/sqlite/dataset-file.ts";
import type { Db } from "../../../db/store.ts";
import { definitions } from "./definitions.ts";
import type { DatasetFolder } from "./folder.ts";
import { servingTables } from "./versions.ts";

/** A table that serves and can't be read, by its dataset, its name and the file that was imported. */
export interface MissingTable {
  readonly dataset: string;
  readonly table: string;
  readonly file: string;
  readonly why: TableTrouble;
}

/**
 * The tables that serve, counted, and those of them whose rows can't be read: a backup of the database has none, and a
 * copy of the folder may have broken off. `doctor`, `verify`, `restore` and the start ask.
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

/** As people read it. */
export const missingRows = ({ dataset, table, file, why }: MissingTable): string =>
  `the rows of ${dataset}: ${table} (${file}) are ${why}`;
