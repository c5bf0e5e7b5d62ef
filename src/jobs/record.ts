import type { JobTable } from "../../db/schema/job-tables.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import type { Job } from "./schema.ts";
import { jobPath } from "./types.ts";

const refusals: Readonly<Record<string, string>> = {
  capability_runs_disabled:
    "The capability was disabled before the job started. Nothing was counted; submit the job again later.",
  entitlement_withdrawn: "The firm no longer has the required entitlement. Nothing was counted.",
};

/** Returns why a queued job was not started, in words. */
export const refusalMessage = (code: string): string =>
  refusals[code] ?? "The job could not be started. Nothing was counted.";

/** Returns a row as the API shows it. */
export function jobRecord(row: JobTable): Job {
  // A finished job has no stage, and the last one reported may have been an early one.
  const isGoing = row.finished_at === null;
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    stage: isGoing ? row.stage : null,
    progress: isGoing && row.total > 0 ? { completed: row.completed, total: row.total } : null,
    attempts: row.attempts,
    result: row.result_json === null ? null : JSON.parse(row.result_json),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
    created_at: rfc3339(row.created_at),
    started_at: rfc3339OrNull(row.started_at),
    finished_at: rfc3339OrNull(row.finished_at),
    links: { self: jobPath(row.type, row.id) },
  };
}
