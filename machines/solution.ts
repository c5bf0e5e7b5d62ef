import { assign, setup } from "xstate";

/**
 * A solution of the architect, from a firm's goals to what was saved of it. Pure: no I/O, no clock. What is chosen and what is
 * saved comes with the event, for the host (`src/products/architect/decide.ts`), which writes it with the snapshot.
 *
 * It has no end: a design may be changed after it was saved, and what was saved stays as it is until the next SAVE.
 */

export interface SolutionContext {
  /** How often the products were chosen again. */
  readonly designs: number;
  /** How often it was saved: with consent, each time. */
  readonly saves: number;
}

export type SolutionEvent =
  /** The caller has chosen other products for some of the needs. */
  | { readonly type: "CHOOSE" }
  /** The caller has consented, and the composition as it is now is kept. */
  | { readonly type: "SAVE" };

export const solutionMachine = setup({
  types: { context: {} as SolutionContext, events: {} as SolutionEvent },
  actions: {
    choose: assign(({ context }) => ({ designs: context.designs + 1 })),
    save: assign(({ context }) => ({ saves: context.saves + 1 })),
  },
}).createMachine({
  id: "solution",
  context: { designs: 0, saves: 0 },
  initial: "described",
  states: {
    // The goals are known, and each need has the product that fits it best.
    described: {
      on: { CHOOSE: { target: "designed", actions: "choose" }, SAVE: { target: "saved", actions: "save" } },
    },
    designed: {
      on: {
        CHOOSE: { target: "designed", reenter: true, actions: "choose" },
        SAVE: { target: "saved", actions: "save" },
      },
    },
    saved: {
      on: {
        CHOOSE: { target: "designed", actions: "choose" },
        SAVE: { target: "saved", reenter: true, actions: "save" },
      },
    },
  },
});
