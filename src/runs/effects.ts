import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import type { RunAction } from "../../machines/run.ts";
import { backoff } from "../execution/backoff.ts";
import { approvalLifetime, type RunState } from "./apply-event.ts";
import type { StoredStep } from "./record.ts";

/** What is still to do for a run, as the worker carries it out. */

export const runMachineName = "run";

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

export const capabilityOf = (steps: readonly StoredStep[], key: string): string =>
  steps.find((step) => step.key === key)?.capability ?? "";

/** The effect that a run waits for its start with, in its firm's turn at the first step's engine. */
export const startEffect = ({ row, steps }: RunState, at: number): EffectTable => ({
  ...stepEffect(row, "", 0, steps[0]?.capability ?? "", at),
  id: startEffectId(row.id),
  kind: "start",
});

/** What is still to do after an action of the statechart, if anything. `random`: uniform in [0, 1), for the jitter of retries. */
export function effectOf(
  action: RunAction,
  { row, steps }: RunState,
  at: number,
  random: () => number,
): EffectTable | undefined {
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

/** The effects of the state that a decision from outside ends: they would find nothing to do. */
export function cancelledEffects({ row, steps }: RunState): string[] {
  const waiting = steps.filter((s) => s.status === "running" || s.status === "awaiting_approval");
  return [
    startEffectId(row.id),
    ...waiting.flatMap(({ key, attempt }) => [stepEffectId(row.id, key, attempt), expiryEffectId(row.id, key)]),
  ];
}
