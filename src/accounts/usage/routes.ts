import { Type as T } from "@sinclair/typebox";
import { transfersOf } from "../../../db/queries/ledger.ts";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import type { Store } from "../../../db/store.ts";
import type { Identity } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Registry } from "../../registry/registry.ts";
import { callerOf } from "../../web/access.ts";
import { type Cursors, cursorMember } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { Credits, ProviderOverview, UsageSummary } from "./schema.ts";
import { creditBalance, creditEntry, providerOverview, usageSummary } from "./service.ts";

const tags = ["Usage"];
const entryList = "credit entries";
const Days = T.Object({ days: T.Integer({ minimum: 1, maximum: 365, default: 30 }) });

/** The platform's own provider name, whose overview an account reads that is no partner's. */
const ownProvider = "assay";

/** What the routes of usage are served by. */
interface UsageRoutesServices {
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly store: Store;
}

/** Reconciling: what was used, what it cost, what is left. */
export const usageRoutes = ({ clock, cursors, identity, registry, store }: UsageRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/usage/summary",
    access: { credential: "Platform", scopes: ["account:read"] },
    query: Days,
    response: { 200: UsageSummary, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "getUsageSummary",
      summary: "Summarise usage",
      description: "Finished runs of the caller's workspaces in the last days (UTC), and the firm's credits now.",
      tags,
    },
    handler: async ({ query: { days }, request }) => {
      const caller = callerOf(request);
      await ensureCaughtUp(store, "run_days");
      return usageSummary(
        store.read,
        registry.useCases,
        caller.firm_id,
        await identity.workspaces(caller),
        days,
        clock.now(),
      );
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/provider/overview",
    access: { credential: "Platform", scopes: ["account:read"] },
    query: Days,
    response: { 200: ProviderOverview, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "getProviderOverview",
      summary: "Overview from a provider's side",
      description: "Use of the provider's capabilities over all tenants; groups under five tenants are withheld.",
      tags,
    },
    handler: async ({ query: { days }, request }) => {
      const held = await identity.entitlements(callerOf(request).firm_id);
      await ensureCaughtUp(store, "run_days");
      return providerOverview(store.read, registry, held, ownProvider, days, clock.now());
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/credits",
    access: { credential: "Platform", scopes: ["account:read"] },
    query: T.Object({ limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }), ...cursorMember }),
    response: { 200: Credits, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "getCredits",
      summary: "Read balance and ledger entries",
      description:
        "The firm's credits, available and reserved, and its entries, the newest first. `balance_after` is what it held once the entry was made; that of the newest entry is the balance. The amounts of `grant`, `topup`, `adjust`, `reserve` and `release` sum to what is available. What is reserved is the sum of `settle` less that of `reserve` and `release`. A step whose provider gets a share is settled in two entries.",
      tags,
    },
    handler: async ({ query: { limit, cursor }, request }) => {
      const { firm_id } = callerOf(request);
      await ensureCaughtUp(store, "firm_transfers");
      const rows = await transfersOf(store.read, firm_id, limit + 1, cursors.readSequence(entryList, cursor));
      return {
        currency: "credits" as const,
        balance: await creditBalance(store.read, firm_id),
        entries: cursors.page(entryList, { rows, limit, show: creditEntry, position: ({ seq }) => seq }),
      };
    },
  }),
];
