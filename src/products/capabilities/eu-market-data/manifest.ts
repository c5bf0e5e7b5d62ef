import type { CapabilityManifest } from "../../../registry/contract.ts";
import { listing, pricing, trial } from "../listing.ts";
import { pending, pendingLimitation } from "../pending.ts";
import { EuMarketDataInput, EuMarketDataOutput } from "./schema.ts";
import { tools } from "./tools.ts";

/** National aggregates of Europe, listed in `src/products/capabilities/index.ts`. */
export const euMarketData: CapabilityManifest = {
  ...listing("eu-market-data"),
  name: "EU Market Data",
  outcome: "Compare European markets by sourced aggregates",
  description:
    "Answers questions about European countries from imported public statistics: aggregates with unit, period, source, rank and growth, and a summary whose every number comes from them.",
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
    pendingLimitation,
    "It returns national aggregates alone; groups too small to be shown are withheld.",
    "Figures of different sources may refer to different years; each carries its own period.",
    "What the datasets do not hold is said, not estimated; there are no forecasts.",
  ],
  evidence_freshness: "As of the imported datasets; every figure carries its period.",
  entitlements: [],
  deadline_ms: 30_000,
  engine: pending("eu-market-data"),
};
