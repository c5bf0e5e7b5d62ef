import type { Transition } from "../../db/transition.ts";

const empty: Transition = {
  guards: [],
  actors: [],
  transfers: [],
  effects: { add: [], remove: [] },
  checkpoints: { put: [], clear: [] },
  results: { put: [], clear: [] },
  keys: { put: [], clear: [] },
  counters: [],
  audit: [],
  receipt: null,
};

/** Returns a transition made of the given parts; all others are empty. */
export const transitionOf = (parts: Partial<Transition>): Transition => ({ ...empty, ...parts });
