import type { UseCaseManifest } from "../../registry/contract.ts";
import { euMarketData } from "../capabilities/eu-market-data/manifest.ts";
import { singleStep } from "./single-step.ts";

/** Queries the national aggregates once, free of charge. Listed in `manifests.ts`. */
export const euMarketSnapshot: UseCaseManifest = {
  ...singleStep(euMarketData),
  slug: "eu-market-snapshot",
  name: "EU Market Snapshot",
  outcome: "Sourced national figures of up to ten European countries",
  category: "Market data",
  description:
    "Ask for indicators of one to ten European countries, and get aggregates with unit, period and source, and a summary of them.",
  status: "available",
  delivered_results: ["A summary", "Aggregates with unit, period and source", "The list of sources"],
};
