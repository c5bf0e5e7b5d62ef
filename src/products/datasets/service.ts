import { currentDatasetVersion } from "../../../db/queries/datasets.ts";
import type { Db } from "../../../db/store.ts";
import type { Datasets, DatasetVersion, DataTable } from "../../contracts/datasets.ts";
import type { DatasetFolder } from "./folder.ts";
import { starterTables } from "./starter/index.ts";
import { tableIds } from "./versions.ts";

export interface DatasetsOptions {
  /** Committed state. */
  readonly db: Db;
  readonly folder: DatasetFolder;
  /** Opens a table's file. Throws where it can't be read. */
  readonly open: (file: string) => DataTable;
}

/**
 * The datasets of an installation, as engines and routes read them. A table's file is opened once, since it never
 * changes; the tables that come with the program are part of every version.
 */
export function createDatasets({ db, folder, open }: DatasetsOptions): Datasets {
  const opened = new Map<string, DataTable>();
  const versions = new Map<string, DatasetVersion>();
  const starters = new Map<string, readonly DataTable[]>();

  function starter(dataset: string): readonly DataTable[] {
    const known = starters.get(dataset) ?? starterTables(dataset);
    starters.set(dataset, known);
    return known;
  }

  function tableOf(id: string): DataTable {
    const known = opened.get(id) ?? open(folder.fileOf(id));
    opened.set(id, known);
    return known;
  }

  return {
    async current(dataset) {
      const row = await currentDatasetVersion.first(db, { dataset });
      const known = versions.get(dataset);
      if (known && known.number === (row?.number ?? 0)) return known;
      const ids = row ? tableIds(row) : [];
      const version = { dataset, number: row?.number ?? 0, tables: [...ids.map(tableOf), ...starter(dataset)] };
      versions.set(dataset, version);
      return version;
    },
  };
}
