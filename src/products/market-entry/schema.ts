import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { CountryCode, DatasetSource, figure, Reliability } from "../capabilities/fields.ts";
import { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";

const Count = T.Integer({ minimum: 0 });

/** A candidate market with its points out of 100 and how they came about. */
const MarketScore = closed({
  country: CountryCode,
  score: T.Number({ minimum: 0, maximum: 100 }),
  parts: T.Array(
    closed({
      indicator: T.String(),
      title: T.String(),
      value: nullable(T.Number({ description: "Null if there is no figure, which earns no points." })),
      unit: T.String(),
      period: T.String(),
      reliability: nullable(Reliability),
      weight: T.Number(),
      points: T.Number(),
    }),
  ),
});
export type MarketScore = Static<typeof MarketScore>;

export const StructureInput = closed({ product_category: T.String(), scores: T.Array(MarketScore) });
export type StructureInput = Static<typeof StructureInput>;

/** A market figure with its title. */
const StructureFigure = closed({ ...figure, title: T.String() });
export type StructureFigure = Static<typeof StructureFigure>;

/** `size`: spending; `channels`: who sells. `missing` says which of the two no dataset has. */
const MarketStructure = closed({
  country: CountryCode,
  size: T.Array(StructureFigure),
  channels: T.Array(StructureFigure),
  missing: T.Array(T.String()),
});

export const StructureOutput = closed({
  /** All candidates, best first, with the weights used. */
  scores: T.Array(MarketScore),
  markets: T.Array(MarketStructure),
  sources: T.Array(DatasetSource),
  summary: T.String(),
});
export type StructureOutput = Static<typeof StructureOutput>;

export const TargetsInput = closed({ target_adviser_icp: T.String(), markets: T.Array(CountryCode) });
export type TargetsInput = Static<typeof TargetsInput>;

/** How a target meets the ICP. */
const Reason = closed({
  words: T.String({ description: "The ICP's own words." }),
  field: T.String({ description: "The field of the row that meets them." }),
  value: T.String({ description: "The row's value in that field." }),
});
export type Reason = Static<typeof Reason>;

export const Target = closed({
  candidate_id: T.String(),
  name: T.String(),
  country: CountryCode,
  city: nullable(T.String()),
  sector: nullable(T.String()),
  persons: nullable(Count),
  website: nullable(T.String()),
  source: nullable(T.String()),
  reliability: T.String(),
  score: T.Integer({ minimum: 0, description: "How many of the ICP's demands and words it meets." }),
  reasons: T.Array(Reason, { minItems: 1 }),
});
export type Target = Static<typeof Target>;

/** `found`: how many were submitted for approval; `targets`: those approved. Nothing else identifies anyone. */
export const TargetsOutput = closed({
  wanted: Count,
  found: Count,
  targets: T.Array(Target),
  searched: closed({ rows: Count, outside: Count, version: Count, reasons: T.Array(T.String()) }),
  read_as: T.Array(T.String(), { description: "What the ICP was understood to ask for." }),
  // Outputs of earlier releases lack these two fields, and some still await a decision.
  not_read: T.Optional(T.Array(T.String(), { description: "Words of the ICP that were not understood." })),
  elsewhere: T.Optional(T.Array(T.String(), { description: "Places of the ICP that no row is known to be in." })),
  notes: T.Array(T.String()),
});
export type TargetsOutput = Static<typeof TargetsOutput>;

/** The report's input: results of delivered steps. `targets` is null if none was approved. */
export const ReportInput = closed({
  product_category: T.String(),
  company: CompanyIntelligenceOutput,
  markets: EuMarketDataOutput,
  structure: StructureOutput,
  tested_market: T.String(),
  validator: MarketValidatorOutput,
  targets: nullable(TargetsOutput),
  withheld: nullable(enumeration("rejected", "expired")),
});
export type ReportInput = Static<typeof ReportInput>;
