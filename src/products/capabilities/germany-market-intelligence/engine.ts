import type { Datasets } from "../../../../db/datasets.ts";
import type { Engine } from "../../../contracts/engine.ts";
import { createGermanyMetrics } from "./metrics.ts";
import type { GermanyMarketIntelligenceInput, GermanyMarketIntelligenceOutput } from "./schema.ts";

/** The embedded engine. Deterministic for the current versions of the data. Throws if the rows of one can't be read. */
export function germanyMarketEngine(
  datasets: Datasets,
): Engine<GermanyMarketIntelligenceInput, GermanyMarketIntelligenceOutput> {
  const overview = createGermanyMetrics(datasets);
  return {
    identity: { name: "germany-market-intelligence", version: "1.0.0", model: null },
    ready: () => null,
    run: async () => ({ result: await overview() }),
  };
}
