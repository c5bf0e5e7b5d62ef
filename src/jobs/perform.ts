import { deleteEffect } from "../../db/queries/effects.ts";
import type { JobTable } from "../../db/schema/job-tables.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/sqlite/connection.ts";
import type { JobEvent } from "../../machines/job.ts";
import { attemptOnce } from "../execution/attempt.ts";
import type { Control } from "../execution/control.ts";
import type { Identity } from "../identity/principal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { seededRandom } from "../platform/random.ts";
import { capabilityBlocker, type Registry } from "../registry/registry.ts";
import type { JobActor, JobActors, JobNote } from "./actor.ts";
import { createProgress } from "./progress.ts";
import { refusalMessage } from "./record.ts";
import { capabilityOf, engineOf } from "./types.ts";

export interface JobPerformOptions {
  readonly store: Store;
  readonly actors: JobActors;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each move that is no outcome, once it is durable. */
  readonly onTold: (id: string) => void;
}

type Told = Omit<JobNote, "at" | "actor">;

const overdue = { code: "job_timed_out", message: "An attempt did not finish in time, and none is left." };

/** Carries the attempts of jobs out. */
export function createJobPerformer({ store, actors, registry, identity, clock, log, onTold }: JobPerformOptions) {
  const note = (told: Told = {}): JobNote => ({ ...told, at: clock.now(), actor: "host" });

  async function conclude(effect: EffectTable, event: JobEvent, told: Told): Promise<readonly EffectTable[]> {
    const moved = await store.write((tx) => actors.conclude(tx, effect, event, note(told)));
    return moved?.effects ?? [];
  }

  /** Why a job that waited may not begin any more, or null: a gate was closed, an entitlement withdrawn. */
  async function refusal({ type, firm_id }: JobTable): Promise<string | null> {
    const capability = capabilityOf(registry, type);
    if (!capability) return "capability_runs_disabled";
    const blocker = capabilityBlocker(capability, await registry.gates());
    if (blocker) return blocker;
    const held = await identity.entitlements(firm_id);
    return capability.entitlements.every((name) => held.includes(name)) ? null : "entitlement_withdrawn";
  }

  /** Takes the job on by what is no outcome. */
  async function tell(id: string, event: JobEvent): Promise<JobActor> {
    const actor = await store.write((tx) => actors.tell(tx, id, event, note()));
    onTold(id);
    return actor;
  }

  async function work({ row }: JobActor, attempt: number, control: Control): Promise<[JobEvent, Told] | null> {
    const stepKey = `${row.id}:${row.type}`;
    const progress = createProgress(clock, (stage, completed, total) =>
      tell(row.id, { type: "PROGRESS", attempt, stage, completed, total }).catch((error: unknown) =>
        log.warn("a job's progress was not written", { job: row.id, error }),
      ),
    );
    const attempted = await attemptOnce(clock, log, {
      engine: registry.engine(engineOf(row.type)),
      input: JSON.parse(row.input_json),
      context: {
        stepKey,
        now: () => new Date(clock.now()),
        random: seededRandom(stepKey),
        earlier: {},
        progress: progress.tell,
      },
      control,
      deadline_ms: registry.deadline(engineOf(row.type)),
      output_schema: capabilityOf(registry, row.type)?.output_schema,
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

  return {
    /** Carries one attempt out. It was begun before when a crash or a full disk came between. */
    async carryOut(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
      const { attempt } = JSON.parse(effect.payload_json) as { attempt: number };
      const waiting = await actors.load(store.read, effect.actor_id);
      const refused = waiting.row.status === "queued" ? await refusal(waiting.row) : null;
      if (refused !== null) {
        const error = { code: refused, message: refusalMessage(refused) };
        return conclude(effect, { type: "REFUSE", reason: refused }, { error });
      }
      const begun = await tell(effect.actor_id, { type: "BEGIN", attempt });
      if (begun.row.finished_at !== null || begun.row.attempts !== attempt) {
        await store.write((tx) => deleteEffect.run(tx, { id: effect.id }));
        return [];
      }
      const outcome = await work(begun, attempt, control);
      return outcome ? conclude(effect, ...outcome) : [];
    },
  };
}
