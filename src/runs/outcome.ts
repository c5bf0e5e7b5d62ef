import type { RunEvent } from "../../machines/run.ts";
import type { Answered } from "../execution/attempt.ts";
import type { EventContext } from "./apply-event.ts";
import type { StoredStep } from "./record.ts";

/** The outcome of a step: the machine's event and the accompanying context. */
export interface Outcome {
  readonly event: RunEvent;
  readonly context: Omit<EventContext, "at" | "actor">;
}

export const stepFailed = (step: string, code: string, message: string, retryable: boolean): Outcome => ({
  event: { type: "STEP_FAILED", step, reason: code, retryable },
  context: { error: { code, message } },
});

/**
 * Returns the outcome of an answered step. It is charged what the engine states, or its full price if the engine states
 * nothing. `empty`: the output would need approval item by item, but has no items.
 */
export function stepAnswered(
  { key, maximum_credits }: Pick<StoredStep, "key" | "maximum_credits">,
  { outcome, engine }: Answered,
  empty = false,
): Outcome {
  const { result, credits = maximum_credits } = outcome;
  if (!Number.isSafeInteger(credits) || credits < 0 || credits > maximum_credits)
    return stepFailed(key, "charge_above_maximum", "The engine asked for more than the step's maximum.", false);
  const event: RunEvent = { type: "STEP_SUCCEEDED", step: key, credits, ...(empty && { empty }) };
  return { event, context: { result, engine } };
}
