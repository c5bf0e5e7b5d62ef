import { assign, setup } from "xstate";

/**
 * The lifecycle of a job, from submission to completion. Pure: no I/O, no clock, no randomness. The host
 * (`src/jobs/decide.ts`) writes what the actions request together with the snapshot.
 *
 * Every event of an attempt carries its number, so that late events of a superseded attempt are ignored.
 */

export interface JobContext {
  /** Number of attempts started. */
  readonly attempts: number;
  readonly stage: string | null;
  readonly completed: number;
  readonly total: number;
  /** Why the job failed. */
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

/** An action for the host to carry out. */
export type JobAction = { readonly type: "perform"; readonly attempt: number } | { readonly type: "refund" };

/** Maximum number of attempts per job, including the first. */
export const maximumJobAttempts = 5;

export const jobMachine = setup({
  types: { context: {} as JobContext, events: {} as JobEvent },
  actions: {
    // Carried out by the host, so they do nothing here.
    perform: (_, _params: { attempt: number }) => undefined,
    refund: () => undefined,
    // These update the machine's own context.
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
    // Waiting for the firm's turn at the engine.
    queued: {
      entry: { type: "perform", params: { attempt: 1 } },
      on: {
        BEGIN: {
          guard: { type: "next", params: ({ event }) => ({ attempt: event.attempt }) },
          target: "running",
          actions: "begin",
        },
        // A job that may no longer run has not used its quota.
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
