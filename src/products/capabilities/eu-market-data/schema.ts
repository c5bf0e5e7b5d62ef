import { type Static, Type as T } from "@sinclair/typebox";
import { closed, notBlank, nullable } from "../../../platform/schema.ts";
import { AskedPlace, CountryCode, DatasetSource, figure } from "../fields.ts";

/** A question about one to ten countries. */
export const EuMarketDataInput = closed({
  question: T.String({ minLength: 3, maxLength: 1000, ...notBlank, description: "The figures wanted." }),
  countries: T.Array(AskedPlace, {
    minItems: 1,
    maxItems: 10,
    description: "In Europe, or EU for the whole Union.",
  }),
});
export type EuMarketDataInput = Static<typeof EuMarketDataInput>;

/**
 * A figure for one country. `rank` is among the countries of the answer that have the figure for the same period, with
 * 1 the highest; `change` and `growth_percent` compare with `compared_period` of the same series.
 */
export const CountryAggregate = closed({
  ...figure,
  country: CountryCode,
  rank: nullable(T.Integer({ minimum: 1 })),
  change: nullable(T.Number()),
  growth_percent: nullable(T.Number()),
  compared_period: nullable(T.String()),
  disputed: T.Optional(
    T.Boolean({
      description: "Another publisher with the same label differs by more than 5 %, so the label is one step lower.",
    }),
  ),
  corroborated: T.Optional(
    T.Boolean({ description: "A figure labelled C that agrees with another publisher's C to within 1 %." }),
  ),
});
export type CountryAggregate = Static<typeof CountryAggregate>;

/** An image of the comparison, for pages that show the result. */
const Chart = closed({ media_type: T.Literal("image/svg+xml"), content: T.String() });

/** The answer. Every number of the summary occurs in the aggregates, or in words of the question that it repeats. */
export const EuMarketDataOutput = closed({
  summary: T.String(),
  aggregates: T.Array(CountryAggregate),
  sources: T.Optional(T.Array(DatasetSource)),
  document: T.Optional(Chart),
});
export type EuMarketDataOutput = Static<typeof EuMarketDataOutput>;

/** The inputs of the other three tools. */
export const EuCoverageInput = closed({});
export const EuMarketOverviewInput = closed({ country: AskedPlace });
export const EuCompareMarketsInput = closed({
  countries: T.Array(AskedPlace, {
    minItems: 2,
    maxItems: 10,
    description: "In Europe, or EU for the whole Union.",
  }),
  indicator: T.Optional(
    T.String({ minLength: 1, maxLength: 80, ...notBlank, description: "An indicator that eu_coverage lists." }),
  ),
});
