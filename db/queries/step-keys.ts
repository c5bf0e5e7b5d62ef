import { prepared } from "../prepared.ts";
import type { StepKeyTable } from "../schema/tables.ts";

export const insertStepKey = prepared<StepKeyTable>((db, value) =>
  db.insertInto("step_keys").values({ run_id: value("run_id"), step: value("step"), sealed_key: value("sealed_key") }),
);

/** Destroys the keys of a run's steps, so that what they encrypted can never be read again. */
export const deleteStepKeys = prepared<{ actor_id: string }>((db, value) =>
  db.deleteFrom("step_keys").where("run_id", "=", value("actor_id")),
);

/** Destroys the key of one step. */
export const deleteStepKey = prepared<{ actor_id: string; step: string }>((db, value) =>
  db.deleteFrom("step_keys").where("run_id", "=", value("actor_id")).where("step", "=", value("step")),
);

/** The key of a step's output. The caller must have checked access to the run. */
export const stepKeyOf = prepared<Omit<StepKeyTable, "sealed_key">, StepKeyTable>((db, value) =>
  db.selectFrom("step_keys").selectAll().where("run_id", "=", value("run_id")).where("step", "=", value("step")),
);
