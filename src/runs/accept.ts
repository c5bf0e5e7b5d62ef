import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { quotaOf } from "../../db/queries/entitlements.ts";
import { claimedBefore, claimIdempotencyKey } from "../../db/queries/idempotency.ts";
import { runInFirm } from "../../db/queries/runs.ts";
import type { RunTable } from "../../db/schema/tables.ts";
import { enterRows } from "../../db/sqlite/closing.ts";
import type { Db, Store } from "../../db/sqlite/connection.ts";
import { attemptAtOnce } from "../execution/attempt.ts";
import { monthOf, useUp } from "../execution/usage/quota.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Principal } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import { newId, sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import type { Blocker, Registry } from "../registry/registry.ts";
import type { Moved, RunActors } from "./actor.ts";
import type { Next } from "./next.ts";
import { type Outcome, stepAnswered } from "./outcome.ts";
import { type StoredRun, type StoredStep, storedRun } from "./record.ts";

/** A step as it is sold. */
export interface PricedStep {
  readonly key: string;
  readonly capability: string;
  readonly title: string;
  readonly maximum_credits: number;
  readonly requires_approval: boolean;
}

/** What is to be run: a capability or a use case, at today's price. */
export interface Plan {
  readonly kind: "capability" | "use_case";
  readonly slug: string;
  readonly semantic_version: string;
  readonly steps: readonly PricedStep[];
  /** Why it can't be run now, by the gates of this moment. */
  readonly blocker: (gates: ReadonlySet<string>) => Blocker | null;
  readonly trial: { readonly enabled: boolean; readonly max_runs: number } | null;
}

export interface Submission {
  readonly principal: Principal;
  readonly plan: Plan;
  readonly input: unknown;
  readonly mode: "live" | "trial";
  readonly workspace_id: string;
  readonly surface: string;
  /** The caller's own bound on the price. */
  readonly maximum_credits?: number | undefined;
  /** Unique within the firm and the operation. Absent where the caller gave none. */
  readonly idempotency_key?: string | undefined;
  readonly operation: string;
}

export interface Accepted {
  readonly run: StoredRun;
  /** The key had been used before for the same input: the run is the one of then. */
  readonly replayed: boolean;
}

const pendingStep = (step: PricedStep): StoredStep => ({
  ...step,
  status: "pending",
  attempt: 0,
  charged_credits: 0,
  started_at: null,
  finished_at: null,
  result: null,
  error: null,
});

const totalOf = (steps: readonly PricedStep[]): number => steps.reduce((sum, step) => sum + step.maximum_credits, 0);

export interface AcceptOptions {
  readonly store: Store;
  readonly registry: Registry;
  readonly worker: Worker;
  readonly actors: RunActors;
  readonly clock: Clock;
  readonly cacheByAccessVersion: CacheByAccessVersion;
  /** Told of each accepted run, once it is durable. */
  readonly onAccepted: (moved: Moved) => void;
}

export function createAcceptance(options: AcceptOptions) {
  const { store, registry, worker, actors, clock, onAccepted, cacheByAccessVersion } = options;
  /** How often a firm may run something in a month, by both their names; null: as often as it likes. */
  const monthlyRuns = cacheByAccessVersion(async (name) => {
    const [firm_id = "", capability = ""] = name.split("\n");
    return (await quotaOf.first(store.read, { firm_id, capability }))?.monthly_runs ?? null;
  });

  /** The run that this key made before, if its input was the same; else `idempotency_conflict`. */
  async function earlier(tx: Db, claim: { firm_id: string; operation: string; key: string }, input_hash: string) {
    const known = present(await claimedBefore(tx, claim), "the key that was claimed before");
    if (known.input_hash !== input_hash) throw failure("idempotency_conflict");
    // It may be of the same group.
    await enterRows(tx);
    return present(
      await runInFirm.first(tx, { id: known.resource_id, firm_id: claim.firm_id }),
      "the run of an idempotency key",
    );
  }

  /** State: gates (503, 409), price (409), trial (409, 402), quota (402), in the order of the contract. */
  async function admit(tx: Db, submission: Submission, now: number): Promise<void> {
    const { plan, principal, mode } = submission;
    const blocker = plan.blocker(await registry.gates());
    if (blocker === "commercial_validation_required") throw failure(blocker);
    if (mode === "trial" && !plan.trial?.enabled) throw failure("trial_not_available");
    if (submission.maximum_credits !== undefined && submission.maximum_credits < totalOf(plan.steps))
      throw failure("price_exceeds_maximum");
    if (blocker) throw failure(blocker);
    const { firm_id } = principal;
    if (mode === "trial") await useUp(tx, firm_id, `trial:${plan.slug}`, "ever", plan.trial?.max_runs ?? 0);
    const most = await monthlyRuns(`${firm_id}\n${plan.slug}`);
    if (most !== null) await useUp(tx, firm_id, `runs:${plan.slug}`, monthOf(now), most);
  }

  /** What becomes of the first step, where its engine answers at once. Behind a closed gate no engine is asked. */
  function outcomeAtOnce({ plan, input }: Submission, open: ReadonlySet<string>): Outcome | undefined {
    const [step] = plan.steps;
    if (!step || plan.blocker(open)) return undefined;
    const schema = registry.capabilities.get(step.capability)?.output_schema;
    const answered = attemptAtOnce(registry.engine(step.capability), input, schema);
    return answered && stepAnswered(step, answered);
  }

  return {
    /**
     * Accepts a run: answers once it is durable. It starts at once where its engine has a place free, and waits in its
     * firm's turn otherwise; where the engine answers at once too, it has ended. Throws `idempotency_conflict`, and what
     * `admit` throws; then nothing was written.
     */
    async accept(submission: Submission): Promise<Accepted> {
      const { principal, plan, idempotency_key: key, operation } = submission;
      const { firm_id } = principal;
      const id = newId();
      const input_json = canonical(submission.input);
      const input_sha256 = sha256Hex(input_json);
      const { mode, workspace_id, maximum_credits } = submission;
      const input_hash = sha256Hex(JSON.stringify([plan.slug, input_sha256, mode, workspace_id, maximum_credits]));
      const open = await registry.gates();
      const slot = worker.tryTake(plan.steps[0]?.capability ?? "", firm_id);
      try {
        const now = clock.now();
        const made = newRun(submission, { id, input_json, input_sha256, at: now });
        const note = { at: now, actor: actorOf(principal) };
        const outcome = slot && outcomeAtOnce(submission, open);
        const foreseen = outcome && actors.foresee(made, outcome, note);
        // The engine has done its part: nobody waits for it until this is on disk.
        if (foreseen) slot?.free();
        const { run, moved } = await store.write<{ run: StoredRun; moved?: Moved }>(async (tx) => {
          if (key !== undefined) {
            const claim = { firm_id, operation, key, input_hash, resource_id: id, created_at: now };
            if (!(await claimIdempotencyKey(tx, claim)))
              return { run: storedRun(await earlier(tx, claim, input_hash)) };
          }
          await admit(tx, submission, now);
          const moved =
            (foreseen && (await actors.complete(tx, foreseen))) ??
            (await actors.create(tx, made, note, slot ? "start" : "wait"));
          return { run: moved.actor, moved };
        });
        if (moved) onAccepted(moved);
        const [effect] = moved?.effects ?? [];
        if (effect) worker.submit(effect, slot);
        else slot?.free();
        return { run, replayed: moved === undefined };
      } catch (error) {
        slot?.free();
        throw error;
      }
    },
  };
}

/** What a run is made with besides its submission. */
export interface Making {
  readonly id: string;
  /** Canonical, and its hash. */
  readonly input_json: string;
  readonly input_sha256: string;
  readonly at: number;
}

/** A submission's run before anything has happened to it. Its steps are not in its row yet. */
export function newRun({ principal, plan, mode, workspace_id, surface }: Submission, making: Making): Next {
  const { id, input_json, input_sha256, at } = making;
  const row: RunTable = {
    id,
    firm_id: principal.firm_id,
    workspace_id,
    user_id: principal.user_id,
    api_key_id: principal.key_id,
    kind: plan.kind,
    capability: plan.kind === "capability" ? plan.slug : null,
    use_case: plan.kind === "use_case" ? plan.slug : null,
    semantic_version: plan.semantic_version,
    status: "queued",
    reason_code: null,
    mode,
    surface,
    input_json,
    input_sha256,
    engine_json: null,
    steps_json: "",
    approval_json: null,
    maximum_credits: totalOf(plan.steps),
    reserved_credits: 0,
    charged_credits: 0,
    released_credits: 0,
    proposed_credits: 0,
    revision: 1,
    created_at: at,
    started_at: null,
    finished_at: null,
    updated_at: at,
  };
  return { row, steps: plan.steps.map(pendingStep) };
}

export type Acceptance = ReturnType<typeof createAcceptance>;
