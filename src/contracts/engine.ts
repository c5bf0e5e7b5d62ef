import type { Computation } from "./computing.ts";

/**
 * A capability's implementation, behind one small interface. The worker runs each step through it and knows nothing
 * else about a capability. The engine decides the credits charged, up to the step's reserved maximum.
 */

/** How many steps an engine may run at once, in total and for one firm. */
export interface Limits {
  readonly total: number;
  readonly perFirm: number;
}

/** The engine that served a run, as the run record and the receipt name it. `model` is null for an embedded method. */
export interface EngineIdentity {
  readonly name: string;
  readonly version: string;
  readonly model: string | null;
}

/** What the host gives an engine for one attempt of one step. */
export interface EngineContext {
  /** Aborts at the step's deadline, when the run is cancelled, and on shutdown. */
  readonly signal: AbortSignal;
  /** The same for all attempts of the step. Pass it as the idempotency key to any service called. */
  readonly stepKey: string;
  /** The firm that the step runs for, used for fair queueing of computations. */
  readonly firm: string;
  readonly now: () => Date;
  /** Uniform in [0, 1), seeded from the step key: the same step draws the same numbers on every attempt. */
  readonly random: () => number;
  /** Results of the run's earlier steps, by step key. Withheld and skipped steps are absent. */
  readonly earlier: Readonly<Record<string, unknown>>;
  /**
   * Reports the current stage, in a word or two, and its progress to pollers. Absent if no one can see it. Calls are
   * cheap: of many within a second, only the last is stored.
   */
  readonly progress?: (stage: string, completed: number, total: number) => void;
  /**
   * Runs a part of a long step once, identified by a key. Its result, which must be JSON, is durable before the promise
   * resolves, and after a crash it is read instead of computed again, so that the part's cost is paid once.
   */
  readonly checkpoint: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  /** Runs work on many items, at most `concurrency` (default 8) at once, and returns results in the items' order. */
  readonly fan: <Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Promise<Result>,
    concurrency?: number,
  ) => Promise<Result[]>;
}

export interface EngineOutcome<Output> {
  readonly result: Output;
  /** Credits to charge, a whole number; if absent, the step's price. The host rejects one above the maximum. */
  readonly credits?: number;
}

/**
 * A capability's engine. `ready` returns null if a run would be served now; otherwise why not, in words for an
 * operator.
 */
export interface Engine<Input = unknown, Output = unknown> {
  readonly identity: EngineIdentity;
  /** How many of its steps may run at once, in total and for one firm. Default: 32 and 8. */
  readonly limits?: Limits;
  /**
   * Milliseconds without a checkpoint or progress report after which an attempt is aborted. If absent, only the overall
   * deadline applies. Lets a long study continue while it progresses, and stops one that hangs.
   */
  readonly idle_ms?: number;
  /** The computations that the engine runs in threads, each with its budget. Default: none. */
  readonly computations?: readonly Computation<never, unknown>[];
  ready(): string | null;
  /**
   * Throws a `Failure` for an input that fits its schema but cannot be served to this caller. Runs before anything is
   * written. Places begin with `/body/input`.
   */
  admit?(input: Input, caller: { readonly firm_id: string; readonly workspace_id: string | null }): Promise<void>;
  run(input: Input, context: EngineContext): Promise<EngineOutcome<Output>>;
  /**
   * Returns the same outcome synchronously, if an engine that only computes has it within a few milliseconds. The host
   * calls this before anything is written, and then ends the run in the transaction that accepts it. If it returns
   * undefined or throws, `run` is called after acceptance.
   */
  runInline?(input: Input): EngineOutcome<Output> | undefined;
}

/**
 * An engine failure with a code for the caller. A `Failure` thrown by something the engine calls keeps its code; any
 * other exception becomes `engine_failed`. Neither is retried.
 */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
    this.name = "EngineError";
  }
}
