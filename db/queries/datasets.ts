import { prepared } from "../prepared.ts";
import type { DatasetTableTable, DatasetVersionTable } from "../schema/dataset-tables.ts";
import type { Db } from "../store.ts";

/** The current version; `undefined` if nothing was imported. */
export const currentDatasetVersion = prepared<{ dataset: string }, DatasetVersionTable>((db, value) =>
  db
    .selectFrom("dataset_versions")
    .selectAll()
    .where("dataset", "=", value("dataset"))
    .orderBy("number", "desc")
    .limit(1),
);

/** The versions of one dataset or of all, newest first. */
export const datasetVersions = (db: Db, dataset?: string): Promise<DatasetVersionTable[]> =>
  db
    .selectFrom("dataset_versions")
    .selectAll()
    .$if(dataset !== undefined, (q) => q.where("dataset", "=", dataset ?? ""))
    .orderBy("dataset")
    .orderBy("number", "desc")
    .execute();

export const datasetTablesOf = (db: Db, dataset: string): Promise<DatasetTableTable[]> =>
  db.selectFrom("dataset_tables").selectAll().where("dataset", "=", dataset).orderBy("name").execute();

/** The tables of all datasets, whose files must exist. */
export const allDatasetTables = (db: Db): Promise<DatasetTableTable[]> =>
  db.selectFrom("dataset_tables").selectAll().orderBy("id").execute();

export const insertDatasetTable = (db: Db, table: DatasetTableTable) =>
  db.insertInto("dataset_tables").values(table).execute();

export const insertDatasetVersion = (db: Db, version: DatasetVersionTable) =>
  db.insertInto("dataset_versions").values(version).execute();

/** Deletes versions before `number`, and the tables that no remaining version contains. */
export async function forgetDatasetVersions(db: Db, dataset: string, number: number, tables: readonly string[]) {
  await db.deleteFrom("dataset_versions").where("dataset", "=", dataset).where("number", "<", number).execute();
  await db.deleteFrom("dataset_tables").where("dataset", "=", dataset).where("id", "not in", tables).execute();
}
