import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import type { RunAction } from "../../machines/run.ts";
import { backoff } from "../execution/backoff.ts";
import { leased } from "../execution/leases.ts";
import { day } from "../platform/clock.ts";
import { approvalLifetime, type RunState } from "./apply-event.ts";
import type { StoredStep } from "./record.ts";

/** The effects of runs: what the worker has still to carry out for them. */

export const runMachineName = "run";

const startEffectId = (run: string): string => `${run}:start`;
const stepEffectId = (run: string, step: string, attempt: number): string => `${run}:${step}:${attempt}`;
/** The machine that approval mails belong to: they neither wait for the run nor delay it. */
export const approvalMailMachine = "approval-mail";
/** How long before an approval expires its approvers are reminded, in milliseconds. */
const reminder = day;

const mailEffectId = (run: string, step: string, kind: string): string => `${run}:${step}:${kind}`;
const expiryEffectId = (run: string, step: string): string => `${run}:${step}:expiry`;

/** Returns the fields that all effects of a run share. `owner` is the process that will carry them out. */
const effectFor = ({ id, firm_id }: RunTable, owner: string, due_at: number) => ({
  actor_id: id,
  machine: runMachineName,
  firm_id,
  due_at,
  ...leased(owner, due_at),
});

const capabilityOf = (steps: readonly StoredStep[], key: string): string =>
  steps.find((step) => step.key === key)?.capability ?? "";

/** Returns the effect that starts a run when it is the firm's turn at the first step's engine. */
export const startEffect = ({ row, steps }: RunState, at: number, owner: string): EffectTable => ({
  ...effectFor(row, owner, at),
  id: startEffectId(row.id),
  kind: "start",
  engine: steps[0]?.capability ?? "",
  payload_json: "{}",
});

export interface EffectRules {
  /** Returns a number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  readonly owner: string;
  /** Whether approvers are notified by mail. */
  readonly mailsApprovals: boolean;
}

const approvalMails = { approval_waits: 0, approval_expires: approvalLifetime - reminder } as const;

/** Returns the mails about a new approval: one now, and one a day before it expires. */
const approvalMailEffects = (row: RunTable, step: string, at: number, owner: string): EffectTable[] =>
  Object.entries(approvalMails).map(([kind, after]) => ({
    ...effectFor(row, owner, at + after),
    machine: approvalMailMachine,
    id: mailEffectId(row.id, step, kind),
    kind,
    engine: "",
    payload_json: JSON.stringify({ step }),
  }));

/** Returns the effects that an action of the statechart requires, if any. Their payload names the step. */
export function effectsOf(
  action: RunAction,
  { row, steps }: RunState,
  at: number,
  { random, owner, mailsApprovals }: EffectRules,
): EffectTable[] {
  if (action.type === "perform") {
    const { step, attempt } = action;
    const perform = {
      ...effectFor(row, owner, attempt > 1 ? at + backoff(attempt, random) : at),
      id: stepEffectId(row.id, step, attempt),
      kind: "step",
      engine: capabilityOf(steps, step),
      payload_json: JSON.stringify({ step, attempt }),
    };
    return [perform];
  }
  if (action.type !== "requestApproval") return [];
  const expiry = {
    ...effectFor(row, owner, at + approvalLifetime),
    id: expiryEffectId(row.id, action.step),
    kind: "expire_approval",
    engine: "",
    payload_json: JSON.stringify({ step: action.step }),
  };
  return [expiry, ...(mailsApprovals ? approvalMailEffects(row, action.step, at, owner) : [])];
}

/** Returns the ids of the effects that an outside decision makes obsolete. */
export function cancelledEffects({ row, steps }: RunState): string[] {
  const waiting = steps.filter((s) => s.status === "running" || s.status === "awaiting_approval");
  return [
    startEffectId(row.id),
    ...waiting.flatMap(({ key, attempt }) => [
      stepEffectId(row.id, key, attempt),
      expiryEffectId(row.id, key),
      ...Object.keys(approvalMails).map((kind) => mailEffectId(row.id, key, kind)),
    ]),
  ];
}
