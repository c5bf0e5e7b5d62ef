/** What pool and thread say to each other. */

export interface Start {
  /** Added to the priority of the thread: the higher, the more it gives way to the event loop. */
  readonly nice: number;
  /** What both look at while the thread computes: see `shared.ts`. */
  readonly shared: SharedArrayBuffer;
}
export interface Compute {
  readonly computation: string;
  readonly input: unknown;
}
export type ToThread = Start | Compute;

export type FromThread =
  | { readonly output: unknown }
  /** A failure with its code, for the caller. */
  | { readonly failed: { readonly code: string; readonly message: string; readonly retryable: boolean } }
  /** Anything else that was thrown, for the log. */
  | { readonly error: string }
  | { readonly aborted: true }
  | { readonly completed: number; readonly total: number };
