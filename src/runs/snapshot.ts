import type { RunTable } from "../../db/schema/tables.ts";
import type { RunContext } from "../../machines/run.ts";
import type { StoredStep } from "./record.ts";

/** The statechart's state for each status of a row. A stored run is never between two states. */
const values: Readonly<Record<RunTable["status"], string | object>> = {
  queued: "queued",
  running: { running: "performing" },
  awaiting_approval: "awaiting_approval",
  succeeded: "succeeded",
  failed: "failed",
  refused: "refused",
};

/**
 * Returns the snapshot of a stored run, as `createStatechart` writes it. Everything in the statechart's context is
 * derived from the row and its steps, so there is no second copy that could differ.
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
