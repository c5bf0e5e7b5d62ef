import { assign, setup } from "xstate";

/**
 * The lifecycle of a validation, from acceptance to verdict. Pure: no I/O, no clock, no randomness. The host
 * (`src/products/validator/decide.ts`) writes what the actions request together with the snapshot.
 *
 * Its public status is `running` or `completed`. Each batch of interviews is a separate effect, so that an interrupted
 * study resumes with the next batch. A verdict is delivered only after the study's run has settled its charge; if the
 * run ends before that, the verdict is dropped.
 */

/** A part of the study: drawing the personas, one batch of interviews, or weighing the answers. */
export type ValidationStage = "draw" | "interview" | "weigh";

export interface ValidationContext {
  /** Number of interview batches; 0 until the personas are drawn. */
  readonly batches: number;
  /** Number of completed batches. */
  readonly done: number;
  /** Number of personas that have answered. */
  readonly asked: number;
  /** The current part's attempt, counted from 1. */
  readonly attempt: number;
  /** Why it completed without a verdict. */
  readonly reason: string | null;
}

export type ValidationEvent =
  | { readonly type: "BEGIN" }
  | { readonly type: "DREW"; readonly batches: number }
  | { readonly type: "INTERVIEWED"; readonly batch: number; readonly personas: number }
  | { readonly type: "WEIGHED" }
  /** Its run has settled its charge. */
  | { readonly type: "SETTLED" }
  | { readonly type: "FAILED"; readonly reason: string; readonly retryable: boolean }
  /** Its run ended without settling it. */
  | { readonly type: "CANCEL" };

/** An action for the host to carry out. `batch` counts from 0, and is 0 outside the interviews. */
export interface ValidationAction {
  readonly type: "perform";
  readonly stage: ValidationStage;
  readonly batch: number;
  readonly attempt: number;
}

/** Maximum number of attempts per part, including the first. */
export const maximumPartAttempts = 5;

const params =
  (stage: ValidationStage) =>
  ({ context }: { context: ValidationContext }) => ({
    stage,
    batch: stage === "interview" ? context.done : 0,
    attempt: context.attempt,
  });

/** Returns the transitions for a failed part: retry it, or complete without a verdict. */
const setbacks = (self: string) => ({
  FAILED: [
    {
      guard: { type: "again" as const, params: ({ event }: { event: { retryable: boolean } }) => event },
      target: self,
      reenter: true,
      actions: "retry" as const,
    },
    {
      target: "#validation.completed",
      actions: { type: "fail" as const, params: ({ event }: { event: { reason: string } }) => event },
    },
  ],
});

export const validationMachine = setup({
  types: { context: {} as ValidationContext, events: {} as ValidationEvent },
  actions: {
    // Carried out by the host, so it does nothing here.
    perform: (_, _params: { stage: ValidationStage; batch: number; attempt: number }) => undefined,
    // These update the machine's own context.
    plan: assign((_, { batches }: { batches: number }) => ({ batches, attempt: 1 })),
    count: assign(({ context }, { personas }: { personas: number }) => ({
      done: context.done + 1,
      asked: context.asked + personas,
      attempt: 1,
    })),
    retry: assign(({ context }) => ({ attempt: context.attempt + 1 })),
    fail: assign((_, { reason }: { reason: string }) => ({ reason })),
  },
  guards: {
    some: (_, { batches }: { batches: number }) => batches > 0,
    own: ({ context }, { batch }: { batch: number }) => batch === context.done,
    last: ({ context }, { batch }: { batch: number }) => batch === context.done && batch + 1 === context.batches,
    again: ({ context }, { retryable }: { retryable: boolean }) => retryable && context.attempt < maximumPartAttempts,
  },
}).createMachine({
  id: "validation",
  context: { batches: 0, done: 0, asked: 0, attempt: 1, reason: null },
  initial: "running",
  states: {
    running: {
      initial: "waiting",
      states: {
        // Waiting for its run's turn at the engine.
        waiting: { on: { BEGIN: { target: "drawing" } } },
        drawing: {
          entry: { type: "perform", params: params("draw") },
          on: {
            DREW: [
              {
                guard: { type: "some", params: ({ event }) => ({ batches: event.batches }) },
                target: "interviewing",
                actions: { type: "plan", params: ({ event }) => ({ batches: event.batches }) },
              },
              { target: "#validation.completed", actions: { type: "fail", params: { reason: "no_personas" } } },
            ],
            ...setbacks("drawing"),
          },
        },
        interviewing: {
          entry: { type: "perform", params: params("interview") },
          on: {
            INTERVIEWED: [
              {
                guard: { type: "last", params: ({ event }) => ({ batch: event.batch }) },
                target: "weighing",
                actions: { type: "count", params: ({ event }) => ({ personas: event.personas }) },
              },
              {
                guard: { type: "own", params: ({ event }) => ({ batch: event.batch }) },
                target: "interviewing",
                reenter: true,
                actions: { type: "count", params: ({ event }) => ({ personas: event.personas }) },
              },
            ],
            ...setbacks("interviewing"),
          },
        },
        weighing: {
          entry: { type: "perform", params: params("weigh") },
          on: { WEIGHED: { target: "weighed" }, ...setbacks("weighing") },
        },
        // Waiting for its run to settle the charge.
        weighed: { on: { SETTLED: { target: "#validation.completed" } } },
      },
      on: { CANCEL: { target: "completed", actions: { type: "fail", params: { reason: "cancelled" } } } },
    },
    completed: { type: "final" },
  },
});
