import type { StoredRun } from "../../runs/record.ts";
import type { ValidationStarted } from "./schema.ts";

/** Returns the response for a newly ordered validation. */
export const startedOf = ({ row }: StoredRun): ValidationStarted => ({
  simulation_id: row.id,
  status: row.finished_at === null ? "running" : "completed",
});
