import { Type as T } from "@sinclair/typebox";
import type { Registry } from "../../registry/registry.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { Run, type Step } from "../../runs/schema.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { freshKeyAdvice } from "./idempotency.ts";
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

/** The same of a look at a run, with the whole record. */
export const RunRecordAnswer = T.Object({ ...RunAnswer.properties, ...Run.properties });

/** For what spends credits: two runs are paid twice. */
export const spending: Hints = { ...reading, readOnlyHint: false, idempotentHint: false };

const laterOnce = `Repeat the call later, once. ${freshKeyAdvice} If it fails again, tell the operator the run's id.`;

/** What to do about the reasons that a caller can do something about. */
const nextAfter: Readonly<Record<string, string>> = {
  insufficient_credits: `Stop, and ask the firm's owner to top up. Do not retry before that. ${freshKeyAdvice}`,
  capability_runs_disabled: `Retry later; it is not permanent. ${freshKeyAdvice}`,
  capability_removed: "Do not retry: it is no longer offered.",
  input_too_costly: "Do not retry with the same text: send a shorter one, or split it into several calls.",
  step_timed_out: laterOnce,
  dataset_unavailable: "Do not retry: tell the operator the run's id.",
  engine_failed: laterOnce,
};

const otherwiseNext = `Read the reason; get_run shows what was delivered. Repeat the call only where it may pass. ${freshKeyAdvice}`;

const pollOf = (status: Run["status"]): string =>
  status === "awaiting_approval"
    ? "It waits for a person's approval. Tell the person; it can't be given here."
    : `Poll it with get_run after ${pollSeconds} seconds; do not start it again.`;

const hasFailed = ({ status }: Run): boolean => status === "failed" || status === "refused";
const chargeOf = ({ charges }: Run): string =>
  `${charges.charged_credits} of at most ${charges.maximum_credits} credits charged`;

/** What is told of a run, whoever asks: its handle, how it stands, and what there is to do while it goes on. */
function toldOf(run: Run) {
  const { id, status, result, charges, finished_at } = run;
  const { charged_credits, maximum_credits } = charges;
  const poll = finished_at === null ? pollOf(status) : undefined;
  const value = { run_id: id, status, result, charged_credits, maximum_credits, ...(poll && { poll }) };
  return { value, head: `Run ${id}: ${status}, ${chargeOf(run)}.${poll ? ` ${poll}` : ""}` };
}

/** A call that was to be carried out, and failed or was refused, is an error with its reason. */
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

/** What there is of a run's results: the whole, or what its steps have delivered so far. */
function deliveredBy({ status, result, steps }: Run): unknown {
  if (status === "succeeded") return result;
  const delivered = steps.filter((step) => step.result !== null);
  return delivered.length > 0 ? Object.fromEntries(delivered.map((step) => [step.key, step.result])) : null;
}

/** However the run has ended, whoever looks at it has found it: the record as REST gives it, in full. */
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

/** Waits for a run that the caller may see. Throws `not_found`. */
async function restingRun(services: RunWaitServices, call: Call, id: string): Promise<Run> {
  const read = async () => runFor(services, call.principal, id);
  const found = await waitFor(services, call, { id, read, stand: standOf });
  return runRecord(found, false, services.recentRuns.progressOf(id));
}

/** What has become of a run that the call has begun, or has begun before with the same key. */
export const followRun = async (services: RunWaitServices, call: Call, id: string) =>
  outcomeOf(await restingRun(services, call, id));

/** Waits for a run that the caller may see, and shows it as it is then. Throws `not_found`. */
export const lookAtRun = async (services: RunWaitServices, call: Call, id: string) =>
  recordOf(await restingRun(services, call, id));
