/** Messages for the reasons why a run ended. Codes that come from engines bring their own message. */
export const reasonMessages: Readonly<Record<string, string>> = {
  insufficient_credits:
    "The firm has fewer credits available than the run's maximum. Ask the operator for credits, then start a new run.",
  cancelled: "The run was cancelled.",
  capability_runs_disabled: "Runs were switched off before this one finished. Start a new run later.",
  commercial_validation_required: "The use case's commercial gate was closed before this run started.",
  entitlement_withdrawn: "The firm no longer holds the entitlement that this needs.",
  capability_removed: "The capability was removed before the run finished. Nothing was charged for it.",
  capability_replaced:
    "The capability was replaced by another version before the run finished. Nothing was charged for it. Start a new run.",
  step_timed_out: "A step did not finish in time, and its attempts are used up.",
  engine_failed: "The engine failed. Nothing was charged for the step.",
  engine_output_invalid: "The engine's answer did not match its contract, so it was not delivered or charged.",
  charge_above_maximum:
    "The engine asked for more than the step's maximum, so its answer was not delivered or charged.",
};

export const reasonMessage = (code: string, otherwise?: string): string =>
  reasonMessages[code] ?? otherwise ?? "See the step's error.";
