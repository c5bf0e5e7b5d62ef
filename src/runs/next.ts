import type { RunStatus, RunTable } from "../../db/schema/tables.ts";
import { type RunAction, type RunContext, type RunEvent, runMachine } from "../../machines/run.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import { createTransitions, type Stepped } from "../execution/transitions.ts";
import { present } from "../platform/assert.ts";
import { day, rfc3339 } from "../platform/clock.ts";
import { approvalOf, type StoredStep } from "./record.ts";
import type { Approval } from "./schema.ts";

/** The run's statechart as the host uses it. What follows from each transition in the run's row stands here. */
export const runTransitions = createTransitions<typeof runMachine, RunContext, RunAction>(runMachine);

export type RunStep = Stepped<RunContext, RunAction>;

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

/** A row and the steps that its JSON holds. A run that is being accepted has no place yet. */
export interface Next<Row extends RunTable = RunTable> {
  readonly row: Row;
  readonly steps: readonly StoredStep[];
}

/** An approval that nobody decides expires after this. */
export const approvalLifetime = 7 * day;

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

/** The next row, and the steps in it: what the API will show. */
export function next<Row extends RunTable>(
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
