import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";

const count = () => T.Integer({ minimum: 0 });

export const UsageSummary = closed(
  {
    days: count(),
    credits: closed({ charged: count(), reserved_now: count(), available: count() }),
    runs: T.Record(T.String(), count(), { description: "Runs by status, in the period." }),
    by_capability: T.Array(closed({ capability: T.String(), runs: count(), succeeded: count(), credits: count() })),
    by_day: T.Array(closed({ date: T.String({ format: "date" }), runs: count(), credits: count() })),
  },
  { title: "UsageSummary" },
);
export type UsageSummary = Static<typeof UsageSummary>;

/** A rate and a median are null where nothing has finished. */
export const ProviderOverview = closed(
  {
    days: count(),
    provider: T.String(),
    capabilities: T.Array(
      closed({
        slug: T.String(),
        runs: nullable(count()),
        success_rate: nullable(T.Number({ minimum: 0, maximum: 1 })),
        median_seconds: nullable(T.Number({ minimum: 0 })),
        credits_earned: nullable(count()),
        tenants: nullable(count()),
      }),
    ),
  },
  { title: "ProviderOverview" },
);
export type ProviderOverview = Static<typeof ProviderOverview>;

export const CreditEntry = closed(
  {
    id: T.String({ format: "uuid" }),
    kind: T.String(),
    amount: T.Integer({ description: "Whole credits; negative where the available balance went down." }),
    run_id: nullable(T.String({ format: "uuid" })),
    step: nullable(T.String()),
    created_at: T.String({ format: "date-time" }),
    reason: nullable(T.String()),
  },
  { title: "CreditEntry" },
);
export type CreditEntry = Static<typeof CreditEntry>;

export const Credits = closed(
  {
    currency: T.Literal("credits"),
    balance: closed({ available: count(), reserved: count() }),
    entries: closed({ items: T.Array(CreditEntry), next_cursor: nullable(T.String()) }),
  },
  { title: "Credits" },
);
