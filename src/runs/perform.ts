import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { maximumAttempts, type RunEvent } from "../../machines/run.ts";
import { type AttemptFailed, attemptOnce } from "../execution/attempt.ts";
import { type Checkpoints, createCheckpoints, noCheckpoints } from "../execution/checkpoints.ts";
import type { Control } from "../execution/control.ts";
import type { Applied, Host } from "../execution/host.ts";
import { createProgress } from "../execution/progress.ts";
import type { ActorWatch } from "../execution/watch.ts";
import type { Worker } from "../execution/worker.ts";
import type { Identity } from "../identity/principal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { seededRandom } from "../platform/random.ts";
import { problems } from "../platform/validate.ts";
import type { UseCaseStep } from "../registry/contract.ts";
import { capabilityBlocker, type Registry, useCaseBlocker } from "../registry/registry.ts";
import type { EventContext } from "./apply-event.ts";
import { runMachineName } from "./effects.ts";
import type { RunKind } from "./kind.ts";
import { type Outcome, stepAnswered, stepFailed } from "./outcome.ts";
import { reasonMessage } from "./reasons.ts";
import type { RecentRuns } from "./recent.ts";
import { approvalOf, byExpiry, type StoredRun, type StoredStep, withheldIn } from "./record.ts";
import type { WithheldOutputs } from "./withheld-output.ts";

export interface PerformOptions {
  readonly store: Store;
  readonly host: Host;
  readonly kind: RunKind;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  readonly recentRuns: RecentRuns;
  readonly watch: ActorWatch;
  readonly withheldOutputs: WithheldOutputs;
  readonly worker: Pick<Worker, "abort" | "drop">;
}

const overdue = { code: "step_timed_out", message: "The step did not finish in time." };

/** Returns the results of the steps that this one needs. It never sees others, even if they have succeeded. */
const delivered = (steps: readonly StoredStep[], { needs }: StoredStep): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    steps
      .filter(({ key, status }) => status === "succeeded" && (needs?.includes(key) ?? true))
      .map(({ key, result }) => [key, result]),
  );

type Caused = Omit<EventContext, "at" | "actor">;

/**
 * Returns why a run's capability or step is no longer the one that was accepted, or null. A connector may have been
 * removed or replaced since, and its slug given to another firm, whose endpoint must never get this run's input.
 */
function changeOf(
  registry: Registry,
  row: RunTable,
  name: string,
): "capability_removed" | "capability_replaced" | null {
  if (registry.isBuiltIn(name)) return null;
  const sold = row.capability === name ? registry.capabilities.get(name) : undefined;
  if (sold?.owner !== row.firm_id) return "capability_removed";
  return sold.semantic_version === row.semantic_version ? null : "capability_replaced";
}

const refusedStep = (step: StoredStep, code: string): Outcome => stepFailed(step.key, code, reasonMessage(code), false);

/** Carries out the effects of runs: starts queued runs, performs steps, expires approvals. Created by `app.ts`. */
export class RunPerformer {
  constructor(private readonly options: PerformOptions) {}

  private async runOf(id: string): Promise<StoredRun> {
    return this.options.recentRuns.get(id) ?? this.options.kind.load(id);
  }

  /** Returns the step's declaration in its use case. */
  private declared({ use_case }: RunTable, { key }: StoredStep): UseCaseStep | undefined {
    return this.options.registry.useCases.get(use_case ?? "")?.steps.find((one) => one.key === key);
  }

  /** Returns the outcome of a failed attempt: a retry, the declared fallback result, or a failed run. */
  private failed({ row }: StoredRun, step: StoredStep, { failed }: AttemptFailed): Outcome {
    const { code, message, retryable } = failed;
    const otherwise = this.declared(row, step)?.otherwise;
    const isTriedAgain = retryable && step.attempt < maximumAttempts;
    const engine = this.options.registry.engine(step.capability)?.identity;
    if (!otherwise || !engine || isTriedAgain) return stepFailed(step.key, code, message, retryable);
    return stepAnswered(step, { outcome: { result: otherwise({ code, message }), credits: 0 }, engine });
  }

  /** Returns the step's input, or a failure if it does not fit the step's schema. */
  private inputOf({ row, steps }: StoredRun, step: StoredStep): { input: unknown } | Outcome {
    const { registry } = this.options;
    const given: unknown = JSON.parse(row.input_json);
    const declared = this.declared(row, step);
    if (!declared?.input) return { input: given };
    const input = declared.input(given, delivered(steps, step), withheldIn(approvalOf(row), steps));
    const schema = declared.input_schema ?? registry.capabilities.get(step.capability)?.input_schema;
    const [problem] = schema ? problems(schema, input, "") : [];
    if (!problem) return { input };
    return stepFailed(step.key, "step_input_invalid", `The step's input ${problem.path} ${problem.message}.`, false);
  }

  /** Returns `undefined` if the host stopped the attempt: the effect remains, and the next start carries it out. */
  private async attempt(run: StoredRun, step: StoredStep, control: Control, checkpoints: Checkpoints) {
    const { clock, log, registry, recentRuns, watch } = this.options;
    const made = this.inputOf(run, step);
    if ("event" in made) return made;
    // Checked without a pause before the engine is called: a request may refresh the registry at any other time.
    const changed = changeOf(registry, run.row, step.capability);
    if (changed) return refusedStep(step, changed);
    const stepKey = `${run.row.id}:${step.key}`;
    const progress = createProgress(clock, async (stage, completed, total) => {
      recentRuns.report(run.row.id, { step: step.key, attempt: step.attempt, stage, completed, total });
      watch.publish(run.row.id);
    });
    const attempted = await attemptOnce(clock, log, {
      engine: registry.engine(step.capability),
      input: made.input,
      context: {
        stepKey,
        firm: run.row.firm_id,
        now: () => new Date(clock.now()),
        random: seededRandom(stepKey),
        earlier: delivered(run.steps, step),
        progress: progress.report,
      },
      checkpoints,
      control,
      deadline_ms: registry.deadline(step.capability),
      output_schema: registry.capabilities.get(step.capability)?.output_schema,
      overdue,
    });
    await progress.stop();
    if (!attempted) return undefined;
    if ("failed" in attempted) return this.failed(run, step, attempted);
    const items = this.declared(run.row, step)?.approval_items;
    return stepAnswered(step, attempted, items?.labels(attempted.outcome.result).length === 0);
  }

  /** Applies an effect's outcome to the run. Returns the effects to carry out next. */
  private async complete(effect: EffectTable, known: StoredRun, event: RunEvent, caused: Caused) {
    const { host, kind, clock } = this.options;
    const context: EventContext = { ...caused, at: clock.now(), actor: "host" };
    const id = effect.actor_id;
    const applied = await host.deliver(kind, { id, known, events: [event], context, effect });
    if (applied && !applied.refused) this.stopOthers(applied);
    if (applied?.refused !== "insufficient_credits") return applied?.refused ? [] : (applied?.effects ?? []);
    const refuse: RunEvent = { type: "REFUSE", reason: applied.refused };
    await host.deliver(kind, { id, events: [refuse], context, effect });
    return [];
  }

  /** When a step has failed the run, stops the run's other steps. */
  private stopOthers({ state, removed }: Applied<StoredRun>): void {
    if (state.row.status !== "failed") return;
    this.options.worker.drop(removed);
    this.options.worker.abort(runMachineName, state.row.id);
  }

  /**
   * Returns the step's checkpoints, sealed if its output will be. A step started by a release without keys has none.
   */
  private async checkpointsOf(effect: EffectTable, { key, requires_approval }: StoredStep): Promise<Checkpoints> {
    const { store, withheldOutputs } = this.options;
    if (!requires_approval) return createCheckpoints(store, effect, key);
    const cipher = await withheldOutputs.cipherOf(effect.actor_id, key);
    return cipher ? createCheckpoints(store, effect, key, cipher) : noCheckpoints;
  }

  private async performStep(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    const { step: key } = JSON.parse(effect.payload_json) as { step: string };
    const run = await this.runOf(effect.actor_id);
    const step = run.steps.find((s) => s.key === key);
    if (step?.status !== "running") {
      await this.options.host.discard(effect);
      return [];
    }
    const stopped = await this.stoppedBefore(run, step);
    const outcome = stopped ?? (await this.attempt(run, step, control, await this.checkpointsOf(effect, step)));
    if (!outcome) return [];
    return this.complete(effect, run, outcome.event, outcome.context);
  }

  /**
   * Returns why the run may not be carried out now, or null: its gate was closed, its entitlement withdrawn, or its
   * capability changed since the run was accepted.
   */
  private async refusal(row: RunTable): Promise<string | null> {
    const { registry, identity } = this.options;
    const gates = await registry.gates();
    const useCase = registry.useCases.get(row.use_case ?? "");
    if (useCase) return useCaseBlocker(registry, useCase, gates);
    if (row.capability === null) return null;
    const held = await identity.entitlements(row.firm_id);
    const capability = registry.capabilities.get(row.capability);
    if (!capability) return "capability_removed";
    const entitled = capability.entitlements.every((name) => held.includes(name));
    return (
      changeOf(registry, row, capability.slug) ??
      capabilityBlocker(capability, gates) ??
      (entitled ? null : "entitlement_withdrawn")
    );
  }

  /**
   * Returns the failure of a capability's attempt that may no longer begin. The first attempt at a built-in capability
   * follows its start, which has just been decided. A use case that has started is finished: its earlier steps were
   * charged.
   */
  private async stoppedBefore({ row }: StoredRun, step: StoredStep): Promise<Outcome | undefined> {
    if (row.capability === null) return undefined;
    if (step.attempt === 1 && this.options.registry.isBuiltIn(step.capability)) return undefined;
    const reason = await this.refusal(row);
    return reason === null ? undefined : refusedStep(step, reason);
  }

  /** Refuses the run, before anything is reserved, if it may no longer be carried out. */
  private async startEvent(row: RunTable): Promise<RunEvent> {
    const reason = await this.refusal(row);
    return reason === null ? { type: "START" } : { type: "REFUSE", reason };
  }

  /** Carries out one effect and returns the effects to carry out next. Safe to repeat after a crash. */
  async carryOut(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    if (effect.kind === "step") return this.performStep(effect, control);
    const run = await this.runOf(effect.actor_id);
    if (effect.kind === "start") return this.complete(effect, run, await this.startEvent(run.row), {});
    const { step } = JSON.parse(effect.payload_json) as { step: string };
    const decision = { decision: "reject" as const, by: byExpiry, comment: null, items: null, approved_sha256: null };
    return this.complete(effect, run, { type: "WITHHOLD", step }, { decision });
  }
}
