import { prepared } from "../prepared.ts";
import type { CheckpointTable } from "../schema/tables.ts";
import type { NewCheckpoint } from "../transition.ts";

/**
 * The first one counts: a part that was done twice at once has one result. One whose attempt has ended meanwhile is not
 * written, since nobody would clear it.
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

/** What a part of a step came to. */
export const checkpointOf = prepared<Omit<CheckpointTable, "value_json">, { value_json: string }>((db, value) =>
  db
    .selectFrom("checkpoints")
    .select("value_json")
    .where("actor_id", "=", value("actor_id"))
    .where("step", "=", value("step"))
    .where("key", "=", value("key")),
);

/** All checkpoints of an actor that has ended. */
export const deleteCheckpoints = prepared<{ actor_id: string }>((db, value) =>
  db.deleteFrom("checkpoints").where("actor_id", "=", value("actor_id")),
);

/** The checkpoints of a step that has ended, while other steps of its actor go on. */
export const deleteCheckpointsOfStep = prepared<{ actor_id: string; step: string }>((db, value) =>
  db.deleteFrom("checkpoints").where("actor_id", "=", value("actor_id")).where("step", "=", value("step")),
);
