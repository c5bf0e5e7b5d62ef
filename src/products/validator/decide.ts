import type { EffectTable } from "../../../db/schema/tables.ts";
import type { ValidationPersonaTable, ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Transition } from "../../../db/transition.ts";
import {
  type ValidationAction,
  type ValidationContext,
  type ValidationEvent,
  validationMachine,
} from "../../../machines/validation.ts";
import { backoff } from "../../execution/backoff.ts";
import type { Decision } from "../../execution/host.ts";
import { leased } from "../../execution/leases.ts";
import { createStatechart, type Stepped } from "../../execution/statechart.ts";
import { transitionOf } from "../../execution/transition.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Conclusion } from "./conclude.ts";
import { validationMachineName } from "./machine-name.ts";
import type { Asking } from "./study.ts";

/** The validation statechart. */
export const validationStatechart = createStatechart<typeof validationMachine, ValidationContext, ValidationAction>(
  validationMachine,
);
/**
 * The effects have their own queue, since a run's step holds a place in the capability's queue while it waits for them.
 */
const queueName = "validation";

type ValidationStep = Stepped<ValidationContext, ValidationAction>;

/** A validation as the host loads it. */
export interface ValidationState {
  readonly row: ValidationTable;
  readonly revision: number;
  readonly snapshot: string;
}

/** Data that accompanies an event and does not concern the state machine. */
export interface ValidationEventContext {
  readonly at: number;
  readonly actor: string;
  /** The personas that were drawn or interviewed. */
  readonly personas?: readonly ValidationPersonaTable[];
  readonly conclusion?: Conclusion;
  /** Why it failed, for people. */
  readonly message?: string;
}

/** A validation before its first event. */
export type NewValidation = Asking &
  Pick<
    ValidationTable,
    "id" | "firm_id" | "workspace_id" | "user_id" | "mode" | "audience_id" | "audience_name" | "created_at"
  >;

/** Sources of randomness, for retry jitter, and of the lease owner of effects. */
export interface ValidationRules extends Pick<Runtime, "random"> {
  readonly owner: string;
}

/** The columns of a study without a verdict. */
export const withoutVerdict = { verdict: null, confidence: null, summary: null, report_json: null } as const;

function rowAfter(row: ValidationTable, stepped: ValidationStep, context: ValidationEventContext): ValidationTable {
  const { asked, reason } = stepped.context;
  const { conclusion, at, message = null } = context;
  return {
    ...row,
    status: stepped.done ? "completed" : "running",
    asked,
    error_code: reason,
    error_message: reason === null ? null : message,
    finished_at: stepped.done ? at : null,
    ...(conclusion && {
      verdict: conclusion.verdict,
      confidence: conclusion.confidence,
      summary: conclusion.summary,
      report_json: JSON.stringify(conclusion.report),
    }),
    // Discard the verdict if the run ended without it: no one was charged for it.
    ...(reason !== null && withoutVerdict),
  };
}

function effectOf(row: ValidationTable, action: ValidationAction, at: number, rules: ValidationRules): EffectTable {
  const due_at = action.attempt > 1 ? at + backoff(action.attempt, rules.random) : at;
  return {
    id: `${row.id}:${action.stage}:${action.batch}:${action.attempt}`,
    actor_id: row.id,
    machine: validationMachineName,
    firm_id: row.firm_id,
    kind: action.stage,
    engine: queueName,
    payload_json: JSON.stringify({ batch: action.batch }),
    due_at,
    ...leased(rules.owner, due_at),
  };
}

function auditOf(row: ValidationTable, action: string, { at, actor }: ValidationEventContext): Transition["audit"] {
  const { status, asked, verdict, error_code } = row;
  const data = { status, asked, verdict, reason: error_code };
  return [{ at, firm_id: row.firm_id, actor, action, subject: row.id, data }];
}

/** Returns the message of a study whose run ended without it. */
export function endedEarly({ asked, size }: Pick<ValidationTable, "asked" | "size">): string {
  if (asked === 0) return "Its run ended before anyone was asked. Nothing was charged.";
  return asked < size
    ? "Its run ended before everyone was asked. Nothing was charged."
    : "Its run ended before its verdict was delivered. Nothing was charged.";
}

/** Accepts a validation, which then waits until its run reaches it. Called by `conductor.ts`. */
export function decideNewValidation(given: NewValidation, actor: string): Decision<ValidationState> {
  const { snapshot } = validationStatechart.initial({});
  const row: ValidationTable = {
    ...given,
    ...withoutVerdict,
    error_code: null,
    source: "run",
    status: "running",
    asked: 0,
    error_message: null,
    charged_credits: null,
    charged_at: null,
    finished_at: null,
  };
  const stored = { actor_id: row.id, machine: validationMachineName, revision: 1, snapshot_json: snapshot };
  return {
    state: { row, revision: 1, snapshot },
    transition: transitionOf({
      actors: [{ write: "validation.insert", row, snapshot: stored }],
      audit: auditOf(row, "validation.accept", { at: row.created_at, actor }),
    }),
  };
}

/** Applies one event to a stored validation. Returns `undefined` if its state does not accept the event. */
export function decideValidation(
  { row: before, revision: known, snapshot: from }: ValidationState,
  [event]: readonly ValidationEvent[],
  context: ValidationEventContext,
  rules: ValidationRules,
): Decision<ValidationState> | undefined {
  const stepped = event && validationStatechart.next(from, event);
  if (!stepped || stepped.snapshot === from) return undefined;
  const row = rowAfter(before, stepped, context);
  const { snapshot } = stepped;
  const revision = known + 1;
  const stored = { actor_id: row.id, machine: validationMachineName, revision, snapshot_json: snapshot };
  const isBatch = event.type === "INTERVIEWED";
  return {
    state: { row, revision, snapshot },
    transition: transitionOf({
      actors: [{ write: "validation.update", row, snapshot: stored, known, personas: context.personas ?? [] }],
      effects: { add: stepped.actions.map((action) => effectOf(row, action, context.at, rules)), remove: [] },
      audit: isBatch && !stepped.done ? [] : auditOf(row, `validation.${event.type.toLowerCase()}`, context),
    }),
  };
}
