import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { CountryAggregate } from "../capabilities/eu-market-data/schema.ts";
import { CountryCode, DatasetSource, Reliability } from "../capabilities/fields.ts";

const Held = closed({
  indicator: T.String(),
  title: T.String(),
  unit: T.String(),
  places: T.Integer({ minimum: 0, description: "Countries, regions and aggregates that have it." }),
  countries: T.Array(T.String(), { description: "Those of `countries` that have it." }),
  first_period: T.String(),
  last_period: T.String(),
  publisher: T.String(),
  reliability: Reliability,
});

/** The contents of the market data. `not_listed` counts indicators of imported tables beyond the limit. */
export const EuCoverage = closed({
  version: T.Integer({ minimum: 0, description: "Version of the dataset; 0 for the data that come with the program." }),
  indicators: T.Array(Held),
  not_listed: T.Integer({ minimum: 0 }),
  countries: T.Array(T.String()),
  sources: T.Array(DatasetSource),
});
export type EuCoverage = Static<typeof EuCoverage>;

/** Figures selected without a question. */
export const EuMarketView = closed({
  summary: T.String(),
  aggregates: T.Array(CountryAggregate),
  sources: T.Array(DatasetSource),
});
export type EuMarketView = Static<typeof EuMarketView>;

const OverviewFigure = closed({
  indicator: T.String(),
  value: nullable(T.Number()),
  unit: T.String(),
  period: T.String(),
  publisher: T.String(),
  reliability: Reliability,
  flags: T.Array(T.String()),
});

/** The public overview: the common figures of every country, each with its period and source. */
export const EuOverview = closed({
  version: T.Integer({ minimum: 0 }),
  countries: T.Array(closed({ country: CountryCode, name: T.String(), figures: T.Array(OverviewFigure) })),
  sources: T.Array(DatasetSource),
  caveats: T.Array(T.String()),
});
export type EuOverview = Static<typeof EuOverview>;
