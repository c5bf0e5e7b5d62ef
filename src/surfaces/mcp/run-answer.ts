import { Type as T } from "@sinclair/typebox";
import type { Registry } from "../../registry/registry.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { Run, type Step } from "../../runs/schema.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { freshKeyAdvice } from "./idempotency.ts";
import { type Answer, type Call, type Hints, reading, ToolFailure } from "./tool.ts";
import { type Stand, type WaitServices, waitFor } from "./wait.ts";

/** Seconds to wait between two polls of an unfinished run. */
const pollSeconds = 5;

/**
 * A run as tools return it: `result` matches the capability's output schema and is null until the run has succeeded;
 * `poll` is set while it is unfinished. Every tool that runs something repeats this schema in every client's context,
 * so it is kept short.
 */
export const RunAnswer = T.Object({
  run_id: T.String(),
  status: T.String(),
  result: T.Unknown(),
  charged_credits: T.Integer(),
  maximum_credits: T.Integer(),
  poll: T.Optional(T.String()),
});

/** The same, with the whole record of the run. */
export const RunRecordAnswer = T.Object({ ...RunAnswer.properties, ...Run.properties });

/** Hints for tools that spend credits: two runs are charged twice. */
export const spending: Hints = { ...reading, readOnlyHint: false, idempotentHint: false };

const laterOnce = `Repeat the call later, once. ${freshKeyAdvice} If it fails again, tell the operator the run's id.`;

/** Advice for the failure reasons that a caller can act on. */
const nextAfter: Readonly<Record<string, string>> = {
  insufficient_credits: `Stop. The firm's owner can ask the operator to top up; do not retry before that. ${freshKeyAdvice}`,
  capability_runs_disabled: `Retry later; it is not permanent. ${freshKeyAdvice}`,
  capability_removed: "Do not retry: it is no longer offered.",
  capability_replaced: `Read its contract and price again, then repeat the call. ${freshKeyAdvice}`,
  input_too_costly: "Do not retry with the same text: send a shorter one, or split it into several calls.",
  step_timed_out: laterOnce,
  dataset_unavailable: "Do not retry: tell the operator the run's id.",
  engine_failed: laterOnce,
};

const otherwiseNext = `Read the reason; get_run shows what was delivered. Repeat the call only if it may succeed. ${freshKeyAdvice}`;

const pollOf = (status: Run["status"]): string =>
  status === "awaiting_approval"
    ? "It is waiting for a person's approval, which can't be given here. Tell the person."
    : `Poll it with get_run after ${pollSeconds} seconds; do not start it again.`;

const hasFailed = ({ status }: Run): boolean => status === "failed" || status === "refused";
const chargeOf = ({ charges }: Run): string =>
  `${charges.charged_credits} of at most ${charges.maximum_credits} credits charged`;

/** Returns the common part of all answers: id, status, charges, and what to do while the run is unfinished. */
function toldOf(run: Run) {
  const { id, status, result, charges, finished_at } = run;
  const { charged_credits, maximum_credits } = charges;
  const poll = finished_at === null ? pollOf(status) : undefined;
  const value = { run_id: id, status, result, charged_credits, maximum_credits, ...(poll && { poll }) };
  return { value, head: `Run ${id}: ${status}, ${chargeOf(run)}.${poll ? ` ${poll}` : ""}` };
}

/** Returns the outcome of a started run. Throws `ToolFailure` with the reason if it failed or was refused. */
function outcomeOf(run: Run): Answer<typeof RunAnswer.static> {
  const { id, status, status_reason, result } = run;
  if (hasFailed(run))
    throw new ToolFailure(
      status_reason?.code ?? status,
      `${status_reason?.message ?? "The run did not succeed."} Run ${id} ${status}, ${chargeOf(run)}.`,
      nextAfter[status_reason?.code ?? ""] ?? otherwiseNext,
    );
  const { value, head } = toldOf(run);
  return { value, text: status === "succeeded" ? `${head}\n\n${JSON.stringify(result)}` : head };
}

const stepLine = ({ key, status, charged_credits, maximum_credits, error }: Step): string =>
  `- ${key}: ${status}, ${charged_credits} of at most ${maximum_credits} credits${error ? `; ${error.message}` : ""}`;

/** Returns the run's result, or what its steps have delivered so far. */
function deliveredBy({ status, result, steps }: Run): unknown {
  if (status === "succeeded") return result;
  const delivered = steps.filter((step) => step.result !== null);
  return delivered.length > 0 ? Object.fromEntries(delivered.map((step) => [step.key, step.result])) : null;
}

/** Returns the run's full record, as REST does. A failed run is not an error here: the lookup succeeded. */
function recordOf(run: Run): Answer<typeof RunRecordAnswer.static> {
  const { value, head } = toldOf(run);
  const { status_reason, steps } = run;
  const delivered = deliveredBy(run);
  const text = [
    status_reason ? `${head} ${status_reason.message} (${status_reason.code})` : head,
    ...(steps.length > 1 ? [steps.map(stepLine).join("\n")] : []),
    ...(delivered === null ? [] : [JSON.stringify(delivered)]),
  ].join("\n\n");
  return { value: { ...value, ...run }, text };
}

/** Returns the run's progress. A started step counts as half. */
function standOf({ row, steps }: StoredRun): Stand {
  const rests = row.finished_at !== null || row.status === "awaiting_approval";
  const begun = steps.filter(({ status }) => status !== "pending").length;
  return { rests, done: rests ? steps.length : Math.max(0, begun - 0.5), total: steps.length, message: row.status };
}

/** Services used to look up a run. */
export interface RunWaitServices extends RunLookup, WaitServices {
  readonly registry: Registry;
}

/** Waits for a run that the caller may see. Throws `not_found`. */
async function restingRun(services: RunWaitServices, call: Call, id: string): Promise<Run> {
  const read = async () => runFor(services, call.principal, id);
  const found = await waitFor(services, call, { id, read, stand: standOf });
  return runRecord(found, false, services.recentRuns.progressOf(id));
}

/** Waits for the run that the call started, now or earlier with the same key, and returns its outcome. */
export const followRun = async (services: RunWaitServices, call: Call, id: string) =>
  outcomeOf(await restingRun(services, call, id));

/** Waits for a run that the caller may see, and returns its record. Throws `not_found`. */
export const lookAtRun = async (services: RunWaitServices, call: Call, id: string) =>
  recordOf(await restingRun(services, call, id));
