import { backfill } from "../../db/queries/derived.ts";
import { deleteEffect, insertEffect } from "../../db/queries/effects.ts";
import { insertReceipt, insertRun, nextPlace, type PlacedRun, runById, updateRun } from "../../db/queries/runs.ts";
import { countUse } from "../../db/queries/uses.ts";
import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import { beforeCommit, enterRows, leaveRow } from "../../db/sqlite/closing.ts";
import type { Db } from "../../db/sqlite/connection.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { RunEvent } from "../../machines/run.ts";
import { appendAudit } from "../execution/audit.ts";
import { type Charge, type Movement, post, reserve, spend } from "../execution/credits/ledger.ts";
import type { Keyring } from "../identity/keyring.ts";
import { present } from "../platform/assert.ts";
import { capabilityOf, effectOf, startEffect, takeBack } from "./effects.ts";
import { type Next, type Note, next, type RunStep, runTransitions } from "./next.ts";
import type { Outcome } from "./outcome.ts";
import { receiptPayload } from "./receipt.ts";
import { approvalOf, type StoredRun, type StoredStep, stepsOf } from "./record.ts";
import { receiptType } from "./schema.ts";
import { snapshotOf } from "./snapshot.ts";

/** A run as the host holds it: its row, the steps in it, and the snapshot that these two say. */
export interface RunActor extends StoredRun {
  readonly snapshot: string;
}

export interface ActorOptions {
  readonly keyring: Keyring;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** Which part of a step's charge goes to its provider, in credits. */
  readonly providerShare: (capability: string) => { name: string; credits: number } | undefined;
}

export interface Moved {
  readonly actor: RunActor;
  readonly effects: readonly EffectTable[];
}

/** The event that a run was accepted with: it starts at once, or waits for its turn. */
export type Accepted = "start" | "wait";

const initially = (steps: readonly StoredStep[]): RunStep =>
  runTransitions.initial({
    steps: steps.map((s) => ({ key: s.key, maximum: s.maximum_credits, approval: s.requires_approval })),
  });

const start: RunEvent = { type: "START" };

/** A transition thought through before its transaction, with the receipt being signed where it is the last one. */
export interface Planned {
  readonly stepped: RunStep;
  readonly run: Next<PlacedRun>;
  readonly receipt?: Promise<string> | undefined;
}

/** A transition on its way into the database. */
interface Moving extends Planned {
  readonly note: Note;
  /** As the audit log names it. */
  readonly action: string;
}

/** A run thought through to its end before it is accepted. */
export interface Foreseen {
  readonly started: RunStep;
  readonly ended: RunStep;
  readonly run: Next;
  readonly note: Note;
  readonly receipt: Promise<string>;
}

const chargeOf = ({ firm_id, id }: RunTable, at: number): Charge => ({ firm_id, run_id: id, at });

/** What a START sets aside. */
const reservedBy = ({ actions }: RunStep): number => actions.find((action) => action.type === "reserve")?.credits ?? 0;

/** After so many runs their indexes are filled up, so that a reader finds little left to do. */
const indexedEvery = 1_024;
let unindexed = 0;

async function indexRuns(tx: Db): Promise<void> {
  unindexed++;
  if (unindexed < indexedEvery) return;
  unindexed = 0;
  await backfill(tx, "workspace_runs");
  await backfill(tx, "capability_runs");
  await backfill(tx, "run_days");
}

type ProviderShare = ActorOptions["providerShare"];

/** The ledger's part of a transition. A reservation was made before, since it decides which transition it is. */
function movementsOf({ actions }: RunStep, steps: readonly StoredStep[], providerShare: ProviderShare): Movement[] {
  const movements: Movement[] = [];
  for (const action of actions)
    if (action.type === "settle")
      movements.push({ ...action, provider: providerShare(capabilityOf(steps, action.step)) });
    else if (action.type === "release") movements.push(action);
  return movements;
}

export function createRunActors({ keyring, random, providerShare }: ActorOptions) {
  const receiptOf = ({ row, steps }: Next): Promise<string> =>
    keyring.signTogether(receiptPayload(row, steps, approvalOf(row)), receiptType);

  async function finish(tx: Db, run: Next<PlacedRun>, receipt = receiptOf(run)): Promise<void> {
    const { row } = run;
    beforeCommit(tx, async () => insertReceipt.run(tx, { run_seq: row.seq, receipt: await receipt }));
    // A trial that was refused was not used.
    if (row.mode === "trial" && row.status === "refused")
      await countUse.run(tx, { firm_id: row.firm_id, name: `trial:${row.capability}`, period: "ever", used: -1 });
  }

  /** Everything that a transition brings with it but the snapshot, the run's own row and the credits. */
  async function consequences(tx: Db, moving: Moving): Promise<EffectTable[]> {
    const { stepped, run, note, action, receipt } = moving;
    const { row } = run;
    const effects: EffectTable[] = [];
    for (const order of stepped.actions) {
      const effect = effectOf(order, run, note.at, random);
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

  /** The ledger's part of a transition, and everything else. */
  async function settle(tx: Db, moving: Moving): Promise<EffectTable[]> {
    const { row, steps } = moving.run;
    await post(tx, chargeOf(row, moving.note.at), movementsOf(moving.stepped, steps, providerShare));
    return consequences(tx, moving);
  }

  /** START is only for a run whose maximum could be set aside; else it is refused. */
  async function begin(tx: Db, snapshot: string, run: RunTable, at: number) {
    const started = runTransitions.next(snapshot, start);
    if (await reserve(tx, chargeOf(run, at), reservedBy(started))) return { stepped: started, event: start };
    const refuse: RunEvent = { type: "REFUSE", reason: "insufficient_credits" };
    return { stepped: runTransitions.next(snapshot, refuse), event: refuse };
  }

  const actors = {
    /** Makes the run's rows: started at once, or queued with the effect that will start it. */
    async create(tx: Db, made: Next, note: Note, accepted: Accepted): Promise<Moved> {
      const { row: first, steps } = made;
      let accepting = made;
      let stepped = initially(steps);
      if (accepted === "start") {
        const begun = await begin(tx, stepped.snapshot, first, note.at);
        stepped = begun.stepped;
        accepting = next(made, stepped, begun.event, note);
      } else accepting = { row: { ...first, steps_json: JSON.stringify(steps) }, steps };
      const row = { ...accepting.row, seq: await nextPlace(tx) };
      // It is about to be read and moved. Those in front of it go first: an index is complete up to its last row.
      await enterRows(tx);
      await insertRun.run(tx, row);
      const run = { row, steps: accepting.steps };
      await indexRuns(tx);
      const effects = await settle(tx, { stepped, run, note, action: "run.accept" });
      if (accepted === "wait") {
        const starting = startEffect(run, note.at);
        await insertEffect.run(tx, starting);
        effects.push(starting);
      }
      return { actor: { ...run, snapshot: stepped.snapshot }, effects };
    },

    /**
     * Thinks a run through from its acceptance to its end, where its first step's outcome is there before and ends it;
     * else undefined. Its receipt is being signed from here on.
     */
    foresee(made: Next, outcome: Outcome, note: Note): Foreseen | undefined {
      const { event } = outcome;
      const started = runTransitions.next(initially(made.steps).snapshot, start);
      const ended = runTransitions.next(started.snapshot, event);
      if (!ended.done) return undefined;
      const run = next(next(made, started, start, note), ended, event, {
        ...outcome.note,
        at: note.at,
        actor: note.actor,
      });
      return { started, ended, run, note, receipt: receiptOf(run) };
    },

    /**
     * Makes the rows of a run that ends with its acceptance: what its transitions would write one after the other, written
     * once. Undefined, with nothing written: the firm has too little credit to start it.
     */
    async complete(tx: Db, { started, ended, run: made, note, receipt }: Foreseen): Promise<Moved | undefined> {
      const { row, steps } = made;
      const movements = movementsOf(ended, steps, providerShare);
      if (!(await spend(tx, chargeOf(row, note.at), reservedBy(started), movements))) return undefined;
      const run = { row: { ...row, seq: await nextPlace(tx) }, steps };
      leaveRow(tx, insertRun, run.row);
      await indexRuns(tx);
      await consequences(tx, { stepped: ended, run, note, action: "run.accept", receipt });
      return { actor: { ...run, snapshot: ended.snapshot }, effects: [] };
    },

    /** Loads a run for a transition. */
    async load(tx: Db, id: string): Promise<RunActor> {
      const row = present(await runById.first(unscoped(tx), { id }), "the run of an effect");
      const steps = stepsOf(row);
      return { row, steps, snapshot: snapshotOf(row, steps) };
    },

    /** Thinks an outcome's transition through ahead: a last one's receipt is being signed from here on. */
    plan(actor: RunActor, event: RunEvent, note: Note): Planned {
      const stepped = runTransitions.next(actor.snapshot, event);
      const run = next(actor, stepped, event, note);
      return { stepped, run, receipt: stepped.done ? receiptOf(run) : undefined };
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
      if (event.type === "CANCEL" || event.type === "APPROVE" || event.type === "WITHHOLD") await takeBack(tx, actor);
      const action = `run.${event.type.toLowerCase()}`;
      const effects = await settle(tx, { stepped, run, note, action, receipt: planned?.receipt });
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
