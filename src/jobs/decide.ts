import type { JobTable } from "../../db/schema/job-tables.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Transition } from "../../db/transition.ts";
import { type JobAction, type JobContext, type JobEvent, jobMachine } from "../../machines/job.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import { backoff } from "../execution/backoff.ts";
import type { Decision } from "../execution/host.ts";
import { leased } from "../execution/leases.ts";
import { createStatechart, type Stepped } from "../execution/statechart.ts";
import { transitionOf } from "../execution/transition.ts";
import { refundMonthly } from "../execution/usage/quota.ts";
import { sha256Hex } from "../platform/ids.ts";
import type { Runtime } from "../platform/runtime.ts";
import { engineOf } from "./types.ts";

/** The job's statechart, as the host uses it. */
export const jobStatechart = createStatechart<typeof jobMachine, JobContext, JobAction>(jobMachine);
export const jobMachineName = "job";

type JobStep = Stepped<JobContext, JobAction>;

/** A job in memory: its row, its stored snapshot, and the snapshot's revision. */
export interface JobState {
  readonly row: JobTable;
  readonly revision: number;
  readonly snapshot: string;
}

/** Data that accompanies an event and that the statechart does not use. */
export interface JobEventContext {
  readonly at: number;
  /** Who caused it, as an actor of the audit log. */
  readonly actor: string;
  readonly result?: unknown;
  readonly engine?: EngineIdentity;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A job's row before its first event. */
export type NewJob = Pick<
  JobTable,
  "id" | "firm_id" | "workspace_id" | "user_id" | "api_key_id" | "type" | "input_json" | "quota" | "created_at"
>;

/** Randomness, for the jitter of retries, and the process that carries out the attempts. */
export interface JobRules extends Pick<Runtime, "random"> {
  readonly owner: string;
}

const asStatus = (state: string): JobTable["status"] => state as JobTable["status"];

/** Returns the row in the statechart's current state, with the data that only the host has. */
function rowAfter(row: JobTable, stepped: JobStep, context: JobEventContext): JobTable {
  const { attempts, stage, completed, total } = stepped.context;
  const status = asStatus(stepped.state);
  const isRefunded = stepped.actions.some(({ type }) => type === "refund");
  return {
    ...row,
    status,
    stage,
    completed,
    total,
    attempts,
    result_json: status === "succeeded" ? JSON.stringify(context.result) : row.result_json,
    engine_json: context.engine ? JSON.stringify(context.engine) : row.engine_json,
    error_code: status === "failed" ? stepped.context.reason : null,
    error_message: status === "failed" ? (context.error?.message ?? null) : null,
    quota: isRefunded ? null : row.quota,
    started_at: row.started_at ?? (status === "running" ? context.at : null),
    finished_at: stepped.done ? context.at : null,
  };
}

function attemptEffect(row: JobTable, attempt: number, at: number, { random, owner }: JobRules): EffectTable {
  const due_at = attempt > 1 ? at + backoff(attempt, random) : at;
  return {
    id: `${row.id}:${attempt}`,
    actor_id: row.id,
    machine: jobMachineName,
    firm_id: row.firm_id,
    kind: "attempt",
    engine: engineOf(row.type),
    payload_json: JSON.stringify({ attempt }),
    due_at,
    ...leased(owner, due_at),
  };
}

const effectsOf = (row: JobTable, { actions }: JobStep, at: number, rules: JobRules): EffectTable[] =>
  actions.flatMap((action) => (action.type === "perform" ? [attemptEffect(row, action.attempt, at, rules)] : []));

function auditOf(row: JobTable, action: string, { at, actor }: JobEventContext): Transition["audit"] {
  const { type, status, attempts, error_code: reason, result_json } = row;
  // The bytes as stored; `verify.ts` computes the same hash.
  const result = result_json === null ? {} : { result_sha256: sha256Hex(result_json) };
  const data = { type, status, attempts, reason, ...result };
  return [{ at, firm_id: row.firm_id, actor, action, subject: row.id, data }];
}

/** Accepts a job: queued, with the effect that makes its first attempt. Called by `service.ts`. */
export function decideNewJob(job: NewJob, actor: string, rules: JobRules): Decision<JobState> {
  const stepped = jobStatechart.initial({});
  const progress = { attempts: 0, stage: null, completed: 0, total: 0, status: "queued" as const };
  const empty = { result_json: null, engine_json: null, error_code: null, error_message: null };
  const row: JobTable = { ...job, ...progress, ...empty, started_at: null, finished_at: null };
  const at = job.created_at;
  const snapshot = { actor_id: row.id, machine: jobMachineName, revision: 1, snapshot_json: stepped.snapshot };
  return {
    state: { row, revision: 1, snapshot: stepped.snapshot },
    transition: transitionOf({
      actors: [{ write: "job.insert", row, snapshot }],
      effects: { add: effectsOf(row, stepped, at, rules), remove: [] },
      audit: auditOf(row, "job.accept", { at, actor }),
    }),
  };
}

/** Decides one event of a stored job. Progress is not audited. */
function decideEvent(state: JobState, event: JobEvent, context: JobEventContext, rules: JobRules) {
  const stepped = jobStatechart.next(state.snapshot, event);
  if (stepped.snapshot === state.snapshot) return undefined;
  const revision = state.revision + 1;
  const row = rowAfter(state.row, stepped, context);
  const { firm_id, quota, created_at } = state.row;
  const isRefunded = quota !== null && row.quota === null;
  const isProgress = event.type === "PROGRESS";
  return {
    state: { row, revision, snapshot: stepped.snapshot },
    effects: isProgress ? [] : effectsOf(row, stepped, context.at, rules),
    counters: isRefunded ? [refundMonthly(firm_id, quota, created_at)] : [],
    audit: isProgress ? [] : auditOf(row, `job.${event.type.toLowerCase()}`, context),
  };
}

/** Decides a sequence of events of a stored job. Returns undefined if its state accepts none of them. */
export function decideJob(
  stored: JobState,
  events: readonly JobEvent[],
  context: JobEventContext,
  rules: JobRules,
): Decision<JobState> | undefined {
  let state = stored;
  const decided = events.flatMap((event) => {
    const one = decideEvent(state, event, context, rules);
    if (one) state = one.state;
    return one ?? [];
  });
  if (decided.length === 0) return undefined;
  const { row, revision, snapshot } = state;
  const written = { actor_id: row.id, machine: jobMachineName, revision, snapshot_json: snapshot };
  return {
    state,
    transition: transitionOf({
      actors: [{ write: "job.update", row, snapshot: written, known: stored.revision }],
      effects: { add: decided.flatMap(({ effects }) => effects), remove: [] },
      checkpoints: { put: [], clear: row.finished_at === null ? [] : [{ actor_id: row.id }] },
      counters: decided.flatMap(({ counters }) => counters),
      audit: decided.flatMap(({ audit }) => audit),
    }),
  };
}
