import { type Static, Type as T } from "@sinclair/typebox";
import { closed, notBlank, nullable } from "../../../platform/schema.ts";
import { CountryCode, DatasetSource, figure } from "../fields.ts";

/** A question about one to ten countries. */
export const EuMarketDataInput = closed({
  question: T.String({ minLength: 3, maxLength: 1000, ...notBlank }),
  countries: T.Array(CountryCode, { minItems: 1, maxItems: 10 }),
});
export type EuMarketDataInput = Static<typeof EuMarketDataInput>;

/** `rank` is among the countries that were asked for, 1 the highest; `growth_percent` is against the period before. */
export const CountryAggregate = closed({
  ...figure,
  country: CountryCode,
  rank: nullable(T.Integer({ minimum: 1 })),
  growth_percent: nullable(T.Number()),
});

/** Every number of the summary occurs in the aggregates. */
export const EuMarketDataOutput = closed({
  summary: T.String(),
  aggregates: T.Array(CountryAggregate),
  sources: T.Optional(T.Array(DatasetSource)),
});
export type EuMarketDataOutput = Static<typeof EuMarketDataOutput>;

/** The inputs of the other three tools. */
export const EuCoverageInput = closed({});
export const EuMarketOverviewInput = closed({ country: CountryCode });
export const EuCompareMarketsInput = closed({
  countries: T.Array(CountryCode, { minItems: 2, maxItems: 10 }),
  indicator: T.Optional(
    T.String({ minLength: 1, maxLength: 80, ...notBlank, description: "One of those that eu_coverage names." }),
  ),
});
