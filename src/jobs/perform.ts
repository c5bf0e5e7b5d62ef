import type { JobTable } from "../../db/schema/job-tables.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import type { JobEvent } from "../../machines/job.ts";
import { attemptOnce } from "../execution/attempt.ts";
import { createCheckpoints } from "../execution/checkpoints.ts";
import type { Control } from "../execution/control.ts";
import type { Host } from "../execution/host.ts";
import { createProgress } from "../execution/progress.ts";
import type { Identity } from "../identity/principal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { seededRandom } from "../platform/random.ts";
import { capabilityBlocker, type Registry } from "../registry/registry.ts";
import type { JobEventContext, JobState } from "./decide.ts";
import type { JobKind } from "./kind.ts";
import { refusalMessage } from "./record.ts";
import { capabilityOf, engineOf, outputSchemaOf } from "./types.ts";

export interface JobPerformOptions {
  readonly store: Store;
  readonly host: Host;
  readonly kind: JobKind;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
}

type Caused = Omit<JobEventContext, "at" | "actor">;

const overdue = { code: "job_timed_out", message: "The last attempt did not finish in time." };

/** Carries out the attempts of jobs. Created by `app.ts`. */
export class JobPerformer {
  constructor(private readonly options: JobPerformOptions) {}

  private context(caused: Caused = {}): JobEventContext {
    return { ...caused, at: this.options.clock.now(), actor: "host" };
  }

  private async complete(effect: EffectTable, event: JobEvent, caused: Caused): Promise<readonly EffectTable[]> {
    const { host, kind } = this.options;
    const context = this.context(caused);
    const applied = await host.deliver(kind, { id: effect.actor_id, events: [event], context, effect });
    return applied && !applied.refused ? applied.effects : [];
  }

  /** Returns why a queued job may no longer start (a closed gate, a withdrawn entitlement), or null. */
  private async refusal({ type, firm_id }: JobTable): Promise<string | null> {
    const { registry, identity } = this.options;
    const capability = capabilityOf(registry, type);
    if (!capability) return "capability_runs_disabled";
    const blocker = capabilityBlocker(capability, await registry.gates());
    if (blocker) return blocker;
    const held = await identity.entitlements(firm_id);
    return capability.entitlements.every((name) => held.includes(name)) ? null : "entitlement_withdrawn";
  }

  /** Applies an event that does not end an attempt: its start, or a progress report. Returns the job afterwards. */
  private async report(id: string, event: JobEvent): Promise<JobState> {
    const { host, kind } = this.options;
    const applied = await host.deliver(kind, { id, events: [event], context: this.context() });
    return applied && !applied.refused ? applied.state : kind.load(id);
  }

  private async work(
    { row }: JobState,
    effect: EffectTable,
    attempt: number,
    control: Control,
  ): Promise<[JobEvent, Caused] | null> {
    const { registry, store, clock, log } = this.options;
    const stepKey = `${row.id}:${row.type}`;
    const progress = createProgress(clock, (stage, completed, total) =>
      this.report(row.id, { type: "PROGRESS", attempt, stage, completed, total }).catch((error: unknown) =>
        log.warn("a job's progress was not written", { job: row.id, error }),
      ),
    );
    const attempted = await attemptOnce(clock, log, {
      engine: registry.engine(engineOf(row.type)),
      input: JSON.parse(row.input_json),
      context: {
        stepKey,
        firm: row.firm_id,
        now: () => new Date(clock.now()),
        random: seededRandom(stepKey),
        earlier: {},
        progress: progress.report,
      },
      checkpoints: createCheckpoints(store, effect, row.type),
      control,
      deadline_ms: registry.deadline(engineOf(row.type)),
      output_schema: outputSchemaOf(registry, row.type),
      overdue,
    });
    await progress.stop();
    if (!attempted) return null;
    if ("failed" in attempted) {
      const { code, message, retryable } = attempted.failed;
      return [{ type: "FAILED", attempt, reason: code, retryable }, { error: { code, message } }];
    }
    return [
      { type: "SUCCEEDED", attempt },
      { result: attempted.outcome.result, engine: attempted.engine },
    ];
  }

  /** Carries out one attempt. It may already have been started, before a crash or a full disk. */
  async carryOut(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    const { host, kind } = this.options;
    const { attempt } = JSON.parse(effect.payload_json) as { attempt: number };
    const waiting = await kind.load(effect.actor_id);
    const refused = waiting.row.status === "queued" ? await this.refusal(waiting.row) : null;
    if (refused !== null) {
      const error = { code: refused, message: refusalMessage(refused) };
      return this.complete(effect, { type: "REFUSE", reason: refused }, { error });
    }
    const begun = await this.report(effect.actor_id, { type: "BEGIN", attempt });
    if (begun.row.finished_at !== null || begun.row.attempts !== attempt) {
      await host.discard(effect);
      return [];
    }
    const outcome = await this.work(begun, effect, attempt, control);
    return outcome ? this.complete(effect, ...outcome) : [];
  }
}
