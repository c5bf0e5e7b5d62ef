import type { Datasets } from "../../../../db/datasets.ts";
import type { Engine } from "../../../contracts/engine.ts";
import { answer } from "./answer.ts";
import { understand } from "./question.ts";
import type { EuMarketDataInput, EuMarketDataOutput } from "./schema.ts";

/**
 * The embedded engine: answers a question's indicators, countries and period from the current version of the data.
 * Deterministic for one version. Throws if the rows of a version can't be read.
 */
export const euMarketDataEngine = (datasets: Datasets): Engine<EuMarketDataInput, EuMarketDataOutput> => ({
  identity: { name: "eu-market-data", version: "1.0.0", model: null },
  ready: () => null,
  async run(input, { now }) {
    const version = await datasets.current("eu-data");
    const codes = version.tables.flatMap(({ facts }) => (facts.code === null ? [] : [facts.code]));
    return { result: answer(version, understand(input, codes, now())) };
  },
});
