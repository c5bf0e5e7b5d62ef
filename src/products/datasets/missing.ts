import type { Db } from "../../../db/store.ts";
import { definitions } from "./definitions.ts";
import type { DatasetFolder } from "./folder.ts";
import { servingTables } from "./versions.ts";

/** A table that serves, by its dataset, its name and the file that was imported. */
export interface MissingTable {
  readonly dataset: string;
  readonly table: string;
  readonly file: string;
}

/**
 * The tables that serve, counted, and those of them whose rows are not in the folder: a backup of the database has none.
 * `doctor`, `verify`, `restore` and the start ask.
 */
export async function missingTables(
  db: Db,
  folder: DatasetFolder,
): Promise<{ readonly serving: number; readonly missing: readonly MissingTable[] }> {
  const all = await Promise.all(
    definitions.map(async ({ name: dataset }) => {
      const { tables = [] } = (await servingTables(db, dataset)) ?? {};
      return tables.map(({ id, name, file }) => ({ isThere: folder.has(id), shown: { dataset, table: name, file } }));
    }),
  );
  const missing = all.flat().filter(({ isThere }) => !isThere);
  return { serving: all.flat().length, missing: missing.map(({ shown }) => shown) };
}

/** As people read it. */
export const missingTableName = ({ dataset, table, file }: MissingTable): string => `${dataset}: ${table} (${file})`;
