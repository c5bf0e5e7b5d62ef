import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";

const count = () => T.Integer({ minimum: 0 });

const used = { runs: count(), succeeded: count(), credits: count() };

export const UsageSummary = closed(
  {
    days: count(),
    credits: closed({ charged: count(), reserved_now: count(), available: count() }),
    runs: T.Record(T.String(), count(), { description: "Runs by status, in the period." }),
    by_capability: T.Array(closed({ capability: T.String(), ...used }), {
      description:
        "Runs of capabilities, without those in use cases. `market-validator` includes the charges of imported studies, which are not counted as runs.",
    }),
    by_use_case: T.Array(closed({ use_case: T.String(), ...used }), {
      description: "Runs of use cases, each with all its steps. Together with by_capability, this is all usage.",
    }),
    by_day: T.Array(closed({ date: T.String({ format: "date" }), runs: count(), credits: count() })),
  },
  { title: "UsageSummary" },
);
export type UsageSummary = Static<typeof UsageSummary>;

const amount = { runs: count(), succeeded: count(), credits: count() };
const date = T.String({ format: "date" });
const ofDays = {
  ...amount,
  days: T.Array(closed({ date, runs: count(), credits: count() }), { description: "Days with any usage." }),
};

export const UsageDays = closed(
  {
    from: date,
    to: date,
    ...amount,
    days: T.Array(closed({ date, ...amount }), {
      description: "Every day of the period, including those without a run.",
    }),
    by_capability: T.Array(closed({ capability: T.String(), ...ofDays })),
    by_use_case: T.Array(closed({ use_case: T.String(), ...ofDays })),
    by_key: T.Array(
      closed({
        key_id: nullable(T.String({ format: "uuid" })),
        name: nullable(
          T.String({
            description: "Null for runs by people and, if `key_id` is set, for a key that no longer exists.",
          }),
        ),
        ...ofDays,
      }),
      {
        description: "Usage by API key; null stands for runs by people. Charges for imported studies are not included.",
      },
    ),
  },
  { title: "UsageDays" },
);
export type UsageDays = Static<typeof UsageDays>;

/** Rates and medians are null if nothing has finished. */
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
        credits_earned: nullable(
          T.Integer({
            minimum: 0,
            description:
              "Total charge of its runs, including the platform's share. The firm's own share is in the `settle` entries whose `provider` is this firm.",
          }),
        ),
        tenants: nullable(count()),
      }),
    ),
  },
  { title: "ProviderOverview" },
);
export type ProviderOverview = Static<typeof ProviderOverview>;

/** A firm's balance, in whole credits. */
export const Balance = closed({ available: count(), reserved: count() }, { title: "CreditBalance" });

export const CreditEntry = closed(
  {
    id: T.String({ format: "uuid" }),
    kind: {
      ...enumeration("grant", "topup", "adjust", "reserve", "settle", "release"),
      description:
        "`grant`, `topup` and `adjust` change what is available. `reserve` sets credits aside for a run, `settle` spends them, `release` returns the rest.",
    },
    amount: T.Integer({
      description:
        "Whole credits: of `settle` what went out of the reserved ones, of every other kind what came to the available ones or, negative, left them.",
    }),
    balance_after: Balance,
    run_id: nullable(
      T.String({
        format: "uuid",
        description: "For the step `study`, the id of an imported study rather than of a run.",
      }),
    ),
    step: nullable(T.String()),
    provider: nullable(
      T.String({
        description:
          "For `settle`, the firm that this share of the charge went to. Null for the platform, and for other kinds.",
      }),
    ),
    created_at: T.String({ format: "date-time" }),
    reason: nullable(T.String(), null),
  },
  { title: "CreditEntry" },
);
export type CreditEntry = Static<typeof CreditEntry>;

export const Credits = closed(
  {
    currency: T.Literal("credits"),
    balance: Balance,
    entries: closed({ items: T.Array(CreditEntry), next_cursor: nullable(T.String()) }),
  },
  { title: "Credits" },
);
