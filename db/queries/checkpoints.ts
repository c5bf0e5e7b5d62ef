import { prepared } from "../prepared.ts";
import type { CheckpointTable } from "../schema/tables.ts";

/** The first one counts: a part that was done twice at once has one result. */
export const insertCheckpoint = prepared<CheckpointTable>((db, value) =>
  db
    .insertInto("checkpoints")
    .values({
      actor_id: value("actor_id"),
      step: value("step"),
      key: value("key"),
      value_json: value("value_json"),
    })
    .onConflict((c) => c.doNothing()),
);

/** What a part of a step came to. */
export const checkpointOf = prepared<Omit<CheckpointTable, "value_json">, { value_json: string }>((db, value) =>
  db
    .selectFrom("checkpoints")
    .select("value_json")
    .where("actor_id", "=", value("actor_id"))
    .where("step", "=", value("step"))
    .where("key", "=", value("key")),
);

/** An actor's checkpoints go with the step that they belong to: one step is under way at a time. */
export const deleteCheckpoints = prepared<{ actor_id: string }>((db, value) =>
  db.deleteFrom("checkpoints").where("actor_id", "=", value("actor_id")),
);
