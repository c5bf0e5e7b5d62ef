import { assign, setup } from "xstate";

/**
 * A run from acceptance to its end. Pure: no I/O, no clock, no randomness. Its actions are for the host
 * (`src/runs/decide.ts`): what they ask for is written with the row.
 *
 * Credits: START reserves the whole maximum. Each succeeded step settles its charge once; a
 * withheld step releases its own maximum at once, and a partly approved one the share of what was rejected; whatever is
 * left is released at the end, so that for a terminal run reserved = charged + released.
 */

export type StepStatus = "pending" | "running" | "awaiting_approval" | "succeeded" | "failed" | "withheld" | "skipped";

export interface StepPlan {
  readonly key: string;
  readonly maximum: number;
  readonly approval: boolean;
}

export interface StepState extends StepPlan {
  readonly status: StepStatus;
  readonly attempt: number;
  readonly charged: number;
}

export interface RunContext {
  readonly steps: readonly StepState[];
  /** Index of the step that runs or waits. */
  readonly current: number;
  readonly reserved: number;
  readonly charged: number;
  readonly released: number;
  /** What the waiting step would cost once approved. */
  readonly proposed: number;
  /** Why it was refused or failed. */
  readonly reason: string | null;
}

export type RunEvent =
  | { readonly type: "START" }
  | { readonly type: "REFUSE"; readonly reason: string }
  /** `empty`: its output consists of no items, so that there is nothing to approve. */
  | { readonly type: "STEP_SUCCEEDED"; readonly step: string; readonly credits: number; readonly empty?: true }
  | { readonly type: "STEP_FAILED"; readonly step: string; readonly reason: string; readonly retryable: boolean }
  /** So many of the output's items are approved; an output that is decided as a whole is 1 of 1. */
  | { readonly type: "APPROVE"; readonly step: string; readonly approved: number; readonly of: number }
  | { readonly type: "WITHHOLD"; readonly step: string }
  | { readonly type: "CANCEL" };

/** What the host is told to do; credits are whole. */
export type RunAction =
  | { readonly type: "reserve"; readonly credits: number }
  | { readonly type: "perform"; readonly step: string; readonly attempt: number }
  | { readonly type: "settle"; readonly step: string; readonly credits: number }
  | { readonly type: "release"; readonly step: string | null; readonly credits: number }
  | { readonly type: "requestApproval"; readonly step: string }
  | { readonly type: "withhold"; readonly step: string }
  | { readonly type: "finish" };

/** Attempts of one step, the first included. */
export const maximumAttempts = 5;

/**
 * What a step costs of which so many items are approved, in whole credits: their share of what it would cost, rounded
 * down. All of them cost all of it; what is not charged is released.
 */
export const approvedShare = (credits: number, approved: number, of: number): number =>
  Math.floor((credits * approved) / of);

const current = (context: RunContext): StepState | undefined => context.steps[context.current];
const keyOf = (context: RunContext): string => current(context)?.key ?? "";

const changed = (context: RunContext, change: Partial<StepState>): readonly StepState[] =>
  context.steps.map((step, i) => (i === context.current ? { ...step, ...change } : step));

/** What is reserved still and belongs to no charge. */
const rest = (context: RunContext): number => context.reserved - context.charged - context.released;

/** What an approval charges of the waiting step's proposed credits, and what it releases at once. */
function sharesOf({ proposed }: RunContext, { approved, of }: { approved: number; of: number }) {
  const credits = approvedShare(proposed, approved, of);
  return { credits, released: proposed - credits };
}

export const runMachine = setup({
  types: {
    context: {} as RunContext,
    events: {} as RunEvent,
    input: {} as { readonly steps: readonly StepPlan[] },
  },
  actions: {
    // For the host: nothing happens here.
    reserve: (_, _params: { credits: number }) => undefined,
    perform: (_, _params: { step: string; attempt: number }) => undefined,
    settle: (_, _params: { step: string; credits: number }) => undefined,
    release: (_, _params: { step: string | null; credits: number }) => undefined,
    requestApproval: (_, _params: { step: string }) => undefined,
    withhold: (_, _params: { step: string }) => undefined,
    finish: () => undefined,
    // The machine's own book-keeping.
    begin: assign(({ context }) => ({
      reserved: context.steps.reduce((sum, step) => sum + step.maximum, 0),
      steps: changed(context, { status: "running", attempt: 1 }),
    })),
    again: assign(({ context }) => ({
      steps: changed(context, { attempt: (current(context)?.attempt ?? 0) + 1 }),
    })),
    charge: assign(({ context }, { credits, released }: { credits: number; released: number }) => ({
      charged: context.charged + credits,
      released: context.released + released,
      proposed: 0,
      steps: changed(context, { status: "succeeded", charged: credits }),
    })),
    propose: assign(({ context }, { credits }: { credits: number }) => ({
      proposed: credits,
      steps: changed(context, { status: "awaiting_approval" }),
    })),
    drop: assign(({ context }) => ({
      proposed: 0,
      released: context.released + (current(context)?.maximum ?? 0),
      steps: changed(context, { status: "withheld" }),
    })),
    advance: assign(({ context }) => ({
      current: context.current + 1,
      steps: context.steps.map((step, i) =>
        i === context.current + 1 ? { ...step, status: "running" as const, attempt: 1 } : step,
      ),
    })),
    stop: assign(({ context }, { reason, status }: { reason: string; status: StepStatus }) => ({
      reason,
      proposed: 0,
      steps: context.steps.map((step, i) =>
        i === context.current
          ? { ...step, status: step.status === "pending" ? ("skipped" as const) : status }
          : i > context.current
            ? { ...step, status: "skipped" as const }
            : step,
      ),
    })),
    releaseRest: assign(({ context }) => ({ released: context.released + rest(context) })),
  },
  guards: {
    more: ({ context }) => context.current + 1 < context.steps.length,
    own: ({ context }, { step }: { step: string }) => step === keyOf(context),
    approves: ({ context }, { step, approved, of }: { step: string; approved: number; of: number }) =>
      step === keyOf(context) && approved > 0 && approved <= of,
    asks: ({ context }, { step, empty }: { step: string; empty: boolean }) =>
      step === keyOf(context) && current(context)?.approval === true && !empty,
    again: ({ context }, { step, retryable }: { step: string; retryable: boolean }) =>
      retryable && step === keyOf(context) && (current(context)?.attempt ?? 0) < maximumAttempts,
    charged: ({ context }) => context.charged > 0,
  },
}).createMachine({
  id: "run",
  context: ({ input }) => ({
    steps: input.steps.map((plan) => ({ ...plan, status: "pending", attempt: 0, charged: 0 })),
    current: 0,
    reserved: 0,
    charged: 0,
    released: 0,
    proposed: 0,
    reason: null,
  }),
  initial: "queued",
  states: {
    queued: {
      on: {
        START: {
          target: "running",
          actions: ["begin", { type: "reserve", params: ({ context }) => ({ credits: context.reserved }) }],
        },
        REFUSE: {
          target: "refused",
          actions: { type: "stop", params: ({ event }) => ({ reason: event.reason, status: "skipped" }) },
        },
        CANCEL: { target: "refused", actions: { type: "stop", params: { reason: "cancelled", status: "skipped" } } },
      },
    },
    running: {
      initial: "performing",
      states: {
        performing: {
          entry: {
            type: "perform",
            params: ({ context }) => ({ step: keyOf(context), attempt: current(context)?.attempt ?? 0 }),
          },
        },
        // After a step that was charged or withheld: the next one, or the end.
        between: {
          always: [{ guard: "more", target: "performing", actions: "advance" }, { target: "#run.succeeded" }],
        },
      },
      on: {
        STEP_SUCCEEDED: [
          {
            guard: { type: "asks", params: ({ event }) => ({ step: event.step, empty: event.empty === true }) },
            target: "awaiting_approval",
            actions: { type: "propose", params: ({ event }) => ({ credits: event.credits }) },
          },
          {
            guard: { type: "own", params: ({ event }) => ({ step: event.step }) },
            target: ".between",
            actions: [
              { type: "charge", params: ({ event }) => ({ credits: event.credits, released: 0 }) },
              { type: "settle", params: ({ event }) => ({ step: event.step, credits: event.credits }) },
            ],
          },
        ],
        STEP_FAILED: [
          {
            guard: { type: "again", params: ({ event }) => ({ step: event.step, retryable: event.retryable }) },
            target: ".performing",
            reenter: true,
            actions: "again",
          },
          {
            guard: { type: "own", params: ({ event }) => ({ step: event.step }) },
            target: "failed",
            actions: { type: "stop", params: ({ event }) => ({ reason: event.reason, status: "failed" }) },
          },
        ],
        CANCEL: { target: "cancelling" },
      },
    },
    awaiting_approval: {
      entry: { type: "requestApproval", params: ({ context }) => ({ step: keyOf(context) }) },
      on: {
        APPROVE: {
          guard: {
            type: "approves",
            params: ({ event }) => ({ step: event.step, approved: event.approved, of: event.of }),
          },
          target: "running.between",
          actions: [
            {
              type: "settle",
              params: ({ context, event }) => ({ step: event.step, credits: sharesOf(context, event).credits }),
            },
            {
              type: "release",
              params: ({ context, event }) => ({ step: event.step, credits: sharesOf(context, event).released }),
            },
            { type: "charge", params: ({ context, event }) => sharesOf(context, event) },
          ],
        },
        WITHHOLD: {
          guard: { type: "own", params: ({ event }) => ({ step: event.step }) },
          target: "running.between",
          actions: [
            { type: "withhold", params: ({ event }) => ({ step: event.step }) },
            {
              type: "release",
              params: ({ context, event }) => ({ step: event.step, credits: current(context)?.maximum ?? 0 }),
            },
            "drop",
          ],
        },
        CANCEL: {
          target: "cancelling",
          actions: { type: "withhold", params: ({ context }) => ({ step: keyOf(context) }) },
        },
      },
    },
    // Cancelled before the first charge is refused; after it, failed.
    cancelling: {
      entry: { type: "stop", params: { reason: "cancelled", status: "skipped" } },
      always: [{ guard: "charged", target: "failed" }, { target: "refused" }],
    },
    succeeded: {
      type: "final",
      entry: [
        { type: "release", params: ({ context }) => ({ step: null, credits: rest(context) }) },
        "releaseRest",
        "finish",
      ],
    },
    failed: {
      type: "final",
      entry: [
        { type: "release", params: ({ context }) => ({ step: null, credits: rest(context) }) },
        "releaseRest",
        "finish",
      ],
    },
    refused: {
      type: "final",
      entry: [
        { type: "release", params: ({ context }) => ({ step: null, credits: rest(context) }) },
        "releaseRest",
        "finish",
      ],
    },
  },
});
