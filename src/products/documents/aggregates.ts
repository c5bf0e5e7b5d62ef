import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { titleOf } from "../capabilities/eu-market-data/titles.ts";
import { countryName } from "../datasets/places.ts";
import { type Block, table, written } from "./document.ts";

/** The aggregates of a market answer; for the Market-Entry Pack's report too. */
export function aggregatesTable(aggregates: EuMarketDataOutput["aggregates"]): Block {
  return table(
    "Figures",
    ["Country", "Indicator", "Value", "Unit", "Period", "Rank", "Source", "Reliability"],
    aggregates.map(({ country, indicator, value, unit, period, rank, source, reliability, flags }) => [
      ...[
        countryName(country, "en"),
        titleOf(indicator, "en"),
        value === null ? "not held" : written(value),
        unit,
        period,
      ],
      ...[rank === null ? "" : String(rank), source.publisher, [reliability, ...flags].join(" ")],
    ]),
  );
}
