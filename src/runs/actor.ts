import type { Db } from "../../db/connection.ts";
import { fill } from "../../db/derived.ts";
import { deleteEffect, insertEffect } from "../../db/effects.ts";
import { insertReceipt, insertRun, type PlacedRun, runById, updateRun } from "../../db/runs.ts";
import type { EffectTable, RunStatus, RunTable } from "../../db/tables.ts";
import { asHost } from "../../db/tenancy.ts";
import { countUse } from "../../db/uses.ts";
import { type RunAction, type RunContext, type RunEvent, runMachine } from "../../machines/run.ts";
import { type Movement, post, reserve } from "../credits/ledger.ts";
import type { Keyring } from "../identity/keyring.ts";
import { present } from "../platform/assert.ts";
import { day, rfc3339 } from "../platform/clock.ts";
import { appendAudit } from "../workflow/audit.ts";
import { backoff } from "../workflow/backoff.ts";
import type { EngineIdentity } from "../workflow/engine.ts";
import { createTransitions, type Stepped } from "../workflow/transitions.ts";
import { receiptPayload } from "./receipt.ts";
import { approvalOf, type StoredRun, type StoredStep, stepsOf } from "./record.ts";
import { type Approval, receiptType } from "./schema.ts";
import { snapshotOf } from "./snapshot.ts";

/** The run's statechart as the host uses it: transitions, and the rows that follow from each. */
export const runTransitions = createTransitions<typeof runMachine, RunContext, RunAction>(runMachine);
export const runMachineName = "run";

type RunStep = Stepped<RunContext, RunAction>;

/** A run as the host holds it: its row, the steps in it, and the snapshot that these two say. */
export interface RunActor extends StoredRun {
  readonly snapshot: string;
}

/** What comes with an event and is no business of the machine's. */
export interface Note {
  readonly at: number;
  /** Who caused it, as the audit log names actors. */
  readonly actor: string;
  readonly result?: unknown;
  readonly engine?: EngineIdentity;
  readonly error?: { readonly code: string; readonly message: string };
  readonly decision?: { readonly decision: "approve" | "reject"; readonly by: string; readonly comment: string | null };
}

export interface ActorOptions {
  readonly keyring: Keyring;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** Which part of a step's charge goes to its provider, in credits. */
  readonly providerShare: (capability: string) => { name: string; credits: number } | undefined;
}

/** A row and the steps that its JSON holds. A run that is being accepted has no place yet. */
interface Next<Row extends RunTable = RunTable> {
  readonly row: Row;
  readonly steps: readonly StoredStep[];
}

/** A transition thought through before its transaction, with the receipt where it is the last one. */
export interface Planned {
  readonly stepped: RunStep;
  readonly run: Next<PlacedRun>;
  readonly receipt: string | undefined;
}

export interface Moved {
  readonly actor: RunActor;
  readonly effects: readonly EffectTable[];
}

/** An approval that nobody decides expires after this. */
const approvalLifetime = 7 * day;

/** A row waiting for its reservation: what `accept.ts` starts from. */
export type NewRun = Omit<RunTable, "steps_json" | "status" | "revision" | "proposed_credits"> & {
  readonly steps: readonly StoredStep[];
};

/** The event that a run was accepted with: it starts at once, or waits for its turn. */
export type Accepted = "start" | "wait";

const startEffectId = (run: string): string => `${run}:start`;
const stepEffectId = (run: string, step: string, attempt: number): string => `${run}:${step}:${attempt}`;
const expiryEffectId = (run: string, step: string): string => `${run}:${step}:expiry`;

/** The effect of a step's attempt. Its id is the attempt's; its payload names the step. */
function stepEffect(row: RunTable, step: string, attempt: number, capability: string, due_at: number): EffectTable {
  return {
    id: stepEffectId(row.id, step, attempt),
    actor_id: row.id,
    machine: runMachineName,
    firm_id: row.firm_id,
    kind: "step",
    engine: capability,
    payload_json: JSON.stringify({ step, attempt }),
    due_at,
  };
}

const capabilityOf = (steps: readonly StoredStep[], key: string): string =>
  steps.find((step) => step.key === key)?.capability ?? "";

const asStatus = (state: string): RunStatus => state as RunStatus;

/** The steps as the machine has them now, with the times and results that only the host knows. */
function mergeSteps(stored: readonly StoredStep[], context: RunContext, event: RunEvent, note: Note): StoredStep[] {
  const now = rfc3339(note.at);
  return stored.map((step, i) => {
    const state = present(context.steps[i], "a step of the machine");
    const own = "step" in event && event.step === step.key;
    const ended = state.status === "succeeded" || state.status === "failed" || state.status === "withheld";
    const withheld = state.status === "withheld" || state.status === "skipped";
    return {
      ...step,
      status: state.status,
      attempt: state.attempt,
      charged_credits: state.charged,
      started_at: step.started_at ?? (state.status === "running" ? now : null),
      finished_at: step.finished_at ?? (ended ? now : null),
      result: withheld ? null : own && event.type === "STEP_SUCCEEDED" ? (note.result ?? null) : step.result,
      error: own && event.type === "STEP_FAILED" ? (note.error ?? null) : own ? null : step.error,
    };
  });
}

function mergeApproval(row: RunTable, stepped: RunStep, note: Note): Approval | null {
  const asked = stepped.actions.find((action) => action.type === "requestApproval");
  if (asked)
    return {
      step: asked.step,
      reason: "This step's output names companies or people: a human decides whether it is delivered.",
      requested_at: rfc3339(note.at),
      expires_at: rfc3339(note.at + approvalLifetime),
      decided_at: null,
      decision: null,
      decided_by: null,
      comment: null,
    };
  const approval = approvalOf(row);
  if (!approval || approval.decided_at !== null || !note.decision) return approval;
  const { decision, by, comment } = note.decision;
  return { ...approval, decided_at: rfc3339(note.at), decision, decided_by: by, comment };
}

/** A transition on its way into the database. */
interface Moving extends Planned {
  readonly note: Note;
  /** As the audit log names it. */
  readonly action: string;
}

/** After so many runs their indexes are filled up, so that a reader finds little left to do. */
const indexedEvery = 1_024;
let unindexed = 0;

async function indexRuns(tx: Db): Promise<void> {
  unindexed++;
  if (unindexed < indexedEvery) return;
  unindexed = 0;
  await fill(tx, "workspace_runs");
  await fill(tx, "capability_runs");
  await fill(tx, "run_days");
}

export function createRunActors({ keyring, random, providerShare }: ActorOptions) {
  /** The next row, and the steps in it: what the API will show. */
  function next<Row extends RunTable>(
    { row, steps: before }: Next<Row>,
    stepped: RunStep,
    event: RunEvent,
    note: Note,
  ): Next<Row> {
    const { context, done } = stepped;
    const steps = mergeSteps(before, context, event, note);
    const approval = mergeApproval(row, stepped, note);
    const changed = {
      ...row,
      status: asStatus(stepped.state),
      reason_code: context.reason,
      engine_json: note.engine ? JSON.stringify(note.engine) : row.engine_json,
      steps_json: JSON.stringify(steps),
      approval_json: approval && JSON.stringify(approval),
      reserved_credits: context.reserved,
      charged_credits: context.charged,
      released_credits: context.released,
      proposed_credits: context.proposed,
      started_at: row.started_at ?? (stepped.state === "running" ? note.at : null),
      finished_at: done ? note.at : null,
      updated_at: note.at,
      revision: row.revision + 1,
    };
    return { row: changed, steps };
  }

  function effectOf(action: RunAction, { row, steps }: Next, at: number): EffectTable | undefined {
    if (action.type === "perform") {
      const due = action.attempt > 1 ? at + backoff(action.attempt, random) : at;
      return stepEffect(row, action.step, action.attempt, capabilityOf(steps, action.step), due);
    }
    if (action.type === "requestApproval")
      return {
        id: expiryEffectId(row.id, action.step),
        actor_id: row.id,
        machine: runMachineName,
        firm_id: row.firm_id,
        kind: "expire_approval",
        engine: "",
        payload_json: JSON.stringify({ step: action.step }),
        due_at: at + approvalLifetime,
      };
    return undefined;
  }

  /** The ledger's part of a transition. A reservation was made before, since it decides which transition it is. */
  function movementsOf(actions: readonly RunAction[], steps: readonly StoredStep[]): Movement[] {
    const movements: Movement[] = [];
    for (const action of actions)
      if (action.type === "settle")
        movements.push({ ...action, provider: providerShare(capabilityOf(steps, action.step)) });
      else if (action.type === "release") movements.push(action);
    return movements;
  }

  const payloadOf = ({ row, steps }: Next): string => receiptPayload(row, steps, approvalOf(row));

  async function finish(tx: Db, run: Next<PlacedRun>, signed: string | undefined): Promise<void> {
    const { row } = run;
    await insertReceipt.run(tx, { run_seq: row.seq, receipt: signed ?? keyring.sign(payloadOf(run), receiptType) });
    // A trial that was refused was not used.
    if (row.mode === "trial" && row.status === "refused")
      await countUse.run(tx, { firm_id: row.firm_id, name: `trial:${row.capability}`, period: "ever", used: -1 });
  }

  /** Takes back what was still to do in the state that an outside decision ends: it would find nothing to do. */
  async function forget(tx: Db, { row, steps }: Next): Promise<void> {
    const waiting = steps.filter((s) => s.status === "running" || s.status === "awaiting_approval");
    await deleteEffect.run(tx, { id: startEffectId(row.id) });
    for (const { key, attempt } of waiting) {
      await deleteEffect.run(tx, { id: stepEffectId(row.id, key, attempt) });
      await deleteEffect.run(tx, { id: expiryEffectId(row.id, key) });
    }
  }

  /** Everything that a transition brings with it but the snapshot and the run's own row. */
  async function consequences(tx: Db, moving: Moving): Promise<EffectTable[]> {
    const { stepped, run, note, action, receipt } = moving;
    const { row, steps } = run;
    const effects: EffectTable[] = [];
    await post(tx, { firm_id: row.firm_id, run_id: row.id, at: note.at }, movementsOf(stepped.actions, steps));
    for (const order of stepped.actions) {
      const effect = effectOf(order, run, note.at);
      if (effect) {
        await insertEffect.run(tx, effect);
        effects.push(effect);
      }
    }
    if (stepped.done) await finish(tx, run, receipt);
    await appendAudit(tx, {
      at: note.at,
      firm_id: row.firm_id,
      actor: note.actor,
      action,
      subject: row.id,
      data: {
        status: row.status,
        reason: row.reason_code,
        reserved: row.reserved_credits,
        charged: row.charged_credits,
        released: row.released_credits,
        ...(note.decision && { decision: note.decision.decision }),
      },
    });
    return effects;
  }

  /** START is only for a run whose maximum could be set aside; else it is refused. */
  async function begin(tx: Db, snapshot: string, run: RunTable, at: number) {
    const start: RunEvent = { type: "START" };
    const started = runTransitions.next(snapshot, start);
    const wanted = started.actions.find((action) => action.type === "reserve")?.credits ?? 0;
    if (await reserve(tx, { firm_id: run.firm_id, run_id: run.id, at }, wanted))
      return { stepped: started, event: start };
    const refuse: RunEvent = { type: "REFUSE", reason: "insufficient_credits" };
    return { stepped: runTransitions.next(snapshot, refuse), event: refuse };
  }

  const actors = {
    /** Makes the run's rows: started at once, or queued with the effect that will start it. */
    async create(tx: Db, { steps, ...rest }: NewRun, note: Note, accepted: Accepted): Promise<Moved> {
      const plan = steps.map((s) => ({ key: s.key, maximum: s.maximum_credits, approval: s.requires_approval }));
      const initial = runTransitions.initial({ steps: plan });
      const waiting = accepted === "wait" ? JSON.stringify(steps) : "";
      const queued: RunTable = { ...rest, status: "queued", steps_json: waiting, proposed_credits: 0, revision: 1 };
      let accepting: Next = { row: queued, steps };
      let stepped = initial;
      if (accepted === "start") {
        const begun = await begin(tx, initial.snapshot, queued, note.at);
        stepped = begun.stepped;
        accepting = next(accepting, stepped, begun.event, note);
      }
      const seq = await insertRun.place(tx, accepting.row);
      const row = { ...accepting.row, seq };
      const run = { row, steps: accepting.steps };
      await indexRuns(tx);
      const effects = await consequences(tx, { stepped, run, note, action: "run.accept", receipt: undefined });
      if (accepted === "wait") {
        const first = steps[0]?.capability ?? "";
        const start = { ...stepEffect(row, "", 0, first, note.at), id: startEffectId(row.id), kind: "start" };
        await insertEffect.run(tx, start);
        effects.push(start);
      }
      return { actor: { ...run, snapshot: stepped.snapshot }, effects };
    },

    /** Loads a run for a transition. */
    async load(tx: Db, id: string): Promise<RunActor> {
      const row = present(await runById.first(asHost(tx), { id }), "the run of an effect");
      const steps = stepsOf(row);
      return { row, steps, snapshot: snapshotOf(row, steps) };
    },

    /** Thinks an outcome's transition through ahead, so that a last one's receipt is signed beside the event loop. */
    async plan(actor: RunActor, event: RunEvent, note: Note): Promise<Planned> {
      const stepped = runTransitions.next(actor.snapshot, event);
      const run = next(actor, stepped, event, note);
      const receipt = stepped.done ? await keyring.signApart(payloadOf(run), receiptType) : undefined;
      return { stepped, run, receipt };
    },

    /**
     * Takes the actor one event further. An event that its state does not take changes nothing. Undefined, with nothing
     * written: somebody else moved it since it was loaded.
     */
    async move(tx: Db, actor: RunActor, given: RunEvent, note: Note, planned?: Planned): Promise<Moved | undefined> {
      const { stepped, event } =
        given.type === "START" && actor.row.status === "queued"
          ? await begin(tx, actor.snapshot, actor.row, note.at)
          : { stepped: planned?.stepped ?? runTransitions.next(actor.snapshot, given), event: given };
      if (stepped.snapshot === actor.snapshot) return { actor, effects: [] };
      const run = planned?.run ?? next(actor, stepped, event, note);
      const written = await updateRun.run(tx, { ...run.row, known: actor.row.revision });
      if (written === 0) return undefined;
      if (event.type === "CANCEL" || event.type === "APPROVE" || event.type === "WITHHOLD") await forget(tx, actor);
      const action = `run.${event.type.toLowerCase()}`;
      const effects = await consequences(tx, { stepped, run, note, action, receipt: planned?.receipt });
      return { actor: { ...run, snapshot: stepped.snapshot }, effects };
    },

    /**
     * Takes an actor on by the outcome of an effect, which is done with that: one that was done already, or is no
     * longer wanted, changes nothing and answers undefined. `known` may be out of date, and with it what was planned
     * from it: its revision tells.
     */
    async conclude(
      tx: Db,
      effect: EffectTable,
      known: { readonly actor: RunActor; readonly planned: Planned } | undefined,
      event: RunEvent,
      note: Note,
    ): Promise<Moved | undefined> {
      const open = await deleteEffect.run(tx, { id: effect.id });
      if (open === 0) return undefined;
      const moved = known && (await actors.move(tx, known.actor, event, note, known.planned));
      return moved ?? actors.move(tx, await actors.load(tx, effect.actor_id), event, note);
    },
  };
  return actors;
}

export type RunActors = ReturnType<typeof createRunActors>;
