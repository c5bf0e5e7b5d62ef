import type { TSchema } from "@sinclair/typebox";
import {
  type Engine,
  type EngineContext,
  EngineError,
  type EngineIdentity,
  type EngineOutcome,
} from "../contracts/engine.ts";
import type { Clock } from "../platform/clock.ts";
import { hasCanonicalForm } from "../platform/json.ts";
import type { Log } from "../platform/log.ts";
import { checker } from "../platform/validate.ts";
import type { Control } from "./control.ts";

/** One attempt of a run's step or of a job, as the host asks an engine for it. */
export interface Attempt {
  /** Undefined: this version has none of that name. */
  readonly engine: Engine | undefined;
  readonly input: unknown;
  readonly context: Omit<EngineContext, "signal">;
  /** Aborted by the host on cancel and at shutdown, and here at the deadline. */
  readonly control: Control;
  readonly deadline_ms: number;
  readonly output_schema: TSchema | undefined;
  /** What it is called when it was not done by its deadline. */
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

/** The engine's outcome; rejects at the abort, so that an engine which ignores its signal holds nobody up. */
function outcomeOf(engine: Engine, { input, context, control }: Attempt): Promise<EngineOutcome<unknown>> {
  const { stepKey, now, random, earlier, progress } = context;
  const given: EngineContext = {
    get signal() {
      return control.signal;
    },
    stepKey,
    now,
    random,
    earlier,
    ...(progress && { progress }),
  };
  return new Promise((resolve, reject) => {
    control.onAbort(() => reject(control.signal.reason));
    engine.run(input, given).then(resolve, reject);
  });
}

/** Whether an engine kept to its contract. */
const fits = ({ result }: EngineOutcome<unknown>, schema: TSchema | undefined): boolean =>
  (!schema || checker(schema).Check(result)) && hasCanonicalForm(result);

async function answer(engine: Engine, attempt: Attempt): Promise<Attempted> {
  const outcome = await outcomeOf(engine, attempt);
  if (!fits(outcome, attempt.output_schema))
    return failed("engine_output_invalid", "The engine's answer did not match its contract.");
  return { outcome, engine: engine.identity };
}

/** What an engine answers at once, if it does and keeps to its contract; in any other case an attempt tells more. */
export function attemptAtOnce(
  engine: Engine | undefined,
  input: unknown,
  output_schema: TSchema | undefined,
): Answered | undefined {
  if (!engine?.immediate) return undefined;
  try {
    const outcome = engine.immediate(input);
    return outcome && fits(outcome, output_schema) ? { outcome, engine: engine.identity } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks an engine once, within its deadline, and checks what it answers against its contract. Undefined: the host stopped
 * it, so that nothing is known of it, and the next start asks again.
 */
export async function attemptOnce(clock: Clock, log: Log, attempt: Attempt): Promise<Attempted | undefined> {
  const { engine, control, context, overdue } = attempt;
  if (!engine) return failed("engine_failed", "There is no engine of that name in this version.");
  let late = false;
  const disarm = clock.after(attempt.deadline_ms, () => {
    late = true;
    control.abort();
  });
  const failure = (error: unknown): AttemptFailed => {
    if (error instanceof EngineError) return failed(error.code, error.message, error.retryable);
    if (control.aborted) return failed(overdue.code, overdue.message, true);
    log.error("an engine failed", { step: context.stepKey, engine: engine.identity.name, error });
    return failed("engine_failed", "The engine failed.");
  };
  const attempted = await answer(engine, attempt).catch(failure);
  disarm();
  return control.aborted && !late && "failed" in attempted ? undefined : attempted;
}
