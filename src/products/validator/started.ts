import type { StoredRun } from "../../runs/record.ts";
import type { ValidationStarted } from "./schema.ts";

/** A validation that was ordered, as it is at once. */
export const startedOf = ({ row }: StoredRun): ValidationStarted => ({
  simulation_id: row.id,
  status: row.finished_at === null ? "running" : "completed",
});
