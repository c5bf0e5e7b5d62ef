/**
 * Work over a caller's content, which runs in a thread of its own so that nobody else waits for it. A computation is
 * declared beside the code that it loads, and listed in `src/products/computations.ts`, where the threads find it.
 */

/** What a computation may cost. Beyond it its thread is ended, and it fails with `input_too_costly`. */
export interface Budget {
  /** Milliseconds in its thread. */
  readonly ms: number;
  /** Mebibytes that the process may grow by meanwhile, as far as no computation beside it answers for more of them. */
  readonly memory_mib: number;
}

/** What a computation has of the world besides its input. */
export interface Work {
  /**
   * To be called between two slices of a long computation: throws once nobody waits for it any more, and tells how much
   * memory it has.
   */
  check(): void;
  /** Reports how far it is. */
  progress(completed: number, total: number): void;
}

export interface Computation<Input, Output> {
  readonly name: string;
  readonly budget: Budget;
  /** Whether it may take more than a few dozen milliseconds. Such inputs have threads of their own: the others pass by. */
  isHeavy(input: Input): boolean;
  /** The code, which is loaded in the thread alone. Inputs and outputs are what can be cloned. */
  load(): Promise<(input: Input, work: Work) => Output | Promise<Output>>;
}

/** For whom something is computed. */
export interface Asked {
  /** Firms take turns. */
  readonly firm: string;
  /** Its abort ends the computation at once, wherever it is. */
  readonly signal?: AbortSignal;
  /** Hears how far the computation is. */
  readonly advanced?: (completed: number, total: number) => void;
}

/** The pool of threads, as engines see it. */
export interface Computing {
  /**
   * Computes in a thread. Rejects with `input_too_costly` (an `EngineError`) beyond the budget, with the signal's reason
   * at its abort, and with an `Error` where the computation itself fails.
   */
  run<Input, Output>(computation: Computation<Input, Output>, input: Input, asked: Asked): Promise<Output>;
  /**
   * Does something short at once, on the event loop. Undefined where this turn of the loop has no time left for it: then
   * it goes to a thread. Whatever it throws passes through.
   */
  atOnce<T>(work: () => T): T | undefined;
  /** How many computations are in threads and wait for one, and how many threads there are. */
  load(): { readonly active: number; readonly waiting: number; readonly threads: number };
  /** How many computations were ended since the start: given up without yielding, and beyond their budget. */
  losses(): { readonly killed: number; readonly tooCostly: number };
  /** Ends every thread; what was under way is rejected. */
  stop(): void;
}
