import type { EffectTable, RunTable, StepKeyTable } from "../../db/schema/tables.ts";
import type { ActorWrite, RunChange, Transition } from "../../db/transition.ts";
import type { RunAction, RunEvent } from "../../machines/run.ts";
import { type Movement, type ProviderShare, transfersOf } from "../execution/credits/ledger.ts";
import type { Decision } from "../execution/host.ts";
import { transitionOf } from "../execution/transition.ts";
import type { Runtime } from "../platform/runtime.ts";
import { applyEvent, type EventContext, type RunState, runStatechart } from "./apply-event.ts";
import { cancelledEffects, effectsOf, startEffect } from "./effects.ts";
import { givenBack } from "./quotas.ts";
import { receiptPayload } from "./receipt.ts";
import { approvalOf, type StoredRun, type StoredStep } from "./record.ts";
import { writtenSteps } from "./results.ts";
import type { StepSealing } from "./sealing.ts";
import { snapshotOf } from "./snapshot.ts";

/** What decisions about runs depend on, besides the run itself. */
export interface RunRules {
  readonly runtime: Pick<Runtime, "id" | "random">;
  /** The process that will carry out the effects. */
  readonly owner: string;
  readonly sealing: StepSealing;
  /** Returns the share of a capability's provider now, for the steps that store none. */
  readonly providerShare: (capability: string) => ProviderShare | undefined;
  /** Whether approvers are notified by mail. Defaults to false. */
  readonly mailsApprovals?: boolean;
}

/** A run after applying events, before it is written. */
interface Folded<Row extends RunTable> {
  readonly run: RunState<Row>;
  readonly results: Transition["results"];
  /** The keys that outputs were sealed under. */
  readonly keys: readonly StepKeyTable[];
  readonly actions: readonly RunAction[];
  readonly done: boolean;
}

const initialSnapshot = (steps: readonly StoredStep[]): string =>
  runStatechart.initial({
    steps: steps.map(({ key, maximum_credits, requires_approval, needs }) => ({
      ...{ key, maximum: maximum_credits, approval: requires_approval },
      ...(needs && { needs }),
    })),
  }).snapshot;

function fold<Row extends RunTable>(
  start: RunState<Row>,
  from: string,
  events: readonly RunEvent[],
  context: EventContext,
  { sealing }: RunRules,
): Folded<Row> {
  let run = start;
  let snapshot = from;
  let done = false;
  const actions: RunAction[] = [];
  for (const event of events) {
    const stepped = runStatechart.next(snapshot, event);
    if (stepped.snapshot === snapshot) continue;
    snapshot = stepped.snapshot;
    done = stepped.done;
    actions.push(...stepped.actions);
    run = applyEvent(run, stepped, event, context);
  }
  const keys: StepKeyTable[] = [];
  const { steps, steps_json, results } = writtenSteps(start.steps, run.steps, (step, text) => {
    const key = sealing.newKey(run.row.id, step);
    keys.push(key);
    return sealing.cipher(key).seal(text);
  });
  return { run: { row: { ...run.row, steps_json }, steps }, results, keys, actions, done };
}

function movementsOf(actions: readonly RunAction[], steps: readonly StoredStep[], { providerShare }: RunRules) {
  const movements: Movement[] = [];
  for (const action of actions)
    if (action.type === "settle") {
      const step = steps.find(({ key }) => key === action.step);
      movements.push({ ...action, provider: step?.provider ?? providerShare(step?.capability ?? "") });
    } else if (action.type === "reserve" || action.type === "release") movements.push(action);
  return movements;
}

/**
 * Returns the actions still to be carried out in the final state, without those that a later event has made obsolete.
 */
function openActions({ run, actions, done }: Folded<RunTable>): readonly RunAction[] {
  if (done) return [];
  const isOpen = (action: RunAction) =>
    "step" in action &&
    run.steps.some(({ key, status, attempt }) =>
      action.type === "perform"
        ? key === action.step && status === "running" && attempt === action.attempt
        : key === action.step && status === "awaiting_approval",
    );
  return actions.filter(isOpen);
}

function addedEffects(folded: Folded<RunTable>, at: number, rules: RunRules): EffectTable[] {
  const { runtime, owner, mailsApprovals = false } = rules;
  const { random } = runtime;
  return openActions(folded).flatMap((action) => effectsOf(action, folded.run, at, { random, owner, mailsApprovals }));
}

/**
 * Returns the new keys: for outputs awaiting approval, and for started steps that will need approval, because their
 * checkpoints are sealed too.
 */
function newKeys(folded: Folded<RunTable>, { sealing }: RunRules): StepKeyTable[] {
  const { row, steps } = folded.run;
  const begun = openActions(folded).flatMap((action) =>
    action.type === "perform" && action.attempt === 1 && needsApproval(steps, action.step) ? [action.step] : [],
  );
  return [...folded.keys, ...begun.map((step) => sealing.newKey(row.id, step))];
}

const needsApproval = (steps: readonly StoredStep[], step: string): boolean =>
  steps.some(({ key, requires_approval }) => key === step && requires_approval);

/** Returns the parts of the transition that follow from the actions: results, ledger transfers and the audit entry. */
function consequences(folded: Folded<RunTable>, action: string, context: EventContext, rules: RunRules) {
  const { row, steps } = folded.run;
  const { at, actor, decision } = context;
  const charge = { firm_id: row.firm_id, run_id: row.id, at, id: rules.runtime.id };
  return {
    results: folded.results,
    transfers: transfersOf(charge, movementsOf(folded.actions, steps, rules)),
    audit: [
      {
        at,
        firm_id: row.firm_id,
        actor,
        action,
        subject: row.id,
        data: {
          status: row.status,
          reason: row.reason_code,
          reserved: row.reserved_credits,
          charged: row.charged_credits,
          released: row.released_credits,
          ...decision,
        },
      },
    ],
  } satisfies Partial<Transition>;
}

const receiptOf = ({ run: { row, steps }, done }: Folded<RunTable>) =>
  done ? receiptPayload(row, steps, approvalOf(row)) : undefined;

/** Stands in for the sequence number, which a new run gets when it is committed. */
const unplaced = 0;

/**
 * Decides a new run from its first events: none if it waits for its turn at the engine; `START` if it has a slot there;
 * and also the first step's outcome if the engine has already answered. Called by `accept.ts`.
 */
export function decideNewRun(
  made: RunState,
  events: readonly RunEvent[],
  context: EventContext,
  rules: RunRules,
): Decision<StoredRun> {
  const folded = fold(made, initialSnapshot(made.steps), events, context, rules);
  const { row, steps } = folded.run;
  const add =
    events.length === 0 ? [startEffect(folded.run, context.at, rules.owner)] : addedEffects(folded, context.at, rules);
  return {
    state: { row: { ...row, seq: unplaced }, steps },
    transition: transitionOf({
      actors: [{ write: "run.insert", row }],
      effects: { add, remove: [] },
      keys: { put: newKeys(folded, rules), clear: [] },
      // A run that is refused immediately was not counted by any quota guard.
      counters: folded.done && row.status !== "refused" ? givenBack(row, steps) : [],
      ...consequences(folded, "run.accept", context, rules),
    }),
    receipt: receiptOf(folded),
  };
}

function changeOf(row: StoredRun["row"], known: number): ActorWrite {
  const change: RunChange = {
    seq: row.seq,
    known,
    firm_id: row.firm_id,
    status: row.status,
    reason_code: row.reason_code,
    engine_json: row.engine_json,
    steps_json: row.steps_json,
    approval_json: row.approval_json,
    reserved_credits: row.reserved_credits,
    charged_credits: row.charged_credits,
    released_credits: row.released_credits,
    proposed_credits: row.proposed_credits,
    revision: row.revision,
    started_at: row.started_at,
    finished_at: row.finished_at,
    updated_at: row.updated_at,
  };
  return { write: "run.update", row: change };
}

/** Events caused by people and callers. They cancel the effects still to be carried out. */
const fromOutside: ReadonlySet<RunEvent["type"]> = new Set(["CANCEL", "APPROVE", "WITHHOLD"]);

const isOpen = ({ status }: StoredStep): boolean => status === "running" || status === "awaiting_approval";

/** Returns the steps whose checkpoints or keys are no longer needed. A step that is retried keeps its checkpoints. */
function endedWork(stored: StoredRun, { run, done }: Folded<RunTable>, needed: (step: StoredStep) => boolean) {
  const actor_id = stored.row.id;
  if (done) return stored.steps.some(needed) ? [{ actor_id }] : [];
  return stored.steps
    .filter((step, i) => isOpen(step) && step.status !== run.steps[i]?.status && needed(step))
    .map(({ key: step }) => ({ actor_id, step }));
}

/** Decides a stored run; the last event names the audit entry. Returns `undefined` if its state accepts no event. */
export function decideRun(
  stored: StoredRun,
  events: readonly RunEvent[],
  context: EventContext,
  rules: RunRules,
): Decision<StoredRun> | undefined {
  const folded = fold(stored, snapshotOf(stored.row, stored.steps), events, context, rules);
  const { row } = folded.run;
  if (row.revision === stored.row.revision) return undefined;
  const last = events.at(-1)?.type ?? "START";
  const add = addedEffects(folded, context.at, rules);
  // When a run fails, its other running steps end too.
  const endsOthers = row.status === "failed" || events.some(({ type }) => fromOutside.has(type));
  const cancelled = endsOthers ? cancelledEffects(stored) : [];
  return {
    state: folded.run,
    transition: transitionOf({
      actors: [changeOf(row, stored.row.revision)],
      effects: { add, remove: cancelled.filter((id) => !add.some((effect) => effect.id === id)) },
      checkpoints: { put: [], clear: endedWork(stored, folded, () => true) },
      keys: {
        put: newKeys(folded, rules),
        clear: endedWork(stored, folded, ({ requires_approval }) => requires_approval),
      },
      counters: folded.done ? givenBack(row, folded.run.steps) : [],
      ...consequences(folded, `run.${last.toLowerCase()}`, context, rules),
    }),
    receipt: receiptOf(folded),
  };
}
