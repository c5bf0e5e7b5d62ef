import type { Datasets } from "../../../../db/datasets.ts";
import type { Engine } from "../../../contracts/engine.ts";
import { answer } from "./answer.ts";
import { understand } from "./question.ts";
import type { EuMarketDataInput, EuMarketDataOutput } from "./schema.ts";

/**
 * The embedded engine: a question's indicators, countries and period, answered from the version of the data that serves.
 * Deterministic for one version. It throws where the rows of a version can't be read.
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
