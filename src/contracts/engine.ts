import type { Computation } from "./computing.ts";

/**
 * What a capability really does, behind one small interface. The worker carries a step out through it and knows
 * nothing else about a capability; the credits charged are decided here, never above the step's reserved maximum.
 */

/** How many may be under way at once at an engine, and of these for one firm. */
export interface Limits {
  readonly total: number;
  readonly perFirm: number;
}

/** Who served a run, as the run record and the receipt name it. `model` is null for an embedded method. */
export interface EngineIdentity {
  readonly name: string;
  readonly version: string;
  readonly model: string | null;
}

/** What the host gives an engine for one attempt of one step. */
export interface EngineContext {
  /** Aborts at the step's deadline, on cancel and on shutdown. */
  readonly signal: AbortSignal;
  /** Stable over all attempts of the step: pass it to whatever is called, as its idempotency key. */
  readonly stepKey: string;
  /** Whose work it is: firms take turns where engines compute. */
  readonly firm: string;
  readonly now: () => Date;
  /** Uniform in [0, 1), seeded from the step key: the same step draws the same numbers on every attempt. */
  readonly random: () => number;
  /** Earlier steps' results of the same run by step key; withheld and skipped steps are absent. */
  readonly earlier: Readonly<Record<string, unknown>>;
  /**
   * Reports to those who poll what is being done, in a word or two, and how far it is. Where nobody can see it, it is
   * absent. It costs nothing: of many calls a second only the last one counts.
   */
  readonly progress?: (stage: string, completed: number, total: number) => void;
  /**
   * A part of a long step by a key of its own: its result, which is JSON, is durable before this answers, and after a
   * crash it is read instead of being done again. So what the part costs is paid once.
   */
  readonly checkpoint: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  /** Work on many items, at most `concurrency` (8 unless said) at once; results in the items' order. */
  readonly fan: <Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Promise<Result>,
    concurrency?: number,
  ) => Promise<Result[]>;
}

export interface EngineOutcome<Output> {
  readonly result: Output;
  /** Credits to charge, a whole number; absent means the step's price. The host refuses one above the maximum. */
  readonly credits?: number;
}

/** `ready` is null when a run would be served now; otherwise why not, in words for an operator. */
export interface Engine<Input = unknown, Output = unknown> {
  readonly identity: EngineIdentity;
  /** How many of its steps may be under way at once, and of these for one firm. Absent: 32 and 8. */
  readonly limits?: Limits;
  /**
   * Milliseconds without a checkpoint or a word of progress after which an attempt is given up; absent: only the deadline
   * of the whole counts. A study that goes on may take long, one that hangs may not.
   */
  readonly idle_ms?: number;
  /** What it computes over its input in threads, each with its budget. Absent: nothing. */
  readonly computations?: readonly Computation<never, unknown>[];
  ready(): string | null;
  /**
   * Throws a `Failure` for an input that fits its schema and still can't be served to this caller, before anything is
   * written. Places begin with `/body/input`.
   */
  admit?(input: Input, caller: { readonly firm_id: string; readonly workspace_id: string | null }): Promise<void>;
  run(input: Input, context: EngineContext): Promise<EngineOutcome<Output>>;
  /**
   * The same outcome at once, where an engine that only computes has it within a few milliseconds. The host asks before
   * anything is written, and the run then ends in the transaction that accepts it. Undefined, or anything thrown: `run`
   * is asked, after the acceptance.
   */
  runInline?(input: Input): EngineOutcome<Output> | undefined;
}

/**
 * An engine's failure with a code for the caller. A `Failure` of what the engine asked keeps its code; anything else
 * thrown counts as `engine_failed`. Neither is retryable.
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
