import type { DataTable, ReliabilityLabel, TableFacts } from "../../../../db/datasets.ts";
import { datasetInMemory } from "../../../../db/sqlite/dataset-file.ts";
import { present } from "../../../platform/assert.ts";
import distributionFigures from "./distribution-figures.tsv" with { type: "text" };
import distributionIndicators from "./distribution-indicators.tsv" with { type: "text" };
import euFigures from "./eu-figures.tsv" with { type: "text" };
import euIndicators from "./eu-indicators.tsv" with { type: "text" };

/** The public figures shipped with the program: part of every version, in addition to imported ones. */

const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t").map((cell) => (cell === "-" ? "" : cell)));

interface Measured {
  readonly code: string;
  readonly title: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly facts: Partial<TableFacts>;
}

/**
 * Parses an indicator: `gdp@eu` is gdp of another origin; `cz_market/premiums` is premiums of the dataset cz_market.
 */
function measuredBy([id = "", title = "", unit = "", ...facts]: readonly string[]): Measured {
  const [, dataset, code = "", origin] = /^(?:([^/]+)\/)?([^@]+)(?:@(.+))?$/.exec(id) ?? [];
  const [reliability, publisher = "", publisherCode, licence, url, retrieved = "", note] = facts;
  return {
    ...{ code, title, unit },
    dimensions: { ...(dataset && { dataset }), ...(origin && { origin }) },
    facts: {
      ...{ publisher, retrieved, code: publisherCode || null, licence: licence || null, url: url || null },
      ...{ reliability: reliability as ReliabilityLabel, note: note || null },
    },
  };
}

function tableFrom(facts: TableFacts, indicators: string, figures: string): DataTable {
  const known = new Map(linesOf(indicators).map((cells) => [cells[0] ?? "", measuredBy(cells)]));
  return datasetInMemory(facts, (draft) => {
    for (const [i, [code = "", place = "", period = "", value, flags = ""]] of linesOf(figures).entries())
      draft.figure({
        ...present(known.get(code), `the indicator ${code} of the starter data`),
        ...{ place, period, value: Number(value), missing: null, flags, group: {}, line: i + 2 },
      });
  });
}

const starter = (title: string): TableFacts => ({
  ...{ name: "starter", title, publisher: "Assay", code: null, licence: null, url: null, retrieved: "2026-05-17" },
  ...{ reliability: "D", note: "Each indicator names its own publisher" },
});

/** Returns the tables of a dataset that ship with the program, if any. */
export function starterTables(dataset: string): readonly DataTable[] {
  if (dataset === "eu-data")
    return [tableFrom(starter("Public figures of European countries"), euIndicators, euFigures)];
  if (dataset === "distribution")
    return [
      tableFrom(starter("Public figures on insurance distribution"), distributionIndicators, distributionFigures),
    ];
  return [];
}
