import { deleteEffect, insertEffect } from "../../db/queries/effects.ts";
import { insertJob, jobById, updateJob } from "../../db/queries/jobs.ts";
import { insertSnapshot, snapshotOf, updateSnapshot } from "../../db/queries/snapshots.ts";
import type { JobTable } from "../../db/schema/job-tables.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/sqlite/connection.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type JobAction, type JobContext, type JobEvent, jobMachine } from "../../machines/job.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import { appendAudit } from "../execution/audit.ts";
import { backoff } from "../execution/backoff.ts";
import { createTransitions, type Stepped } from "../execution/transitions.ts";
import { giveBackMonthly } from "../execution/usage/quota.ts";
import { present } from "../platform/assert.ts";
import { engineOf } from "./types.ts";

/** The job's statechart as the host uses it: transitions, and the rows that follow from each. */
export const jobTransitions = createTransitions<typeof jobMachine, JobContext, JobAction>(jobMachine);
export const jobMachineName = "job";

type JobStep = Stepped<JobContext, JobAction>;

/** A job as the host holds it: its row, its stored snapshot, and how often that was written. */
export interface JobActor {
  readonly row: JobTable;
  readonly revision: number;
  readonly snapshot: string;
}

/** What comes with an event and is no business of the machine's. */
export interface JobNote {
  readonly at: number;
  /** Who caused it, as the audit log names actors. */
  readonly actor: string;
  readonly result?: unknown;
  readonly engine?: EngineIdentity;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface JobMoved {
  readonly actor: JobActor;
  readonly effects: readonly EffectTable[];
}

/** A job's row before anything has happened to it. */
export type NewJob = Pick<
  JobTable,
  "id" | "firm_id" | "workspace_id" | "user_id" | "api_key_id" | "type" | "input_json" | "quota" | "created_at"
>;

const asStatus = (state: string): JobTable["status"] => state as JobTable["status"];

/** The row as the machine has it now, with what only the host knows. */
function next(row: JobTable, stepped: JobStep, note: JobNote): JobTable {
  const { attempts, stage, completed, total } = stepped.context;
  const status = asStatus(stepped.state);
  return {
    ...row,
    status,
    stage,
    completed,
    total,
    attempts,
    result_json: status === "succeeded" ? JSON.stringify(note.result) : row.result_json,
    engine_json: note.engine ? JSON.stringify(note.engine) : row.engine_json,
    error_code: status === "failed" ? stepped.context.reason : null,
    error_message: status === "failed" ? (note.error?.message ?? null) : null,
    started_at: row.started_at ?? (status === "running" ? note.at : null),
    finished_at: stepped.done ? note.at : null,
  };
}

/** `random`: uniform in [0, 1), for the jitter of retries. */
export function createJobActors(random: () => number) {
  const attemptEffect = (row: JobTable, attempt: number, at: number): EffectTable => ({
    id: `${row.id}:${attempt}`,
    actor_id: row.id,
    machine: jobMachineName,
    firm_id: row.firm_id,
    kind: "attempt",
    engine: engineOf(row.type),
    payload_json: JSON.stringify({ attempt }),
    due_at: attempt > 1 ? at + backoff(attempt, random) : at,
  });

  /** What a transition brings with it besides the snapshot and the job's own row. */
  async function consequences(tx: Db, row: JobTable, stepped: JobStep, note: JobNote, action: string) {
    const effects: EffectTable[] = [];
    for (const order of stepped.actions) {
      if (order.type !== "perform") continue;
      const effect = attemptEffect(row, order.attempt, note.at);
      await insertEffect.run(tx, effect);
      effects.push(effect);
    }
    const data = { type: row.type, status: row.status, attempts: row.attempts, reason: row.error_code };
    const { at, actor } = note;
    await appendAudit(tx, { at, firm_id: row.firm_id, actor, action, subject: row.id, data });
    return effects;
  }

  const actors = {
    /** Makes the job's rows: queued, with the effect that is its first attempt. */
    async create(tx: Db, job: NewJob, actor: string): Promise<JobMoved> {
      const stepped = jobTransitions.initial({});
      const told = { attempts: 0, stage: null, completed: 0, total: 0, status: "queued" as const };
      const empty = { result_json: null, engine_json: null, error_code: null, error_message: null };
      const row: JobTable = { ...job, ...told, ...empty, started_at: null, finished_at: null };
      const { id: actor_id } = row;
      await insertJob.run(tx, row);
      const snapshot_json = stepped.snapshot;
      await insertSnapshot.run(tx, { actor_id, machine: jobMachineName, revision: 1, snapshot_json });
      const effects = await consequences(tx, row, stepped, { at: job.created_at, actor }, "job.accept");
      return { actor: { row, revision: 1, snapshot: snapshot_json }, effects };
    },

    /** Loads a job for a transition. */
    async load(tx: Db, id: string): Promise<JobActor> {
      const row = present(await jobById.first(unscoped(tx), { id }), "the job of an effect");
      const stored = present(await snapshotOf.first(tx, { actor_id: id }), "the snapshot of a job");
      return { row, revision: stored.revision, snapshot: stored.snapshot_json };
    },

    /** Takes the actor one event further. An event that its state does not take changes nothing. */
    async move(tx: Db, actor: JobActor, event: JobEvent, note: JobNote): Promise<JobMoved> {
      const stepped = jobTransitions.next(actor.snapshot, event);
      if (stepped.snapshot === actor.snapshot) return { actor, effects: [] };
      const revision = actor.revision + 1;
      const stored = await updateSnapshot.run(tx, {
        actor_id: actor.row.id,
        revision: actor.revision,
        next: revision,
        snapshot_json: stepped.snapshot,
      });
      // It was loaded in this transaction, so nobody else can have moved it.
      present(stored || undefined, "the snapshot that was just read");
      const { firm_id, quota, created_at } = actor.row;
      const givesBack = stepped.actions.some(({ type }) => type === "giveBack");
      if (givesBack && quota !== null) await giveBackMonthly(tx, firm_id, quota, created_at);
      const row = { ...next(actor.row, stepped, note), quota: givesBack ? null : quota };
      await updateJob.run(tx, row);
      // How far an attempt is, is nothing that anybody has to answer for.
      const isToldOnly = event.type === "PROGRESS";
      const action = `job.${event.type.toLowerCase()}`;
      const effects = isToldOnly ? [] : await consequences(tx, row, stepped, note, action);
      return { actor: { row, revision, snapshot: stepped.snapshot }, effects };
    },

    /** Takes the job on by an event that is no outcome: an attempt's begin, or what it tells of itself. */
    async tell(tx: Db, id: string, event: JobEvent, note: JobNote): Promise<JobActor> {
      return (await actors.move(tx, await actors.load(tx, id), event, note)).actor;
    },

    /** Takes the job on by the outcome of an effect, which is done with that. One that was done already: undefined. */
    async conclude(tx: Db, effect: EffectTable, event: JobEvent, note: JobNote): Promise<JobMoved | undefined> {
      if ((await deleteEffect.run(tx, { id: effect.id })) === 0) return undefined;
      return actors.move(tx, await actors.load(tx, effect.actor_id), event, note);
    },
  };
  return actors;
}

export type JobActors = ReturnType<typeof createJobActors>;
