/**
 * Computations over a caller's content, which run in worker threads so that they do not block other requests. A
 * computation is declared next to the code that it loads, and listed in `src/products/computations.ts`, where the
 * threads find it.
 */

/** The limits of a computation. When it exceeds one, its thread is terminated and it fails with `input_too_costly`. */
export interface Budget {
  /** Run time in its thread, in milliseconds. */
  readonly ms: number;
  /**
   * Growth of the process's memory during the computation, in MiB, beyond what the computations running at the same
   * time account for.
   */
  readonly memory_mib: number;
}

/** What a computation can use besides its input. */
export interface Work {
  /**
   * Must be called between slices of a long computation. Throws if the caller no longer waits, and reports memory use.
   */
  check(): void;
  /** Reports progress. */
  progress(completed: number, total: number): void;
}

export interface Computation<Input, Output> {
  readonly name: string;
  readonly budget: Budget;
  /**
   * Returns whether the input may take more than a few dozen milliseconds. Such inputs have separate threads, so that
   * short ones do not queue behind them.
   */
  isHeavy(input: Input): boolean;
  /** Loads the code, in the thread only. Inputs and outputs must be structured-cloneable. */
  load(): Promise<(input: Input, work: Work) => Output | Promise<Output>>;
}

/** The caller of a computation. */
export interface Asked {
  /** The firm, for fair queueing. */
  readonly firm: string;
  /** When it aborts, the computation is stopped immediately. */
  readonly signal?: AbortSignal;
  /** Receives progress reports. */
  readonly advanced?: (completed: number, total: number) => void;
}

/** The thread pool, as engines see it. */
export interface Computing {
  /**
   * Runs a computation in a worker thread. Rejects with `input_too_costly` (an `EngineError`) if it exceeds its budget,
   * with the signal's reason if it aborts, and with an `Error` if the computation fails.
   */
  run<Input, Output>(computation: Computation<Input, Output>, input: Input, asked: Asked): Promise<Output>;
  /**
   * Runs something short synchronously, on the event loop. Returns undefined if this turn of the event loop has no time
   * left; the work then belongs in a thread. Exceptions propagate.
   */
  atOnce<T>(work: () => T): T | undefined;
  /** Number of running and queued computations, and of threads. */
  load(): { readonly active: number; readonly waiting: number; readonly threads: number };
  /** Number of computations terminated since the start: aborted ones that did not yield, and those over budget. */
  losses(): { readonly killed: number; readonly tooCostly: number };
  /** Terminates every thread; running computations are rejected. */
  stop(): void;
}
