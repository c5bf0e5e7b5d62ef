import type { Store } from "../../db/connection.ts";
import { deleteEffect } from "../../db/effects.ts";
import { runById } from "../../db/runs.ts";
import type { EffectTable, RunTable } from "../../db/tables.ts";
import { asHost } from "../../db/tenancy.ts";
import type { RunEvent } from "../../machines/run.ts";
import { capabilityBlocker, gatesNow, type Registry, useCaseBlocker } from "../catalogue/registry.ts";
import type { Identity } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import { hasCanonicalForm } from "../platform/json.ts";
import type { Log } from "../platform/log.ts";
import { seededRandom } from "../platform/random.ts";
import { checker } from "../platform/validate.ts";
import { type Engine, EngineError } from "../workflow/engine.ts";
import type { Moved, Note, RunActor, RunActors } from "./actor.ts";
import { type StoredStep, stepsOf } from "./record.ts";

export interface PerformOptions {
  readonly store: Store;
  readonly actors: RunActors;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
}

/** So many runs at most are held between two of their steps. */
const heldAtMost = 10_000;

interface Outcome {
  readonly event: RunEvent;
  readonly note: Omit<Note, "at" | "actor">;
}

const failed = (step: string, code: string, message: string, retryable: boolean): Outcome => ({
  event: { type: "STEP_FAILED", step, reason: code, retryable },
  note: { error: { code, message } },
});

/** Resolves never, rejects when the signal aborts: so that an engine which ignores its signal holds nobody up. */
function aborted(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  let listener: () => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason);
    signal.addEventListener("abort", listener, { once: true });
  });
  promise.catch(() => undefined);
  return { promise, stop: () => signal.removeEventListener("abort", listener) };
}

/** Carries the effects of runs out: starts waiting runs, performs steps, lets approvals expire. */
export function createPerformer({ store, actors, registry, identity, clock, log }: PerformOptions) {
  async function attempt(
    engine: Engine,
    row: RunTable,
    steps: readonly StoredStep[],
    step: StoredStep,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const stepKey = `${row.id}:${step.key}`;
    const earlier = Object.fromEntries(steps.filter((s) => s.status === "succeeded").map((s) => [s.key, s.result]));
    const stopped = aborted(signal);
    try {
      const context = { signal, stepKey, now: () => new Date(clock.now()), random: seededRandom(stepKey), earlier };
      const { result, credits = step.maximum_credits } = await Promise.race([
        engine.run(JSON.parse(row.input_json), context),
        stopped.promise,
      ]);
      if (!Number.isSafeInteger(credits) || credits < 0 || credits > step.maximum_credits)
        return failed(step.key, "charge_above_maximum", "The engine asked for more than the step's maximum.", false);
      const schema = registry.capabilities.get(step.capability)?.output_schema;
      if ((schema && !checker(schema).Check(result)) || !hasCanonicalForm(result))
        return failed(step.key, "engine_output_invalid", "The engine's answer did not match its contract.", false);
      const event: RunEvent = { type: "STEP_SUCCEEDED", step: step.key, credits };
      return { event, note: { result, engine: engine.identity } };
    } catch (error) {
      if (error instanceof EngineError) return failed(step.key, error.code, error.message, error.retryable);
      if (signal.aborted) return failed(step.key, "step_timed_out", "The step did not finish in time.", true);
      log.error("an engine failed", { step: stepKey, capability: step.capability, error });
      return failed(step.key, "engine_failed", "The engine failed.", false);
    } finally {
      stopped.stop();
    }
  }

  /** Takes the actor on, in the transaction in which the effect is done; an effect done already changes nothing. */
  async function conclude(effect: EffectTable, event: RunEvent, told: Omit<Note, "at" | "actor">, known?: RunActor) {
    const note: Note = { ...told, at: clock.now(), actor: "host" };
    const ahead = known && { actor: known, planned: await actors.plan(known, event, note) };
    const moved = await store.write((tx) => actors.conclude(tx, effect, ahead, event, note));
    if (!moved) return [];
    remember(moved);
    return moved.effects;
  }

  /** Runs whose next step is about to be carried out here: holding them saves reading them again. */
  const held = new Map<string, RunActor>();
  function remember({ actor, effects }: Moved): void {
    if (held.size < heldAtMost && effects.some((effect) => effect.kind === "step")) held.set(actor.row.id, actor);
  }

  function take(id: string): RunActor | undefined {
    const actor = held.get(id);
    held.delete(id);
    return actor;
  }

  async function performStep(effect: EffectTable, control: AbortController): Promise<readonly EffectTable[]> {
    const { step: key } = JSON.parse(effect.payload_json) as { step: string };
    const known = take(effect.actor_id);
    const row = known?.row ?? (await runById.first(asHost(store.read), { id: effect.actor_id }));
    const steps = known?.steps ?? (row ? stepsOf(row) : []);
    const step = steps.find((s) => s.key === key);
    if (!row || step?.status !== "running") {
      await store.write((tx) => deleteEffect.run(tx, { id: effect.id }));
      return [];
    }
    const engine = registry.engine(step.capability);
    let late = false;
    const disarm = clock.after(registry.deadline(step.capability), () => {
      late = true;
      control.abort();
    });
    const outcome = engine
      ? await attempt(engine, row, steps, step, control.signal)
      : failed(key, "engine_failed", "There is no engine of that name in this version.", false);
    disarm();
    // Stopped by us, not by its deadline: the effect stays, and the next start carries it out.
    if (control.signal.aborted && !late && outcome.event.type === "STEP_FAILED") return [];
    return conclude(effect, outcome.event, outcome.note, known);
  }

  /** A gate that closed or an entitlement that ended while the run waited refuses it, before anything is reserved. */
  async function startEvent(row: RunTable): Promise<RunEvent> {
    const gates = await gatesNow(store.read);
    const useCase = registry.useCases.get(row.use_case ?? "");
    const capability = registry.capabilities.get(row.capability ?? "");
    const blocker =
      (useCase && useCaseBlocker(registry, useCase, gates)) ?? (capability && capabilityBlocker(capability, gates));
    if (blocker) return { type: "REFUSE", reason: blocker };
    const held = await identity.entitlements(row.firm_id);
    const entitled = (capability?.entitlements ?? []).every((name) => held.includes(name));
    return entitled ? { type: "START" } : { type: "REFUSE", reason: "entitlement_withdrawn" };
  }

  async function carryOut(effect: EffectTable, control: AbortController): Promise<readonly EffectTable[]> {
    if (effect.kind === "step") return performStep(effect, control);
    if (effect.kind === "start") {
      const row = present(await runById.first(asHost(store.read), { id: effect.actor_id }), "the run of an effect");
      return conclude(effect, await startEvent(row), {});
    }
    const { step } = JSON.parse(effect.payload_json) as { step: string };
    const decision = { decision: "reject" as const, by: "expiry", comment: null };
    return conclude(effect, { type: "WITHHOLD", step }, { decision });
  }

  return { carryOut, remember, forget: take };
}

export type Performer = ReturnType<typeof createPerformer>;
