import { deleteExpiredQuotes, insertQuote, quoteById } from "../../../db/queries/quotes.ts";
import type { QuoteTable } from "../../../db/schema/tables.ts";
import type { Store } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import { hour, rfc3339 } from "../../platform/clock.ts";
import { failure, messageOf } from "../../platform/errors.ts";
import { canonicalHash } from "../../platform/json.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { matchesText } from "../../platform/text.ts";
import { soldStep, type UseCaseManifest } from "../../registry/contract.ts";
import { servesCountry } from "../../registry/countries.ts";
import { checkInput } from "../../registry/input.ts";
import { useCaseNamed } from "../../registry/named.ts";
import { type Registry, useCaseBlocker } from "../../registry/registry.ts";
import type { Plan } from "../../runs/accept.ts";
import { useCasePlan } from "../../runs/plan.ts";
import type { Quote, UseCase, UseCaseFilter, UseCaseSummary } from "./schema.ts";

/** How long a quote is valid. */
const quoteLifetime = hour;

/** Returns the maximum cost of a run, in credits: the sum of all steps' maximums. */
export const maximumOf = (useCase: UseCaseManifest): number =>
  useCase.steps.reduce((sum, step) => sum + step.maximum_credits, 0);

const same = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted.toLowerCase() === value.toLowerCase();

const matches = (item: UseCaseSummary, f: UseCaseFilter): boolean =>
  matchesText(f.q, [item.slug, item.name, item.outcome, item.category]) &&
  matchesText(f.outcome, [item.outcome, item.name]) &&
  servesCountry(f.country, item.countries) &&
  same(f.provider, item.provider) &&
  same(f.status, item.status) &&
  same(f.access, item.access) &&
  matchesText(f.category, [item.category]) &&
  (f.max_price === undefined || item.maximum_credits <= f.max_price);

function summaryOf(useCase: UseCaseManifest, runnable: boolean): UseCaseSummary {
  const { steps: _s, input_schema: _i, limitations: _l, description: _d, ...shown } = useCase;
  return {
    ...shown,
    countries: [...shown.countries],
    supported_execution_surfaces: [...shown.supported_execution_surfaces],
    delivered_results: [...shown.delivered_results],
    maximum_credits: maximumOf(useCase),
    currency: "credits",
    runnable,
  };
}

/** Whether a quote is for this use case, input and price, and has not expired. */
function isBinding(quote: QuoteTable | undefined, useCase: UseCaseManifest, input: unknown, now: number): boolean {
  return (
    quote !== undefined &&
    quote.use_case === useCase.slug &&
    quote.semantic_version === useCase.semantic_version &&
    quote.maximum_credits === maximumOf(useCase) &&
    quote.input_hash === canonicalHash(input) &&
    quote.expires_at > now
  );
}

/** Creates the service that routes and MCP use to read and quote use cases. Called once by `src/app.ts`. */
export function createUseCases(registry: Registry, store: Store, runtime: Runtime) {
  const all = [...registry.useCases.values()];

  return {
    async list(filter: UseCaseFilter): Promise<UseCaseSummary[]> {
      const gates = await registry.gates();
      return all
        .map((useCase) => summaryOf(useCase, useCaseBlocker(registry, useCase, gates) === null))
        .filter((item) => matches(item, filter));
    },

    async detail(useCase: UseCaseManifest): Promise<UseCase> {
      const blocker = useCaseBlocker(registry, useCase, await registry.gates());
      return {
        ...summaryOf(useCase, blocker === null),
        description: useCase.description,
        steps: useCase.steps.map(soldStep),
        input_schema: useCase.input_schema,
        dependencies: [...new Set(useCase.steps.map((step) => step.capability))],
        limitations: [...useCase.limitations],
        execution_blocker: blocker && { code: blocker, message: messageOf(blocker) },
      };
    },

    /**
     * Returns the current maximum price, valid for an hour. Free; nothing is reserved. With a caller, throws the errors of
     * accepting a run with this input; without one, only checks the schema, as the specification requires.
     */
    async quote(useCase: UseCaseManifest, input: unknown, caller: Principal | null): Promise<Quote> {
      checkInput(useCase.input_schema, input);
      if (caller) await registry.engine(useCase.steps[0]?.capability ?? "")?.admit?.(input, caller);
      const blocker = useCaseBlocker(registry, useCase, await registry.gates());
      const created_at = runtime.now();
      const quote = {
        id: runtime.id(),
        use_case: useCase.slug,
        semantic_version: useCase.semantic_version,
        maximum_credits: maximumOf(useCase),
      };
      const expires_at = created_at + quoteLifetime;
      await store.write(async (tx) => {
        await deleteExpiredQuotes(tx, created_at - quoteLifetime);
        await insertQuote.run(tx, { ...quote, input_hash: canonicalHash(input), created_at, expires_at });
      });
      return {
        ...quote,
        reserved_credits: 0,
        currency: "credits",
        steps: useCase.steps.map(soldStep),
        approval_required: useCase.steps.some((step) => step.requires_approval),
        execution_gate: { open: blocker === null, code: blocker, message: blocker && messageOf(blocker) },
        created_at: rfc3339(created_at),
        expires_at: rfc3339(expires_at),
      };
    },

    /**
     * Returns the plan of a run. Throws `not_found`, `validation_error`, and `quote_invalid` unless the quote, if there is
     * one, matches the use case, input and price and has not expired.
     */
    async plan(slug: string, input: unknown, quote_id: string | undefined): Promise<Plan> {
      const useCase = useCaseNamed(registry, slug);
      checkInput(useCase.input_schema, input);
      const quote = quote_id === undefined ? undefined : await quoteById.first(store.read, { id: quote_id });
      if (quote_id !== undefined && !isBinding(quote, useCase, input, runtime.now())) throw failure("quote_invalid");
      return useCasePlan(registry, useCase);
    },
  };
}

export type UseCases = ReturnType<typeof createUseCases>;
