import { prepared } from "../prepared.ts";
import type { SnapshotTable } from "../schema/tables.ts";

export const insertSnapshot = prepared<SnapshotTable>((db, value) =>
  db.insertInto("snapshots").values({
    actor_id: value("actor_id"),
    machine: value("machine"),
    revision: value("revision"),
    snapshot_json: value("snapshot_json"),
  }),
);

export const snapshotOf = prepared<{ actor_id: string }, SnapshotTable>((db, value) =>
  db.selectFrom("snapshots").selectAll().where("actor_id", "=", value("actor_id")),
);

/** Writes the next snapshot. Changes no row if another writer was first. */
export const updateSnapshot = prepared<{ actor_id: string; revision: number; next: number; snapshot_json: string }>(
  (db, value) =>
    db
      .updateTable("snapshots")
      .set({ snapshot_json: value("snapshot_json"), revision: value("next") })
      .where("actor_id", "=", value("actor_id"))
      .where("revision", "=", value("revision")),
);
