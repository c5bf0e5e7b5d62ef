import type { RunTable } from "../../db/schema/tables.ts";
import type { RunContext } from "../../machines/run.ts";
import type { StoredStep } from "./record.ts";

/** The states of the statechart by the statuses of the rows: a stored run is never between two of them. */
const values: Readonly<Record<RunTable["status"], string | object>> = {
  queued: "queued",
  running: { running: "performing" },
  awaiting_approval: "awaiting_approval",
  succeeded: "succeeded",
  failed: "failed",
  refused: "refused",
};

/**
 * The snapshot of a stored run, as `createStatechart` writes it: everything that the statechart knows stands in the row
 * and its steps, so that no copy of it could ever say otherwise.
 */
export function snapshotOf(row: RunTable, steps: readonly StoredStep[]): string {
  const context: RunContext = {
    steps: steps.map((step) => ({
      key: step.key,
      maximum: step.maximum_credits,
      approval: step.requires_approval,
      ...(step.needs && { needs: step.needs }),
      status: step.status,
      attempt: step.attempt,
      charged: step.charged_credits,
    })),
    reserved: row.reserved_credits,
    charged: row.charged_credits,
    released: row.released_credits,
    proposed: row.proposed_credits,
    reason: row.reason_code,
  };
  return JSON.stringify({ status: row.finished_at === null ? "active" : "done", value: values[row.status], context });
}
