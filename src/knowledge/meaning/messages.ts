import type { Reading } from "../../contracts/meaning.ts";
import type { WeightFiles } from "./weights.ts";

/** Messages to and from the worker thread of the meaning models. */

/** A text to embed, or a text to be read together with a passage. */
export interface Task {
  readonly text: string;
  readonly passage?: string;
}
export type Done = Float32Array | Reading;

export type ToThread =
  | { readonly load: WeightFiles; readonly nice: number }
  | { readonly id: number; readonly task: Task };

export type FromThread =
  | { readonly loaded: true }
  | { readonly id: number; readonly done: Done }
  /** The thread can't continue; the message is for the log. */
  | { readonly failed: string };
