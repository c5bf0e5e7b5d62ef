import { assign, setup } from "xstate";

/**
 * A validation from its acceptance to its verdict. Pure: no I/O, no clock, no randomness. Its actions are for the host
 * (`src/products/validator/decide.ts`): what they ask for is written with the snapshot.
 *
 * Publicly it is `running` or `completed`. Each batch of interviews is an effect of its own, so that whatever interrupts
 * a study, it goes on with the next batch. A verdict is delivered once the study's run has settled its charge: a run that
 * ends before that takes the verdict with it.
 */

/** What is to be carried out: the drawing, one batch of interviews, or the weighing. */
export type ValidationStage = "draw" | "interview" | "weigh";

export interface ValidationContext {
  /** Batches of interviews; 0 until the personas are drawn. */
  readonly batches: number;
  /** Batches that are done. */
  readonly done: number;
  /** Personas that have answered. */
  readonly asked: number;
  /** The attempt at what is under way, counted from 1. */
  readonly attempt: number;
  /** Why it ended without a verdict. */
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
  /** Its run has ended without it. */
  | { readonly type: "CANCEL" };

/** What the host is told to do. `batch` counts from 0 and is 0 outside of interviews. */
export interface ValidationAction {
  readonly type: "perform";
  readonly stage: ValidationStage;
  readonly batch: number;
  readonly attempt: number;
}

/** Attempts of one part, the first included. */
export const maximumPartAttempts = 5;

const params =
  (stage: ValidationStage) =>
  ({ context }: { context: ValidationContext }) => ({
    stage,
    batch: stage === "interview" ? context.done : 0,
    attempt: context.attempt,
  });

/** What ends a part, or has it tried again. */
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
    // For the host: nothing happens here.
    perform: (_, _params: { stage: ValidationStage; batch: number; attempt: number }) => undefined,
    // The machine's own book-keeping.
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
        // For its run's turn at the engine.
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
        // For its run to settle what it cost.
        weighed: { on: { SETTLED: { target: "#validation.completed" } } },
      },
      on: { CANCEL: { target: "completed", actions: { type: "fail", params: { reason: "cancelled" } } } },
    },
    completed: { type: "final" },
  },
});
