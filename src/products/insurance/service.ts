import type { Store } from "../../../db/store.ts";
import { attemptOnce } from "../../execution/attempt.ts";
import { createControl } from "../../execution/control.ts";
import { transitionOf } from "../../execution/transition.ts";
import { monthlyGuard, refundMonthly } from "../../execution/usage/quota.ts";
import type { Principal } from "../../identity/principal.ts";
import type { Corpus } from "../../knowledge/corpus/corpus.ts";
import { present } from "../../platform/assert.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { capabilityBlocker, type Registry } from "../../registry/registry.ts";
import { InsuranceAssistantOutput } from "../capabilities/insurance-assistant/schema.ts";
import { catalogOf, coverageOf, providersOf } from "./holdings.ts";
import type {
  AskRequest,
  AskResponse,
  InsuranceCatalog,
  InsuranceCoverage,
  InsuranceProviders,
  ProviderQuery,
} from "./schema.ts";

/** The capability that answers. */
const slug = "insurance-assistant";

export interface InsuranceOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly registry: Registry;
  readonly corpus: Corpus;
}

/** The insurance assistant outside of runs, for its routes and its MCP tool, which have checked scopes. */
export interface Insurance {
  catalog(): Promise<InsuranceCatalog>;
  coverage(): Promise<InsuranceCoverage>;
  providers(query: ProviderQuery): Promise<InsuranceProviders>;
  /**
   * Answers immediately, free of charge. Counts towards the monthly quota of the caller's user before any work
   * (`quota_exceeded`); a failure is refunded. Throws `capability_runs_disabled` if the gate is closed or the engine
   * can't answer, and `input_too_costly`.
   */
  ask(caller: Principal, request: AskRequest, signal: AbortSignal): Promise<AskResponse>;
}

/** Creates the service. Called once by `app.ts`. */
export function createInsurance({ store, runtime, log, registry, corpus }: InsuranceOptions): Insurance {
  const manifest = () => registry.capabilities.get(slug);

  async function use({ firm_id, user_id }: Principal): Promise<{ name: string; at: number }> {
    const at = runtime.now();
    const counted = { firm_id, subject: `user:${user_id}`, name: "insurance-questions" } as const;
    const guard = await monthlyGuard(store.read, counted, at);
    const outcome = await store.commit(transitionOf({ guards: [guard] }));
    if (outcome.refused) throw failure("quota_exceeded");
    return { at, name: guard.name };
  }

  async function attempt(firm: string, request: AskRequest, signal: AbortSignal) {
    const { engine, deadline_ms } = present(manifest(), "the capability that was asked for");
    const control = createControl();
    const stop = () => control.abort();
    signal.addEventListener("abort", stop, { once: true });
    const stepKey = runtime.id();
    const context = { stepKey, firm, now: () => new Date(runtime.now()), random: seededRandom(stepKey), earlier: {} };
    const overdue = { code: "step_timed_out", message: "The answer was not ready in time." };
    try {
      return await attemptOnce(runtime, log, {
        engine,
        input: request,
        context,
        control,
        deadline_ms,
        output_schema: InsuranceAssistantOutput,
        overdue,
      });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  return {
    catalog: async () => catalogOf(await corpus.documents()),
    async coverage() {
      const documents = await corpus.documents();
      return coverageOf(documents, await corpus.state(), rfc3339(runtime.now()).slice(0, 10));
    },
    providers: async (query) => providersOf(await corpus.documents(), query),
    async ask(caller, request, signal) {
      const sold = manifest();
      if (!sold) throw failure("not_found");
      const blocker = capabilityBlocker(sold, await registry.gates());
      if (blocker) throw failure(blocker);
      const used = await use(caller);
      const attempted = await attempt(caller.firm_id, request, signal);
      if (attempted && "outcome" in attempted) {
        // Validated against the schema, like every attempt's result.
        const { confidence = null, ...result } = attempted.outcome.result as InsuranceAssistantOutput;
        return { ...result, confidence, engine: attempted.engine };
      }
      await store.commit(transitionOf({ counters: [refundMonthly(caller.firm_id, used.name, used.at)] }));
      if (!attempted) throw failure("capability_runs_disabled");
      const { code, retryable } = attempted.failed;
      if (code === "input_too_costly") throw failure(code);
      throw failure(retryable ? "capability_runs_disabled" : "internal_error", new Error(code));
    },
  };
}
