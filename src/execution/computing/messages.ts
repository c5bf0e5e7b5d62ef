/** The messages between the pool and its threads. */

export interface Start {
  /** Niceness of the thread: the higher it is, the more the thread yields to the event loop. */
  readonly nice: number;
  /** Memory that both sides read while the thread computes; see `shared.ts`. */
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
  /** Any other error, for the log. */
  | { readonly error: string }
  | { readonly aborted: true }
  | { readonly completed: number; readonly total: number };
