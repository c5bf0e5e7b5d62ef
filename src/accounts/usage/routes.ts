import { Type as T } from "@sinclair/typebox";
import { transfersOf, transfersOfWorkspace } from "../../../db/queries/ledger.ts";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import type { Store } from "../../../db/store.ts";
import type { Identity } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Registry } from "../../registry/registry.ts";
import { callerOf } from "../../web/access.ts";
import { type Cursors, cursorMember } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { spanOf, usageByDay } from "./days.ts";
import { Credits, ProviderOverview, UsageDays, UsageSummary } from "./schema.ts";
import { creditBalance, creditEntry, providerOverview, usageSummary } from "./service.ts";

const tags = ["Usage"];
const entryList = "credit entries";
const Days = T.Object({ days: T.Integer({ minimum: 1, maximum: 365, default: 30 }) });

/** Services used by these routes. */
interface UsageRoutesServices {
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly identity: Identity;
  readonly registry: Pick<Registry, "isBuiltIn" | "useCases">;
  readonly store: Store;
}

/** The usage summary and the provider overview. */
const summaryRoutes = ({ clock, identity, registry, store }: UsageRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/usage/summary",
    access: { credential: "Platform", scopes: ["account:read"] },
    query: Days,
    response: { 200: UsageSummary, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "getUsageSummary",
      summary: "Summarise usage",
      description:
        "Finished runs of the caller's workspaces in the last days (UTC), charged imported studies, and the firm's current credits.",
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
      summary: "Get the provider overview",
      description:
        "Usage, in the caller's workspaces, of the connectors that the caller's firm provides, including removed ones. Capabilities of the platform or of other firms are not shown.",
      tags,
    },
    handler: async ({ query: { days }, request }) => {
      const caller = callerOf(request);
      await ensureCaughtUp(store, "run_days");
      return providerOverview(
        store.read,
        registry,
        caller.firm_id,
        await identity.workspaces(caller),
        days,
        clock.now(),
      );
    },
  }),
];

/** Usage by day. */
const daysRoute = ({ clock, identity, registry, store }: UsageRoutesServices): Route =>
  defineRoute({
    method: "GET",
    path: "/v1/usage/days",
    access: { credential: "Platform", scopes: ["account:read"] },
    query: T.Object({
      from: T.Optional(T.String({ format: "date" })),
      to: T.Optional(T.String({ format: "date" })),
    }),
    response: { 200: UsageDays, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "getUsageDays",
      summary: "Usage by day",
      description:
        "Finished runs of the caller's workspaces and what they were charged, on each day (UTC) of at most 366: in total, by capability and use case, and by key. Charges for imported studies are added to the credits of `market-validator`, and to no key's. Default: the last 30 days.",
      tags,
    },
    handler: async ({ query, request }) => {
      const caller = callerOf(request);
      const span = spanOf(query, clock.now());
      for (const index of ["run_days", "key_days"] as const) await ensureCaughtUp(store, index);
      const workspace_ids = await identity.workspaces(caller);
      return usageByDay(store.read, registry.useCases, caller.firm_id, { ...span, workspace_ids });
    },
  });

/** The firm's balance and ledger entries. */
const creditRoute = ({ cursors, store }: UsageRoutesServices): Route[] => [
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
        "The firm's credits, available and reserved, and its entries, the newest first. `balance_after` is what the firm held once the entry was made. A step whose provider gets a share is settled in two entries. A person sees all entries: `balance_after` of the newest is the balance, the amounts of `grant`, `topup`, `adjust`, `reserve` and `release` sum to what is available, and what is reserved is the sum of `settle` less that of `reserve` and `release`. A key sees the entries of its own workspace's runs, and those of no run, while the balance is the firm's: with runs of other workspaces its entries don't sum to it. Of each ended run that it sees, `reserve` and `release` sum to the same as `settle`, which is `charged_credits` with a minus.",
      tags,
    },
    handler: async ({ query: { limit, cursor }, request }) => {
      const { firm_id, workspace_id } = callerOf(request);
      await ensureCaughtUp(store, "firm_transfers");
      if (workspace_id !== null) await ensureCaughtUp(store, "workspace_transfers");
      const before = cursors.readSequence(entryList, cursor);
      const rows =
        workspace_id === null
          ? await transfersOf(store.read, firm_id, limit + 1, before)
          : await transfersOfWorkspace(store.read, { firm_id, workspace_id }, limit + 1, before);
      return {
        currency: "credits" as const,
        balance: await creditBalance(store.read, firm_id),
        entries: cursors.page(entryList, { rows, limit, show: creditEntry, position: ({ seq }) => seq }),
      };
    },
  }),
];

/** Routes for reconciliation: usage, cost and balance. */
export const usageRoutes = (services: UsageRoutesServices): Route[] => [
  ...summaryRoutes(services),
  daysRoute(services),
  ...creditRoute(services),
];
