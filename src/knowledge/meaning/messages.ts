import type { WeightFiles } from "./weights.ts";

/** What the thread of the models is asked, and what it answers. */

export type ToThread =
  | { readonly load: WeightFiles; readonly nice: number }
  | { readonly id: number; readonly text: string };

export type FromThread =
  | { readonly loaded: true }
  | { readonly id: number; readonly vector: Float32Array }
  /** It cannot go on: for the log. */
  | { readonly failed: string };
