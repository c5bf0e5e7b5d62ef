import type { Datasets, DatasetVersion, DataTable } from "../../../db/datasets.ts";
import { currentDatasetVersion } from "../../../db/queries/datasets.ts";
import type { Db } from "../../../db/store.ts";
import { failure } from "../../platform/errors.ts";
import type { DatasetFolder } from "./folder.ts";
import { starterTables } from "./starter/index.ts";
import { tableIds } from "./versions.ts";

export interface DatasetsOptions {
  /** A reader of committed state. */
  readonly db: Db;
  readonly folder: DatasetFolder;
  /** Opens a table's file. Throws if it can't be read. */
  readonly open: (file: string) => DataTable;
}

/**
 * Creates the datasets of an installation for engines and routes. A table's file never changes, so it is opened once.
 * The starter tables are part of every version.
 */
export function createDatasets({ db, folder, open }: DatasetsOptions): Datasets {
  const opened = new Map<string, { readonly dataset: string; readonly table: DataTable }>();
  const versions = new Map<string, DatasetVersion>();
  const starters = new Map<string, readonly DataTable[]>();

  function starter(dataset: string): readonly DataTable[] {
    const known = starters.get(dataset) ?? starterTables(dataset);
    starters.set(dataset, known);
    return known;
  }

  function tableOf(dataset: string, id: string): DataTable {
    const known = opened.get(id);
    if (known) return known.table;
    const file = folder.fileOf(id);
    try {
      const table = open(file);
      opened.set(id, { dataset, table });
      return table;
    } catch (error) {
      const cause = new Error(`the rows of an imported table of ${dataset} can't be read: ${file}`, { cause: error });
      throw failure("dataset_unavailable", cause);
    }
  }

  /**
   * Closes files that neither this version nor the previous one needs: an answer may still be reading the previous one.
   */
  function tidy(before: DatasetVersion | undefined, now: DatasetVersion): void {
    const needed = new Set([...(before?.tables ?? []), ...now.tables]);
    for (const [id, { dataset, table }] of opened)
      if (dataset === now.dataset && !needed.has(table)) {
        table.close();
        opened.delete(id);
      }
  }

  return {
    async current(dataset) {
      const row = await currentDatasetVersion.first(db, { dataset });
      const known = versions.get(dataset);
      if (known && known.number === (row?.number ?? 0)) return known;
      const ids = row ? tableIds(row) : [];
      const tables = [...ids.map((id) => tableOf(dataset, id)), ...starter(dataset)];
      const version = { dataset, number: row?.number ?? 0, tables };
      versions.set(dataset, version);
      tidy(known, version);
      return version;
    },
  };
}
