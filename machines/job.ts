import { assign, setup } from "xstate";

/**
 * A job from its submission to its end. Pure: no I/O, no clock, no randomness. Its actions are for the host
 * (`src/jobs/decide.ts`): what they ask for is written with the snapshot.
 *
 * Every event of an attempt names it, so that what a slow attempt still says after its successor began changes nothing.
 */

export interface JobContext {
  /** Attempts begun. */
  readonly attempts: number;
  readonly stage: string | null;
  readonly completed: number;
  readonly total: number;
  /** Why it failed. */
  readonly reason: string | null;
}

export type JobEvent =
  | { readonly type: "BEGIN"; readonly attempt: number }
  | {
      readonly type: "PROGRESS";
      readonly attempt: number;
      readonly stage: string;
      readonly completed: number;
      readonly total: number;
    }
  | { readonly type: "SUCCEEDED"; readonly attempt: number }
  | { readonly type: "FAILED"; readonly attempt: number; readonly reason: string; readonly retryable: boolean }
  | { readonly type: "REFUSE"; readonly reason: string };

/** What the host is told to do. */
export type JobAction = { readonly type: "perform"; readonly attempt: number } | { readonly type: "refund" };

/** Attempts of one job, the first included. */
export const maximumJobAttempts = 5;

export const jobMachine = setup({
  types: { context: {} as JobContext, events: {} as JobEvent },
  actions: {
    // For the host: nothing happens here.
    perform: (_, _params: { attempt: number }) => undefined,
    refund: () => undefined,
    // The machine's own book-keeping.
    begin: assign(({ context }) => ({ attempts: context.attempts + 1, stage: null, completed: 0, total: 0 })),
    report: assign((_, reported: { stage: string; completed: number; total: number }) => reported),
    fail: assign((_, { reason }: { reason: string }) => ({ reason, stage: null, completed: 0, total: 0 })),
  },
  guards: {
    next: ({ context }, { attempt }: { attempt: number }) => attempt === context.attempts + 1,
    own: ({ context }, { attempt }: { attempt: number }) => attempt === context.attempts,
    again: ({ context }, { attempt, retryable }: { attempt: number; retryable: boolean }) =>
      retryable && attempt === context.attempts && attempt < maximumJobAttempts,
  },
}).createMachine({
  id: "job",
  context: { attempts: 0, stage: null, completed: 0, total: 0, reason: null },
  initial: "queued",
  states: {
    // Waiting for its firm's turn at the engine.
    queued: {
      entry: { type: "perform", params: { attempt: 1 } },
      on: {
        BEGIN: {
          guard: { type: "next", params: ({ event }) => ({ attempt: event.attempt }) },
          target: "running",
          actions: "begin",
        },
        // What may not be carried out any more was not used.
        REFUSE: {
          target: "failed",
          actions: [{ type: "fail", params: ({ event }) => ({ reason: event.reason }) }, "refund"],
        },
      },
    },
    running: {
      initial: "working",
      states: {
        working: {
          on: {
            PROGRESS: {
              guard: { type: "own", params: ({ event }) => ({ attempt: event.attempt }) },
              actions: {
                type: "report",
                params: ({ event: { stage, completed, total } }) => ({ stage, completed, total }),
              },
            },
            SUCCEEDED: {
              guard: { type: "own", params: ({ event }) => ({ attempt: event.attempt }) },
              target: "#job.succeeded",
            },
            FAILED: [
              {
                guard: {
                  type: "again",
                  params: ({ event }) => ({ attempt: event.attempt, retryable: event.retryable }),
                },
                target: "waiting",
              },
              {
                guard: { type: "own", params: ({ event }) => ({ attempt: event.attempt }) },
                target: "#job.failed",
                actions: { type: "fail", params: ({ event }) => ({ reason: event.reason }) },
              },
            ],
          },
        },
        // Between two attempts.
        waiting: {
          entry: { type: "perform", params: ({ context }) => ({ attempt: context.attempts + 1 }) },
          on: {
            BEGIN: {
              guard: { type: "next", params: ({ event }) => ({ attempt: event.attempt }) },
              target: "working",
              actions: "begin",
            },
          },
        },
      },
    },
    succeeded: { type: "final" },
    failed: { type: "final" },
  },
});
