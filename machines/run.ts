import { assign, setup } from "xstate";

/**
 * The lifecycle of a run, from acceptance to a terminal state. Pure: no I/O, no clock, no randomness. The host
 * (`src/runs/decide.ts`) writes what the actions request together with the run's row.
 *
 * A step starts as soon as the steps it needs have finished, so independent steps run in parallel. A run waits for
 * approval only when no step is running, and for one step at a time.
 *
 * Credits: START reserves the whole maximum. Each succeeded step settles its charge once. A withheld step releases its
 * own maximum immediately, and a partly approved step releases the share of the rejected items. The remainder is
 * released at the end, so that for a terminal run reserved = charged + released.
 */

export type StepStatus = "pending" | "running" | "awaiting_approval" | "succeeded" | "failed" | "withheld" | "skipped";

export interface StepPlan {
  readonly key: string;
  readonly maximum: number;
  readonly approval: boolean;
  /** Keys of the earlier steps that must finish before this one starts. If absent, all of them. */
  readonly needs?: readonly string[] | undefined;
}

export interface StepState extends StepPlan {
  readonly status: StepStatus;
  readonly attempt: number;
  readonly charged: number;
}

export interface RunContext {
  readonly steps: readonly StepState[];
  readonly reserved: number;
  readonly charged: number;
  readonly released: number;
  /** What the step awaiting approval will cost, in credits, if all of it is approved. */
  readonly proposed: number;
  /** Why the run was refused or failed. */
  readonly reason: string | null;
}

export type RunEvent =
  | { readonly type: "START" }
  | { readonly type: "REFUSE"; readonly reason: string }
  /** `empty`: the output contains no items, so there is nothing to approve. */
  | { readonly type: "STEP_SUCCEEDED"; readonly step: string; readonly credits: number; readonly empty?: true }
  | { readonly type: "STEP_FAILED"; readonly step: string; readonly reason: string; readonly retryable: boolean }
  /** `approved` of the output's `of` items are approved. An output that is decided as a whole counts as 1 of 1. */
  | { readonly type: "APPROVE"; readonly step: string; readonly approved: number; readonly of: number }
  | { readonly type: "WITHHOLD"; readonly step: string }
  | { readonly type: "CANCEL" };

/** An action for the host to carry out. Credits are whole numbers. */
export type RunAction =
  | { readonly type: "reserve"; readonly credits: number }
  | { readonly type: "perform"; readonly step: string; readonly attempt: number }
  | { readonly type: "settle"; readonly step: string; readonly credits: number }
  | { readonly type: "release"; readonly step: string | null; readonly credits: number }
  | { readonly type: "requestApproval"; readonly step: string }
  | { readonly type: "withhold"; readonly step: string }
  | { readonly type: "finish" };

/** Maximum number of attempts per step, including the first. */
export const maximumAttempts = 5;

/**
 * Returns the cost of a partly approved step, in whole credits: the approved items' share of the full cost, rounded
 * down. Approving every item costs the full amount; the rest is released.
 */
export const approvedShare = (credits: number, approved: number, of: number): number =>
  Math.floor((credits * approved) / of);

const stepOf = ({ steps }: RunContext, key: string): StepState | undefined => steps.find((step) => step.key === key);
const isIn = (context: RunContext, key: string, status: StepStatus): boolean => stepOf(context, key)?.status === status;
const attemptOf = (context: RunContext, key: string): number => stepOf(context, key)?.attempt ?? 0;

const isDelivered = ({ status }: StepState): boolean => status === "succeeded" || status === "withheld";
const isOpen = ({ status }: StepState): boolean => status === "running" || status === "awaiting_approval";

/**
 * Returns the first step that can start: the steps it needs have finished and, if it needs approval itself, no other
 * step is awaiting approval or will.
 */
function readyKey({ steps }: RunContext): string | undefined {
  const isDecided = !steps.some((step) => step.approval && isOpen(step));
  const isReady = ({ status, needs, approval }: StepState, place: number) =>
    status === "pending" &&
    (isDecided || !approval) &&
    steps.every((step, i) => isDelivered(step) || (needs ? !needs.includes(step.key) : i >= place));
  return steps.find(isReady)?.key;
}

/** Returns the key of the step awaiting approval; there is at most one. */
const waitingKey = ({ steps }: RunContext): string | undefined =>
  steps.find(({ status }) => status === "awaiting_approval")?.key;

const changed = ({ steps }: RunContext, key: string | undefined, change: Partial<StepState>): readonly StepState[] =>
  steps.map((step) => (step.key === key ? { ...step, ...change } : step));

/** Returns the credits that are still reserved: neither charged nor released. */
const rest = (context: RunContext): number => context.reserved - context.charged - context.released;

/** Splits the proposed credits of the step awaiting approval into those charged and those released immediately. */
function sharesOf({ proposed }: RunContext, { approved, of }: { approved: number; of: number }) {
  const credits = approvedShare(proposed, approved, of);
  return { credits, released: proposed - credits };
}

/** When the run ends, output that is still awaiting approval is erased. */
const withholdWaiting = {
  type: "withhold",
  params: ({ context }: { context: RunContext }) => ({ step: waitingKey(context) ?? "" }),
} as const;

export const runMachine = setup({
  types: {
    context: {} as RunContext,
    events: {} as RunEvent,
    input: {} as { readonly steps: readonly StepPlan[] },
  },
  actions: {
    // Carried out by the host, so they do nothing here.
    reserve: (_, _params: { credits: number }) => undefined,
    perform: (_, _params: { step: string; attempt: number }) => undefined,
    settle: (_, _params: { step: string; credits: number }) => undefined,
    release: (_, _params: { step: string | null; credits: number }) => undefined,
    requestApproval: (_, _params: { step: string }) => undefined,
    withhold: (_, _params: { step: string }) => undefined,
    finish: () => undefined,
    // These update the machine's own context.
    begin: assign(({ context }) => ({ reserved: context.steps.reduce((sum, step) => sum + step.maximum, 0) })),
    startReady: assign(({ context }) => ({
      steps: changed(context, readyKey(context), { status: "running", attempt: 1 }),
    })),
    again: assign(({ context }, { step }: { step: string }) => ({
      steps: changed(context, step, { attempt: attemptOf(context, step) + 1 }),
    })),
    charge: assign(({ context }, { step, credits, released }: { step: string; credits: number; released: number }) => ({
      charged: context.charged + credits,
      released: context.released + released,
      proposed: isIn(context, step, "awaiting_approval") ? 0 : context.proposed,
      steps: changed(context, step, { status: "succeeded", charged: credits }),
    })),
    propose: assign(({ context }, { step, credits }: { step: string; credits: number }) => ({
      proposed: credits,
      steps: changed(context, step, { status: "awaiting_approval" }),
    })),
    drop: assign(({ context }, { step }: { step: string }) => ({
      proposed: 0,
      released: context.released + (stepOf(context, step)?.maximum ?? 0),
      steps: changed(context, step, { status: "withheld" }),
    })),
    stop: assign(({ context }, { reason, failed }: { reason: string; failed: string | null }) => ({
      reason,
      proposed: 0,
      steps: context.steps.map((step) => {
        if (isDelivered(step)) return step;
        return { ...step, status: step.key === failed ? ("failed" as const) : ("skipped" as const) };
      }),
    })),
    releaseRest: assign(({ context }) => ({ released: context.released + rest(context) })),
  },
  guards: {
    ready: ({ context }) => readyKey(context) !== undefined,
    underWay: ({ context }) => context.steps.some(({ status }) => status === "running"),
    waits: ({ context }) => waitingKey(context) !== undefined,
    runs: ({ context }, { step }: { step: string }) => isIn(context, step, "running"),
    leavesWaiting: ({ context }, { step }: { step: string }) =>
      isIn(context, step, "running") && waitingKey(context) !== undefined,
    own: ({ context }, { step }: { step: string }) => isIn(context, step, "awaiting_approval"),
    approves: ({ context }, { step, approved, of }: { step: string; approved: number; of: number }) =>
      isIn(context, step, "awaiting_approval") && approved > 0 && approved <= of,
    asks: ({ context }, { step, empty }: { step: string; empty: boolean }) =>
      isIn(context, step, "running") && stepOf(context, step)?.approval === true && !empty,
    again: ({ context }, { step, retryable }: { step: string; retryable: boolean }) =>
      retryable && isIn(context, step, "running") && attemptOf(context, step) < maximumAttempts,
    charged: ({ context }) => context.charged > 0,
  },
}).createMachine({
  id: "run",
  context: ({ input }) => ({
    steps: input.steps.map((plan) => ({ ...plan, status: "pending", attempt: 0, charged: 0 })),
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
          actions: { type: "stop", params: ({ event }) => ({ reason: event.reason, failed: null }) },
        },
        CANCEL: { target: "refused", actions: { type: "stop", params: { reason: "cancelled", failed: null } } },
      },
    },
    running: {
      initial: "between",
      states: {
        performing: {},
        // At the start and after each step: start every step that is ready; ask for approval only when none is running.
        between: {
          always: [
            {
              guard: "ready",
              actions: [
                { type: "perform", params: ({ context }) => ({ step: readyKey(context) ?? "", attempt: 1 }) },
                "startReady",
              ],
            },
            { guard: "underWay", target: "performing" },
            { guard: "waits", target: "#run.awaiting_approval" },
            { target: "#run.succeeded" },
          ],
        },
      },
      on: {
        STEP_SUCCEEDED: [
          {
            guard: { type: "asks", params: ({ event }) => ({ step: event.step, empty: event.empty === true }) },
            target: ".between",
            actions: { type: "propose", params: ({ event }) => ({ step: event.step, credits: event.credits }) },
          },
          {
            guard: { type: "runs", params: ({ event }) => ({ step: event.step }) },
            target: ".between",
            actions: [
              {
                type: "charge",
                params: ({ event }) => ({ step: event.step, credits: event.credits, released: 0 }),
              },
              { type: "settle", params: ({ event }) => ({ step: event.step, credits: event.credits }) },
            ],
          },
        ],
        STEP_FAILED: [
          {
            guard: { type: "again", params: ({ event }) => ({ step: event.step, retryable: event.retryable }) },
            actions: [
              { type: "again", params: ({ event }) => ({ step: event.step }) },
              {
                type: "perform",
                params: ({ context, event }) => ({ step: event.step, attempt: attemptOf(context, event.step) }),
              },
            ],
          },
          {
            guard: { type: "leavesWaiting", params: ({ event }) => ({ step: event.step }) },
            target: "failed",
            actions: [
              withholdWaiting,
              { type: "stop", params: ({ event }) => ({ reason: event.reason, failed: event.step }) },
            ],
          },
          {
            guard: { type: "runs", params: ({ event }) => ({ step: event.step }) },
            target: "failed",
            actions: { type: "stop", params: ({ event }) => ({ reason: event.reason, failed: event.step }) },
          },
        ],
        CANCEL: [{ guard: "waits", target: "cancelling", actions: withholdWaiting }, { target: "cancelling" }],
      },
    },
    awaiting_approval: {
      entry: { type: "requestApproval", params: ({ context }) => ({ step: waitingKey(context) ?? "" }) },
      on: {
        APPROVE: {
          guard: {
            type: "approves",
            params: ({ event }) => ({ step: event.step, approved: event.approved, of: event.of }),
          },
          target: "running",
          actions: [
            {
              type: "settle",
              params: ({ context, event }) => ({ step: event.step, credits: sharesOf(context, event).credits }),
            },
            {
              type: "release",
              params: ({ context, event }) => ({ step: event.step, credits: sharesOf(context, event).released }),
            },
            { type: "charge", params: ({ context, event }) => ({ step: event.step, ...sharesOf(context, event) }) },
          ],
        },
        WITHHOLD: {
          guard: { type: "own", params: ({ event }) => ({ step: event.step }) },
          target: "running",
          actions: [
            { type: "withhold", params: ({ event }) => ({ step: event.step }) },
            {
              type: "release",
              params: ({ context, event }) => ({
                step: event.step,
                credits: stepOf(context, event.step)?.maximum ?? 0,
              }),
            },
            { type: "drop", params: ({ event }) => ({ step: event.step }) },
          ],
        },
        CANCEL: { target: "cancelling", actions: withholdWaiting },
      },
    },
    // A run cancelled before its first charge is refused; after it, the run has failed.
    cancelling: {
      entry: { type: "stop", params: { reason: "cancelled", failed: null } },
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
