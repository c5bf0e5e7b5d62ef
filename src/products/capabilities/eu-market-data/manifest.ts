import type { CapabilityDefinition } from "../../../registry/contract.ts";
import { lazyEngine } from "../lazy.ts";
import { listing, pricing, trial } from "../listing.ts";
import { EuMarketDataInput, EuMarketDataOutput } from "./schema.ts";
import { tools } from "./tools.ts";

/** National aggregates for Europe, listed in `src/products/capabilities/index.ts`. */
export const euMarketData: CapabilityDefinition = {
  ...listing("eu-market-data"),
  name: "EU Market Data",
  outcome: "Compare European markets by sourced aggregates",
  description:
    "Answers questions about European countries from imported public statistics: aggregates with unit, period, source, rank and growth, and a summary whose every figure comes from them.",
  status: "live",
  exposure: "public",
  countries: ["EU"],
  data_class: "aggregate",
  access: "read",
  permissions: ["account:read", "eu-data:aggregate"],
  pricing: pricing("included", "question answered"),
  trial: trial(3, ["aggregate only"]),
  input_schema: EuMarketDataInput,
  output_schema: EuMarketDataOutput,
  tools,
  sources: ["Public statistics that the operator imports, each with its publisher, period and licence"],
  limitations: [
    "It answers in English, Czech, Slovak and German and understands the words in its lists. It names a country or topic without data, and words of the question that the figures do not take into account.",
    "It returns only national aggregates, never data on persons or firms.",
    "Without an import, it uses the public figures shipped with the program: 33 countries, one period each, with reliability B to D.",
    "Figures are as the publisher gives them: nothing is added up across countries, converted or estimated.",
    "Figures of different sources may refer to different years; each carries its own period.",
    "Missing data is reported, not estimated; there are no forecasts.",
  ],
  evidence_freshness: "As of the imported datasets; every figure carries its period.",
  entitlements: [],
  deadline_ms: 30_000,
  engine: ({ datasets }) =>
    lazyEngine({ name: "eu-market-data", model: null }, async () =>
      (await import("./engine.ts")).euMarketDataEngine(datasets),
    ),
};
