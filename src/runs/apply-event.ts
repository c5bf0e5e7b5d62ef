import type { RunStatus, RunTable } from "../../db/schema/tables.ts";
import { type RunAction, type RunContext, type RunEvent, runMachine } from "../../machines/run.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import { createStatechart, type Stepped } from "../execution/statechart.ts";
import { present } from "../platform/assert.ts";
import { day, rfc3339 } from "../platform/clock.ts";
import { packEngine } from "./packed-row.ts";
import { approvalOf, type StoredApproval, type StoredStep } from "./record.ts";
import type { DecidedItem } from "./schema.ts";

/** The run's statechart, as the host uses it. */
export const runStatechart = createStatechart<typeof runMachine, RunContext, RunAction>(runMachine);

export type RunStep = Stepped<RunContext, RunAction>;

/** The decision about an output awaiting approval: what, by whom and why. */
export interface ApprovalVerdict extends Pick<DecidedItem, "decision"> {
  /** A user's id, or `byExpiry`. */
  readonly by: string;
  readonly comment: string | null;
  /** `null` if the output was decided as a whole. */
  readonly items: readonly DecidedItem[] | null;
  /** SHA-256 of the approved output's canonical JSON, in hex. `null` if nothing was approved. */
  readonly approved_sha256: string | null;
}

/** What accompanies an event but does not concern the statechart. */
export interface EventContext {
  readonly at: number;
  /** Who caused the event, in the audit log's form. */
  readonly actor: string;
  readonly result?: unknown;
  readonly engine?: EngineIdentity;
  readonly error?: { readonly code: string; readonly message: string };
  readonly decision?: ApprovalVerdict;
}

/** A run's row and its steps with all their results. A run that is being accepted has no sequence number yet. */
export interface RunState<Row extends RunTable = RunTable> {
  readonly row: Row;
  readonly steps: readonly StoredStep[];
}

/** How long an approval waits before it expires, in milliseconds. */
export const approvalLifetime = 7 * day;

const asStatus = (state: string): RunStatus => state as RunStatus;

/** Merges the machine's step states with the times and results that only the host knows. */
function mergeSteps(
  stored: readonly StoredStep[],
  machine: RunContext,
  event: RunEvent,
  context: EventContext,
): StoredStep[] {
  const now = rfc3339(context.at);
  return stored.map((step, i) => {
    const state = present(machine.steps[i], "a step of the machine");
    const own = "step" in event && event.step === step.key;
    const started_at = step.started_at ?? (state.status === "running" ? now : null);
    // A started step finishes with its run at the latest; a step that never started has no end.
    const ended = started_at !== null && state.status !== "running" && state.status !== "awaiting_approval";
    const withheld = state.status === "withheld" || state.status === "skipped";
    // A partly approved output arrives with the decision.
    const delivers = own && (event.type === "STEP_SUCCEEDED" || event.type === "APPROVE");
    return {
      ...step,
      status: state.status,
      attempt: state.attempt,
      charged_credits: state.charged,
      started_at,
      finished_at: step.finished_at ?? (ended ? now : null),
      result: withheld ? null : delivers ? (context.result ?? null) : step.result,
      error: own && event.type === "STEP_FAILED" ? (context.error ?? null) : own ? null : step.error,
    };
  });
}

function mergeApproval(row: RunTable, stepped: RunStep, context: EventContext): StoredApproval | null {
  const asked = stepped.actions.find((action) => action.type === "requestApproval");
  if (asked)
    return {
      step: asked.step,
      reason: "This step's output names companies or people: a human decides whether it is delivered.",
      requested_at: rfc3339(context.at),
      expires_at: rfc3339(context.at + approvalLifetime),
      decided_at: null,
      decision: null,
      decided_by: null,
      comment: null,
      items: null,
      approved_sha256: null,
    };
  const approval = approvalOf(row);
  if (!approval || approval.decided_at !== null || !context.decision) return approval;
  const { by, ...verdict } = context.decision;
  return { ...approval, ...verdict, decided_at: rfc3339(context.at), decided_by: by };
}

/** Returns the run after an event: its row as the API will show it, and its steps. `steps_json` is written later. */
export function applyEvent<Row extends RunTable>(
  { row, steps: before }: RunState<Row>,
  stepped: RunStep,
  event: RunEvent,
  context: EventContext,
): RunState<Row> {
  const { context: machine, done } = stepped;
  const approval = mergeApproval(row, stepped, context);
  const changed = {
    ...row,
    status: asStatus(stepped.state),
    reason_code: machine.reason,
    engine_json: context.engine ? packEngine(row, context.engine) : row.engine_json,
    approval_json: approval && JSON.stringify(approval),
    reserved_credits: machine.reserved,
    charged_credits: machine.charged,
    released_credits: machine.released,
    proposed_credits: machine.proposed,
    started_at: row.started_at ?? (stepped.state === "running" ? context.at : null),
    finished_at: done ? context.at : null,
    updated_at: context.at,
    revision: row.revision + 1,
  };
  return { row: changed, steps: mergeSteps(before, machine, event, context) };
}
