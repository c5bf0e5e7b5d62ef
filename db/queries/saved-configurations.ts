import { prepared } from "../prepared.ts";
import type { SavedConfigurationTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import type { ConfigurationRun } from "../transition.ts";

export const insertSavedConfiguration = (db: Db, configuration: SavedConfigurationTable) =>
  db.insertInto("saved_configurations").values(configuration).execute();

export const savedConfigurationsOf = (
  db: Db,
  workspace_ids: readonly string[],
  limit: number,
  before?: string,
): Promise<SavedConfigurationTable[]> =>
  db
    .selectFrom("saved_configurations")
    .selectAll()
    .where("workspace_id", "in", [...workspace_ids])
    .$if(before !== undefined, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export const savedConfiguration = (
  db: Db,
  workspace_ids: readonly string[],
  id: string,
): Promise<SavedConfigurationTable | undefined> =>
  db
    .selectFrom("saved_configurations")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "in", [...workspace_ids])
    .executeTakeFirst();

export const touchSavedConfiguration = prepared<ConfigurationRun>((db, value) =>
  db
    .updateTable("saved_configurations")
    .set({ last_run_at: value("last_run_at") })
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id")),
);

/** Renames a saved configuration. Changes no row if it is in none of the workspaces. */
export const renameSavedConfiguration = (db: Db, workspace_ids: readonly string[], id: string, name: string) =>
  db
    .updateTable("saved_configurations")
    .set({ name })
    .where("id", "=", id)
    .where("workspace_id", "in", [...workspace_ids])
    .execute();

/** Deletes a saved configuration. Returns whether it existed. */
export async function deleteSavedConfiguration(db: Db, workspace_ids: readonly string[], id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("saved_configurations")
    .where("id", "=", id)
    .where("workspace_id", "in", [...workspace_ids])
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
