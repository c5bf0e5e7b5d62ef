import { assign, setup } from "xstate";

/**
 * The lifecycle of an architect's solution, from the firm's goals to the saved composition. Pure: no I/O, no clock.
 * Selected products and saved compositions arrive with events; the host (`src/products/architect/decide.ts`) stores
 * them with the snapshot.
 *
 * There is no final state: a saved design can be changed, and the saved composition is kept until the next SAVE.
 */

export interface SolutionContext {
  /** How many times the products were selected again. */
  readonly designs: number;
  /** How many times the solution was saved, each time with the caller's consent. */
  readonly saves: number;
}

export type SolutionEvent =
  /** The caller selected other products for some of the needs. */
  | { readonly type: "CHOOSE" }
  /** The caller consented to keeping the current composition. */
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
    // The goals are known, and each need has its best-fitting product.
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
