import type { TSchema } from "@sinclair/typebox";
import {
  type Engine,
  type EngineContext,
  EngineError,
  type EngineIdentity,
  type EngineOutcome,
} from "../contracts/engine.ts";
import type { Clock } from "../platform/clock.ts";
import { Failure } from "../platform/errors.ts";
import { hasCanonicalForm } from "../platform/json.ts";
import type { Log } from "../platform/log.ts";
import { checker } from "../platform/validate.ts";
import { type Checkpoints, noCheckpoints } from "./checkpoints.ts";
import type { Control } from "./control.ts";
import { fan } from "./fan.ts";

/** One attempt at a run's step or a job, as the host hands it to an engine. */
export interface Attempt {
  /** `undefined` if this version has no engine of that name. */
  readonly engine: Engine | undefined;
  readonly input: unknown;
  readonly context: Omit<EngineContext, "signal" | "checkpoint" | "fan">;
  /** If absent, nothing is checkpointed. */
  readonly checkpoints?: Checkpoints;
  /** Aborted by the host on cancel and at shutdown, and by `attemptOnce` at the deadline. */
  readonly control: Control;
  readonly deadline_ms: number;
  readonly output_schema: TSchema | undefined;
  /** The failure reported when the deadline is missed. */
  readonly overdue: { readonly code: string; readonly message: string };
}

export interface AttemptFailed {
  readonly failed: { readonly code: string; readonly message: string; readonly retryable: boolean };
}
export interface Answered {
  readonly outcome: EngineOutcome<unknown>;
  readonly engine: EngineIdentity;
}
export type Attempted = Answered | AttemptFailed;

const failed = (code: string, message: string, retryable = false): AttemptFailed => ({
  failed: { code, message, retryable },
});

/** Default number of concurrent items in `fan`. */
const usualConcurrency = 8;

/** Returns a context for calling an engine without the host, as demo data and benchmarks do. Nothing is durable. */
export const unhostedContext = (given: Omit<EngineContext, "checkpoint" | "fan">): EngineContext => ({
  ...given,
  checkpoint: noCheckpoints.through,
  fan: (items, work, concurrency = usualConcurrency) => fan(items, work, { concurrency, signal: given.signal }),
});

/** Returns the engine's context. `alive` is called on every sign of progress. */
function contextFor({ context, control, checkpoints = noCheckpoints }: Attempt, alive: () => void): EngineContext {
  const { stepKey, firm, now, random, earlier, progress } = context;
  return {
    get signal() {
      return control.signal;
    },
    stepKey,
    firm,
    now,
    random,
    earlier,
    async checkpoint(key, work) {
      control.signal.throwIfAborted();
      const value = await checkpoints.through(key, work);
      alive();
      return value;
    },
    fan: (items, work, concurrency = usualConcurrency) => fan(items, work, { concurrency, signal: control.signal }),
    ...(progress && {
      progress(stage: string, completed: number, total: number) {
        alive();
        progress(stage, completed, total);
      },
    }),
  };
}

/** Returns the engine's outcome. Rejects on abort, so that an engine that ignores its signal blocks no one. */
function outcomeOf(engine: Engine, attempt: Attempt, alive: () => void): Promise<EngineOutcome<unknown>> {
  const { input, control } = attempt;
  return new Promise((resolve, reject) => {
    control.onAbort(() => reject(control.signal.reason));
    engine.run(input, contextFor(attempt, alive)).then(resolve, reject);
  });
}

/** Checks that an engine's result matches its contract. */
const fits = ({ result }: EngineOutcome<unknown>, schema: TSchema | undefined): boolean =>
  (!schema || checker(schema).Check(result)) && hasCanonicalForm(result);

async function answer(engine: Engine, attempt: Attempt, alive: () => void): Promise<Attempted> {
  const outcome = await outcomeOf(engine, attempt, alive);
  if (!fits(outcome, attempt.output_schema))
    return failed("engine_output_invalid", "The engine's answer did not match its contract.");
  return { outcome, engine: engine.identity };
}

/**
 * Returns the engine's immediate answer if it has one and it matches the contract; otherwise `undefined`, and the
 * caller makes a full attempt.
 */
export function tryInline(
  engine: Engine | undefined,
  input: unknown,
  output_schema: TSchema | undefined,
): Answered | undefined {
  if (!engine?.runInline) return undefined;
  try {
    const outcome = engine.runInline(input);
    return outcome && fits(outcome, output_schema) ? { outcome, engine: engine.identity } : undefined;
  } catch {
    return undefined;
  }
}

/** Aborts an attempt at its deadline, or earlier if the engine shows no progress for `idle_ms`. */
function watch(clock: Clock, { engine, control, deadline_ms }: Attempt) {
  let isLate = false;
  const end = () => {
    isLate = true;
    control.abort();
  };
  const disarmWhole = clock.after(deadline_ms, end);
  const idle = engine?.idle_ms;
  const rearm = () => (idle === undefined ? () => undefined : clock.after(idle, end));
  let isOver = false;
  let disarmIdle = rearm();
  return {
    alive() {
      disarmIdle();
      // An engine may still report progress after its attempt has ended.
      if (!isOver) disarmIdle = rearm();
    },
    disarm() {
      isOver = true;
      disarmWhole();
      disarmIdle();
    },
    isLate: () => isLate,
  };
}

/**
 * Calls an engine once, within its deadline, and checks its answer against the contract. Returns `undefined` if the
 * host stopped the attempt: its outcome is unknown, and the next start repeats it.
 */
export async function attemptOnce(clock: Clock, log: Log, attempt: Attempt): Promise<Attempted | undefined> {
  const { engine, control, context, overdue } = attempt;
  if (!engine) return failed("capability_removed", "This capability is no longer available.");
  const watchdog = watch(clock, attempt);
  const failure = (error: unknown): AttemptFailed => {
    if (error instanceof EngineError) return failed(error.code, error.message, error.retryable);
    if (control.aborted) return failed(overdue.code, overdue.message, true);
    log.error("an engine failed", { step: context.stepKey, engine: engine.identity.name, error });
    // The failure came from the part of the product that the engine called, not from the engine.
    return error instanceof Failure ? failed(error.code, error.message) : failed("engine_failed", "The engine failed.");
  };
  const attempted = await answer(engine, attempt, watchdog.alive).catch(failure);
  watchdog.disarm();
  return control.aborted && !watchdog.isLate() && "failed" in attempted ? undefined : attempted;
}
