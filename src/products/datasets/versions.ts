import {
  currentDatasetVersion,
  datasetTablesOf,
  datasetVersions,
  forgetDatasetVersions,
  insertDatasetTable,
  insertDatasetVersion,
} from "../../../db/queries/datasets.ts";
import type { DatasetTableTable, DatasetVersionTable } from "../../../db/schema/dataset-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { appendAudit } from "../../execution/audit.ts";

/** Versions of datasets and their tables. A version is published, or rolled back to, in one transaction. */

/** Number of versions kept for rollback, including the current one. */
export const keptVersions = 10;

export interface Change {
  readonly actor: string;
  readonly at: number;
}

/** Returns the ids of a version's tables. */
export const tableIds = ({ tables_json }: Pick<DatasetVersionTable, "tables_json">): readonly string[] =>
  JSON.parse(tables_json);

async function add(
  tx: Db,
  dataset: string,
  ids: readonly string[],
  cause: DatasetVersionTable["cause"],
  change: Change,
) {
  const before = await currentDatasetVersion.first(tx, { dataset });
  const number = (before?.number ?? 0) + 1;
  await insertDatasetVersion(tx, { dataset, number, tables_json: JSON.stringify(ids), cause, created_at: change.at });
  const kept = (await datasetVersions(tx, dataset)).slice(0, keptVersions);
  await forgetDatasetVersions(tx, dataset, kept.at(-1)?.number ?? 0, kept.flatMap(tableIds));
  await appendAudit(tx, {
    ...change,
    action: `dataset.${cause}`,
    subject: dataset,
    firm_id: null,
    data: { number, tables: ids.length },
  });
  return number;
}

/** Returns the serving imported tables and their version; `undefined` if only the starter tables serve. */
export async function servingTables(db: Db, dataset: string) {
  const version = await currentDatasetVersion.first(db, { dataset });
  const ids = version ? tableIds(version) : [];
  if (!version || ids.length === 0) return undefined;
  return { number: version.number, tables: (await datasetTablesOf(db, dataset)).filter(({ id }) => ids.includes(id)) };
}

/** Publishes tables in one transaction, each replacing the one of the same name. Returns the new version's number. */
export const publishTables = (
  store: Store,
  dataset: string,
  tables: readonly DatasetTableTable[],
  change: Change,
): Promise<number> =>
  store.write(async (tx) => {
    const before = await currentDatasetVersion.first(tx, { dataset });
    const known = new Map((await datasetTablesOf(tx, dataset)).map((table) => [table.id, table]));
    const names = new Set(tables.map(({ name }) => name));
    const staying = (before ? tableIds(before) : []).filter((id) => !names.has(known.get(id)?.name ?? ""));
    for (const table of tables) await insertDatasetTable(tx, table);
    return add(tx, dataset, [...staying, ...tables.map(({ id }) => id)], "import", change);
  });

/**
 * Publishes an earlier version again as a new one, so that the versions in between are kept. 0 stands for the starter
 * tables alone. Returns the new version's number; `undefined` if there is no such version.
 */
export const rollBack = (store: Store, dataset: string, to: number, change: Change): Promise<number | undefined> =>
  store.write(async (tx) => {
    const target = (await datasetVersions(tx, dataset)).find(({ number }) => number === to);
    if (!target && to !== 0) return undefined;
    return add(tx, dataset, target ? tableIds(target) : [], "rollback", change);
  });
