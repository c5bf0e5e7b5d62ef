import type { RunEvent } from "../../machines/run.ts";
import type { Answered } from "../execution/attempt.ts";
import type { EventContext } from "./apply-event.ts";
import type { StoredStep } from "./record.ts";

/** What became of a step: the machine's event, and what comes with it. */
export interface Outcome {
  readonly event: RunEvent;
  readonly context: Omit<EventContext, "at" | "actor">;
}

export const stepFailed = (step: string, code: string, message: string, retryable: boolean): Outcome => ({
  event: { type: "STEP_FAILED", step, reason: code, retryable },
  context: { error: { code, message } },
});

/**
 * A step that was answered: charged what the engine asks for, at its full price where it says nothing. `empty`: its
 * output has items of which a person decides, and there are none.
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
