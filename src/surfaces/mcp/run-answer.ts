import { Type as T } from "@sinclair/typebox";
import type { Registry } from "../../registry/registry.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { idempotencyHeader } from "../../runs/schema.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { type Answer, type Call, type Hints, reading, ToolFailure } from "./tool.ts";
import { type Stand, type WaitServices, waitFor } from "./wait.ts";

/** How long to wait between two looks at a run that goes on. */
const pollSeconds = 5;

/**
 * A run as a tool answers it: `result` by the capability's output schema, null until it has succeeded; `poll` while it
 * goes on. Every tool that runs something repeats this in every client's context, so that it says no more than it must.
 */
export const RunAnswer = T.Object({
  run_id: T.String(),
  status: T.String(),
  result: T.Unknown(),
  charged_credits: T.Integer(),
  maximum_credits: T.Integer(),
  poll: T.Optional(T.String()),
});

/** The same key as the header of the routes. */
export const IdempotencyKey = idempotencyHeader;

/** For what spends credits: two runs are paid twice. */
export const spending: Hints = { ...reading, readOnlyHint: false, idempotentHint: false };

/** What to do about the reasons that a caller can do something about. */
const nextAfter: Readonly<Record<string, string>> = {
  insufficient_credits: "Stop, and ask the firm's owner to top up. Do not retry before that.",
  capability_runs_disabled: "Retry later; it is not permanent.",
  capability_removed: "Do not retry: it is no longer offered.",
  input_too_costly: "Do not retry with the same text: send a shorter one, or split it into several calls.",
  step_timed_out: "Call again later, once. If it fails again, tell the operator the run's id.",
  dataset_unavailable: "Do not retry: tell the operator the run's id.",
  engine_failed: "Call again later, once. If it fails again, tell the operator the run's id.",
};

/**
 * A run that has failed or was refused is an error with its reason; any other is told with where to look again. The text
 * is whole: id, status and charges, then the result.
 */
function answerOf(run: StoredRun): Answer<typeof RunAnswer.static> {
  const { id, status, status_reason, result, charges } = runRecord(run);
  const { charged_credits, maximum_credits } = charges;
  const charged = `${charged_credits} of at most ${maximum_credits} credits charged`;
  if (status === "failed" || status === "refused")
    throw new ToolFailure(
      status_reason?.code ?? status,
      `${status_reason?.message ?? "The run did not succeed."} Run ${id} ${status}, ${charged}.`,
      nextAfter[status_reason?.code ?? ""] ??
        "Read the reason. A call begins a new run: repeat it only where it may pass.",
    );
  const value = { run_id: id, status, result, charged_credits, maximum_credits };
  const head = `Run ${id}: ${status}, ${charged}.`;
  if (status === "succeeded") return { value, text: `${head}\n\n${JSON.stringify(result)}` };
  const poll =
    status === "awaiting_approval"
      ? "It waits for a person's approval. Tell the person; it can't be given here."
      : `Poll it with get_run after ${pollSeconds} seconds; do not start it again.`;
  return { value: { ...value, poll }, text: `${head} ${poll}` };
}

/** A step begun counts for half of one. */
function standOf({ row, steps }: StoredRun): Stand {
  const rests = row.finished_at !== null || row.status === "awaiting_approval";
  const begun = steps.filter(({ status }) => status !== "pending").length;
  return { rests, done: rests ? steps.length : Math.max(0, begun - 0.5), total: steps.length, message: row.status };
}

/** What looking at a run takes. */
export interface RunWaitServices extends RunLookup, WaitServices {
  readonly registry: Registry;
}

/** Waits for a run that the caller may see, and answers as it is then. Throws `not_found`. */
export async function lookAtRun(services: RunWaitServices, call: Call, id: string) {
  const read = async () => runFor(services, call.principal, id);
  return answerOf(await waitFor(services, call, { id, read, stand: standOf }));
}
