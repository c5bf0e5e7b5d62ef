import { prepared } from "../prepared.ts";
import type { CheckpointTable } from "../schema/tables.ts";
import type { NewCheckpoint } from "../transition.ts";

/**
 * Inserts a checkpoint. If the same part was done twice at once, the first result wins. If its attempt has ended,
 * nothing is written, because nothing would clear it.
 */
export const insertCheckpoint = prepared<NewCheckpoint>((db, value) =>
  db
    .insertInto("checkpoints")
    .columns(["actor_id", "step", "key", "value_json"])
    .expression((eb) =>
      eb
        .selectFrom("effects")
        .select((row) => [
          row.val(value("actor_id")).as("actor_id"),
          row.val(value("step")).as("step"),
          row.val(value("key")).as("key"),
          row.val(value("value_json")).as("value_json"),
        ])
        .where("id", "=", value("effect_id")),
    )
    .onConflict((c) => c.doNothing()),
);

/** The stored result of a part of a step. */
export const checkpointOf = prepared<Omit<CheckpointTable, "value_json">, { value_json: string }>((db, value) =>
  db
    .selectFrom("checkpoints")
    .select("value_json")
    .where("actor_id", "=", value("actor_id"))
    .where("step", "=", value("step"))
    .where("key", "=", value("key")),
);

/** Deletes all checkpoints of a finished actor. */
export const deleteCheckpoints = prepared<{ actor_id: string }>((db, value) =>
  db.deleteFrom("checkpoints").where("actor_id", "=", value("actor_id")),
);

/** Deletes the checkpoints of a finished step while other steps of its actor continue. */
export const deleteCheckpointsOfStep = prepared<{ actor_id: string; step: string }>((db, value) =>
  db.deleteFrom("checkpoints").where("actor_id", "=", value("actor_id")).where("step", "=", value("step")),
);
