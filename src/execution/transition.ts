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

/** A transition from the parts that it has; the rest is empty. */
export const transitionOf = (parts: Partial<Transition>): Transition => ({ ...empty, ...parts });
