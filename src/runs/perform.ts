import { deleteEffect } from "../../db/queries/effects.ts";
import { runById } from "../../db/queries/runs.ts";
import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/sqlite/connection.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { RunEvent } from "../../machines/run.ts";
import { attemptOnce } from "../execution/attempt.ts";
import type { Control } from "../execution/control.ts";
import type { Identity } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { seededRandom } from "../platform/random.ts";
import { capabilityBlocker, type Registry, useCaseBlocker } from "../registry/registry.ts";
import type { Moved, RunActor, RunActors } from "./actor.ts";
import type { Note } from "./next.ts";
import { type Outcome, stepAnswered, stepFailed } from "./outcome.ts";
import type { RecentRuns } from "./recent.ts";
import { type StoredStep, stepsOf } from "./record.ts";

export interface PerformOptions {
  readonly store: Store;
  readonly actors: RunActors;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each run that was moved here. */
  readonly recentRuns: RecentRuns;
}

/** So many runs at most are held between two of their steps. */
const heldAtMost = 10_000;

const overdue = { code: "step_timed_out", message: "The step did not finish in time." };

/** Carries the effects of runs out: starts waiting runs, performs steps, lets approvals expire. */
export function createPerformer({ store, actors, registry, identity, clock, log, recentRuns }: PerformOptions) {
  /** Undefined: stopped by us, so that the effect stays, and the next start carries it out. */
  async function attempt(
    row: RunTable,
    steps: readonly StoredStep[],
    step: StoredStep,
    control: Control,
  ): Promise<Outcome | undefined> {
    const stepKey = `${row.id}:${step.key}`;
    const earlier = Object.fromEntries(steps.filter((s) => s.status === "succeeded").map((s) => [s.key, s.result]));
    const attempted = await attemptOnce(clock, log, {
      engine: registry.engine(step.capability),
      input: JSON.parse(row.input_json),
      context: { stepKey, now: () => new Date(clock.now()), random: seededRandom(stepKey), earlier },
      control,
      deadline_ms: registry.deadline(step.capability),
      output_schema: registry.capabilities.get(step.capability)?.output_schema,
      overdue,
    });
    if (!attempted) return undefined;
    if ("failed" in attempted) {
      const { code, message, retryable } = attempted.failed;
      return stepFailed(step.key, code, message, retryable);
    }
    return stepAnswered(step, attempted);
  }

  /** Takes the actor on, in the transaction in which the effect is done; an effect done already changes nothing. */
  async function conclude(effect: EffectTable, event: RunEvent, told: Omit<Note, "at" | "actor">, known?: RunActor) {
    const note: Note = { ...told, at: clock.now(), actor: "host" };
    const ahead = known && { actor: known, planned: actors.plan(known, event, note) };
    const moved = await store.write((tx) => actors.conclude(tx, effect, ahead, event, note));
    if (!moved) return [];
    remember(moved);
    return moved.effects;
  }

  /** Runs whose next step is about to be carried out here: holding them saves reading them again. */
  const held = new Map<string, RunActor>();
  function remember({ actor, effects }: Moved): void {
    recentRuns.moved(actor);
    if (held.size < heldAtMost && effects.some((effect) => effect.kind === "step")) held.set(actor.row.id, actor);
  }

  function take(id: string): RunActor | undefined {
    const actor = held.get(id);
    held.delete(id);
    return actor;
  }

  async function performStep(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    const { step: key } = JSON.parse(effect.payload_json) as { step: string };
    const known = take(effect.actor_id);
    const row = known?.row ?? (await runById.first(unscoped(store.read), { id: effect.actor_id }));
    const steps = known?.steps ?? (row ? stepsOf(row) : []);
    const step = steps.find((s) => s.key === key);
    if (!row || step?.status !== "running") {
      await store.write((tx) => deleteEffect.run(tx, { id: effect.id }));
      return [];
    }
    const outcome = await attempt(row, steps, step, control);
    if (!outcome) return [];
    return conclude(effect, outcome.event, outcome.note, known);
  }

  /** A gate that closed or an entitlement that ended while the run waited refuses it, before anything is reserved. */
  async function startEvent(row: RunTable): Promise<RunEvent> {
    const gates = await registry.gates();
    const useCase = registry.useCases.get(row.use_case ?? "");
    const capability = registry.capabilities.get(row.capability ?? "");
    const blocker =
      (useCase && useCaseBlocker(registry, useCase, gates)) ?? (capability && capabilityBlocker(capability, gates));
    if (blocker) return { type: "REFUSE", reason: blocker };
    const held = await identity.entitlements(row.firm_id);
    const entitled = (capability?.entitlements ?? []).every((name) => held.includes(name));
    return entitled ? { type: "START" } : { type: "REFUSE", reason: "entitlement_withdrawn" };
  }

  async function carryOut(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    if (effect.kind === "step") return performStep(effect, control);
    if (effect.kind === "start") {
      const row = present(await runById.first(unscoped(store.read), { id: effect.actor_id }), "the run of an effect");
      return conclude(effect, await startEvent(row), {});
    }
    const { step } = JSON.parse(effect.payload_json) as { step: string };
    const decision = { decision: "reject" as const, by: "expiry", comment: null };
    return conclude(effect, { type: "WITHHOLD", step }, { decision });
  }

  return { carryOut, remember, forget: take };
}

export type Performer = ReturnType<typeof createPerformer>;
