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
        "Runs of capabilities themselves; with `market-validator` what imported studies were charged, which are no runs.",
    }),
    by_use_case: T.Array(closed({ use_case: T.String(), ...used }), {
      description: "Runs of use cases, each with all of its steps. With by_capability it is everything.",
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
  days: T.Array(closed({ date, runs: count(), credits: count() }), { description: "Days on which there was any." }),
};

export const UsageDays = closed(
  {
    from: date,
    to: date,
    ...amount,
    days: T.Array(closed({ date, ...amount }), { description: "Every day of them, also without a run." }),
    by_capability: T.Array(closed({ capability: T.String(), ...ofDays })),
    by_use_case: T.Array(closed({ use_case: T.String(), ...ofDays })),
    by_key: T.Array(
      closed({
        key_id: nullable(T.String({ format: "uuid" })),
        name: nullable(T.String({ description: "Null for people, and with `key_id` for nobody's key any more." })),
        ...ofDays,
      }),
      {
        description:
          "What each API key ran; under null what people ran themselves. Charges of imported studies are in none of them.",
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
              "What its runs were charged in all, the platform's part included. The entries of `settle` whose `provider` is this firm are its own part.",
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
        "`grant`, `topup` and `adjust` change what is available. `reserve` sets credits aside for a run, `settle` spends what is set aside, `release` gives back the rest.",
    },
    amount: T.Integer({
      description:
        "Whole credits: of `settle` what went out of the reserved ones, of every other kind what came to the available ones or, negative, left them.",
    }),
    balance_after: Balance,
    run_id: nullable(
      T.String({ format: "uuid", description: "Of the step `study` an imported study's id, which is no run's." }),
    ),
    step: nullable(T.String()),
    provider: nullable(
      T.String({
        description: "Of `settle`: whom this part of the charge went to. Null: the platform, or another kind.",
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
