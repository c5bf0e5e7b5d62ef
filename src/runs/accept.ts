import { claimDigest } from "../../db/claim-digest.ts";
import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { quotaOf } from "../../db/queries/entitlements.ts";
import { claimByDigest } from "../../db/queries/idempotency.ts";
import { runInFirm } from "../../db/queries/runs.ts";
import { usesOf } from "../../db/queries/uses.ts";
import type { EffectTable, RunTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import type { ActorWrite, Claim, Guard, Refused } from "../../db/transition.ts";
import type { RunEvent } from "../../machines/run.ts";
import type { Scope } from "../contracts/scopes.ts";
import { tryInline } from "../execution/attempt.ts";
import type { ProviderShare } from "../execution/credits/ledger.ts";
import type { Applied, Decision, Host } from "../execution/host.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Principal } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import { type ErrorCode, type Failure, failure, insufficient } from "../platform/errors.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical, canonicalHash, hasCanonicalForm } from "../platform/json.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Blocker, Registry } from "../registry/registry.ts";
import type { EventContext, RunState } from "./apply-event.ts";
import { decideNewRun } from "./decide.ts";
import type { RunKind } from "./kind.ts";
import { type Outcome, stepAnswered } from "./outcome.ts";
import { monthlyQuotasOf, runsQuota, trialQuota, usedUp } from "./quotas.ts";
import type { StoredRun, StoredStep } from "./record.ts";
import { storedRun } from "./results.ts";

/** A step with its price. */
export interface PricedStep {
  readonly key: string;
  readonly capability: string;
  readonly title: string;
  readonly maximum_credits: number;
  readonly requires_approval: boolean;
  /** Keys of the earlier steps that it needs. If absent, all of them. */
  readonly needs?: readonly string[] | undefined;
  /** The provider's share as agreed at acceptance. Absent if the step is built in and has none. */
  readonly provider?: ProviderShare | undefined;
}

/** What is to be run: a capability or a use case, at its current price. */
export interface Plan {
  readonly kind: "capability" | "use_case";
  readonly slug: string;
  readonly semantic_version: string;
  readonly steps: readonly PricedStep[];
  /** Returns why it can't be run with these gates open, or `null`. */
  readonly blocker: (gates: ReadonlySet<string>) => Blocker | null;
  readonly trial: { readonly enabled: boolean; readonly max_runs: number } | null;
  /** Scopes of which the caller needs at least one to have credits reserved. */
  readonly spending: readonly Scope[];
  /** Returns the part of the input that the run stores and works from. If absent, all of it. */
  readonly keptInput?: (input: unknown) => Promise<unknown>;
}

export interface Submission {
  readonly principal: Principal;
  /** What is run. `undefined` for a name that leads to nothing now: an earlier run of the key counts as the same. */
  readonly slug: string | undefined;
  /** Checks the request and returns what is run, at its current price. Throws the request's refusal. */
  readonly plan: () => MaybePromise<Plan>;
  readonly input: unknown;
  readonly mode: "live" | "trial";
  readonly workspace_id: string;
  readonly surface: string;
  /** The caller's own limit on the price. */
  readonly maximum_credits?: number | undefined;
  /** Unique within the firm and the operation. Absent if the caller sent none. */
  readonly idempotency_key?: string | undefined;
  readonly operation: string;
  /** The saved configuration that is run. A key is used for one of them. */
  readonly configuration_id?: string | undefined;
}

/** A submission that has passed its checks, or needs none. */
export interface Planned extends Pick<Submission, "principal" | "input" | "mode" | "workspace_id" | "surface"> {
  readonly plan: Plan;
}

export interface Accepted {
  readonly run: StoredRun;
  /** Whether the key had been used before with the same input; `run` is then the original run. */
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
  readonly host: Host;
  readonly kind: RunKind;
  readonly registry: Registry;
  readonly worker: Worker;
  readonly runtime: Runtime;
  readonly cacheByAccessVersion: CacheByAccessVersion;
}

const start: RunEvent = { type: "START" };
const refuse: RunEvent = { type: "REFUSE", reason: "insufficient_credits" };

/** Checks the state in the order of the contract: gates (503, 409), price (409), trial (409). */
function refusalOf(plan: Plan, { mode, maximum_credits }: Submission, open: ReadonlySet<string>): ErrorCode | null {
  const blocker = plan.blocker(open);
  if (blocker === "commercial_validation_required") return blocker;
  if (mode === "trial" && !plan.trial?.enabled) return "trial_not_available";
  if (maximum_credits !== undefined && maximum_credits < totalOf(plan.steps)) return "price_exceeds_maximum";
  return blocker;
}

/** A run before its first event, with its idempotency claim and its quota guards. */
interface Made {
  readonly plan: Plan;
  /** The part of the input that the run works from. */
  readonly input: unknown;
  readonly made: RunState;
  readonly claim: Claim | undefined;
  readonly quotas: readonly Guard[];
}

/** Accepts runs of capabilities and use cases. Created by `app.ts`. */
export class Acceptance {
  private readonly monthlyRuns: (name: string) => MaybePromise<number | null>;

  constructor(private readonly options: AcceptOptions) {
    const { store, cacheByAccessVersion } = options;
    this.monthlyRuns = cacheByAccessVersion(async (name) => {
      const [firm_id = "", capability = ""] = name.split("\n");
      return (await quotaOf.first(store.read, { firm_id, capability }))?.monthly_runs ?? null;
    });
  }

  /**
   * Accepts a run and returns once it is durable. If its engine has a free slot, it starts immediately, and if the
   * engine also answers immediately, the returned run is finished; otherwise it waits for the firm's turn. Throws
   * `missing_scope`, `commercial_validation_required`, `trial_not_available`, `price_exceeds_maximum`,
   * `capability_runs_disabled`, `quota_exceeded` and `idempotency_conflict`; nothing was written then.
   */
  async accept(asked: Submission): Promise<Accepted> {
    let ready: Made;
    try {
      ready = await this.checked(asked);
    } catch (refusal) {
      return this.replayOr(refusal, asked);
    }
    const { worker } = this.options;
    const { plan, input, made, quotas } = ready;
    const slot = worker.tryAcquire(plan.steps[0]?.capability ?? "", made.row.firm_id);
    let effects: readonly EffectTable[] = [];
    try {
      const outcome = slot && this.inlineOutcome(plan, input);
      const context = { at: made.row.created_at, actor: actorOf(asked.principal) };
      const ended = outcome && this.ended(made, outcome, context);
      // The engine has done its part; its slot need not wait for the disk.
      if (ended) slot?.release();
      const decision = ended ?? this.decide(made, slot ? [start] : [], context);
      const applied = await this.commit(decision, context, ready, asked);
      if (applied.refused === "idempotency_key_used") return this.earlierRun(asked, applied.earlier);
      if (applied.refused) throw (await this.exceeded(quotas)) ?? refusedAs(applied);
      ({ effects } = applied);
      return { run: applied.state, replayed: false };
    } finally {
      // The slot belongs to the first step; steps that run in parallel queue for their own.
      const [first, ...beside] = effects;
      if (first) worker.submit(first, slot);
      else slot?.release();
      for (const effect of beside) worker.submit(effect);
    }
  }

  /** Returns the run to be accepted. Throws why there can't be one now; an earlier run of the key is not looked for. */
  private async checked(asked: Submission): Promise<Made> {
    const { registry, runtime } = this.options;
    const { principal, mode } = asked;
    const plan = await asked.plan();
    // Whatever route or tool the request came by, no credit is reserved without a scope to spend.
    if (totalOf(plan.steps) > 0 && !plan.spending.some((scope) => principal.scopes.has(scope)))
      throw insufficient([`needs the scope ${plan.spending.join(" or ")}`], plan.spending);
    const typed = canonical(asked.input);
    const typed_sha256 = sha256Hex(typed);
    const input = plan.keptInput ? await plan.keptInput(asked.input) : asked.input;
    const input_json = plan.keptInput ? canonical(input) : typed;
    const input_sha256 = plan.keptInput ? sha256Hex(input_json) : typed_sha256;
    const given = { id: runtime.id(), input_json, input_sha256, at: runtime.now() };
    // A different input under the same key is a conflict, even if the run would store the same part of both.
    const claim = claimOf(asked, plan.slug, { ...given, input_sha256: typed_sha256 });
    await registry.engine(plan.steps[0]?.capability ?? "")?.admit?.(input, principal);
    const refusal = refusalOf(plan, asked, await registry.gates());
    if (refusal) throw failure(refusal);
    const made = newRun({ ...asked, plan }, given);
    const quotas = await this.quotas(plan, mode, made.row);
    const exceeded = await this.exceeded(quotas);
    if (exceeded) throw exceeded;
    return { plan, input, made, claim, quotas };
  }

  /**
   * Returns the run that an idempotency key created earlier, for something that may no longer exist, such as a saved
   * configuration; `undefined` if there is none. Throws `idempotency_conflict` if the key was used for another one.
   */
  async replayed(
    principal: Principal,
    operation: string,
    key: string,
    configuration_id?: string,
  ): Promise<Accepted | undefined> {
    const known = await this.claimed(principal, operation, key);
    if (!known) return undefined;
    const row = await this.rowOf(principal, known);
    const { capability, input_sha256, mode, workspace_id } = row;
    const given = {
      slug: capability ?? "",
      input_sha256,
      mode,
      workspace_id,
      maximum_credits: undefined,
      configuration_id,
    };
    if (known.input_hash !== inputHash(given)) throw failure("idempotency_conflict");
    return { run: await storedRun(this.options.store.read, row), replayed: true };
  }

  /**
   * Commits the acceptance. If the firm lacks the credits, commits a refused run instead, which uses no trial or quota.
   */
  private async commit(
    decision: Decision<StoredRun>,
    context: EventContext,
    { made, claim, quotas }: Made,
    { configuration_id: id }: Submission,
  ): Promise<Applied<StoredRun> | Refused> {
    const { host, kind } = this.options;
    const claims: Guard[] = claim ? [{ guard: "claim", ...claim }] : [];
    const { firm_id, created_at: last_run_at } = made.row;
    const also: ActorWrite[] = id === undefined ? [] : [{ write: "configuration.run", id, firm_id, last_run_at }];
    const write = ({ transition, ...decided }: Decision<StoredRun>, guards: readonly Guard[]) =>
      host.commit(kind, { ...decided, transition: { ...transition, guards, actors: [...transition.actors, ...also] } });
    const applied = await write(decision, [...claims, ...quotas]);
    return applied.refused === "insufficient_credits" ? write(this.decide(made, [refuse], context), claims) : applied;
  }

  private decide(made: RunState, events: readonly RunEvent[], context: EventContext): Decision<StoredRun> {
    return decideNewRun(made, events, context, this.options.kind.rules);
  }

  /**
   * Returns the refusal if a quota is already used up, before any work, signing or writing for a run that would be
   * refused anyway: repeated requests would otherwise slow down everyone else. The commit's guards make the final
   * decision.
   */
  private async exceeded(quotas: readonly Guard[]): Promise<Failure | null> {
    for (const guard of quotas) {
      if (guard.guard !== "quota" || guard.maximum === null) continue;
      const { firm_id, name, period, maximum } = guard;
      const uses = await usesOf.first(this.options.store.read, { firm_id, name, period });
      if ((uses?.used ?? 0) >= maximum) return usedUp(guard);
    }
    return null;
  }

  private async quotas(plan: Plan, mode: Submission["mode"], row: RunTable): Promise<Guard[]> {
    const most = await this.monthlyRuns(`${row.firm_id}\n${plan.slug}`);
    const monthly = await monthlyQuotasOf(this.options.store.read, plan, row, row.created_at);
    return [...(mode === "trial" ? trialQuota(plan, row) : []), runsQuota(plan, row, most, row.created_at), ...monthly];
  }

  /** Returns the decision if the first step's outcome ends the run, or `undefined` if more steps follow. */
  private ended(made: RunState, { event, context }: Outcome, accepted: EventContext): Decision<StoredRun> | undefined {
    const decision = this.decide(made, [start, event], { ...context, ...accepted });
    return decision.receipt === undefined ? undefined : decision;
  }

  /** Returns the first step's outcome if its engine answers immediately. */
  private inlineOutcome({ steps: [step] }: Plan, input: unknown): Outcome | undefined {
    const { registry } = this.options;
    const schema = registry.capabilities.get(step?.capability ?? "")?.output_schema;
    const answered = step && tryInline(registry.engine(step.capability), input, schema);
    return answered && stepAnswered(step, answered);
  }

  /**
   * Returns the key's earlier run, if there is one, whatever prevents a new one now: the capability or the quote may
   * no longer exist, and the request must not be made again. Otherwise throws the refusal.
   */
  private async replayOr(refusal: unknown, asked: Submission): Promise<Accepted> {
    const { principal, operation, idempotency_key: key } = asked;
    const known = key === undefined ? undefined : await this.claimed(principal, operation, key);
    if (!known) throw refusal;
    return this.earlierRun(asked, known);
  }

  /** Returns the key's earlier run. Throws `idempotency_conflict` if it was used with another input. */
  private async earlierRun(asked: Submission, earlier: Earlier): Promise<Accepted> {
    const { principal, input } = asked;
    const row = await this.rowOf(principal, earlier);
    const { slug = row.capability ?? "" } = asked;
    const isSame =
      hasCanonicalForm(input) &&
      earlier.input_hash === inputHash({ ...asked, slug, input_sha256: canonicalHash(input) });
    if (!isSame) throw failure("idempotency_conflict");
    return { run: await storedRun(this.options.store.read, row), replayed: true };
  }

  /** Returns the claim of a firm's key. */
  private claimed({ firm_id }: Principal, operation: string, key: string): MaybePromise<Earlier | undefined> {
    const digest = claimDigest({ firm_id, operation, key });
    return claimByDigest.first(this.options.store.read, { digest, firm_id });
  }

  private async rowOf({ firm_id }: Principal, { resource_id: id }: Earlier) {
    return present(await runInFirm.first(this.options.store.read, { id, firm_id }), "the run of an idempotency key");
  }
}

function refusedAs({ refused }: Refused): Error {
  return refused === "quota_exceeded" ? failure(refused) : new Error(`a new run was refused: ${refused}`);
}

/** What a key was used for. */
type Earlier = Pick<Claim, "input_hash" | "resource_id">;

/** The properties that an idempotency key stands for. */
interface Meant extends Pick<Submission, "mode" | "workspace_id" | "maximum_credits" | "configuration_id"> {
  readonly slug: string;
  readonly input_sha256: string;
}

function inputHash({ slug, input_sha256, mode, workspace_id, maximum_credits, configuration_id }: Meant): string {
  const parts = [slug, input_sha256, mode, workspace_id, maximum_credits];
  return sha256Hex(JSON.stringify(configuration_id === undefined ? parts : [...parts, configuration_id]));
}

/** Returns the claim. Reusing its key with another input, mode, workspace, limit or configuration is a conflict. */
function claimOf(submission: Submission, slug: string, { id, input_sha256, at }: NewRun): Claim | undefined {
  const { principal, operation, idempotency_key: key } = submission;
  if (key === undefined) return undefined;
  const input_hash = inputHash({ ...submission, slug, input_sha256 });
  return { firm_id: principal.firm_id, operation, key, input_hash, resource_id: id, created_at: at };
}

/** The properties of a new run that are not part of its submission. */
export interface NewRun {
  readonly id: string;
  /** The canonical input, and its SHA-256. */
  readonly input_json: string;
  readonly input_sha256: string;
  readonly at: number;
}

/** Returns a submission's run before any event. The row does not contain the steps yet. */
export function newRun({ principal, plan, mode, workspace_id, surface }: Planned, given: NewRun): RunState {
  const { id, input_json, input_sha256, at } = given;
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
