import type { DatasetVersion } from "../../../db/datasets.ts";
import { countryName } from "../datasets/places.ts";
import { overviewCountries } from "../eu-market/service.ts";
import { rowsOf } from "./holdings.ts";
import { playbookCountries } from "./playbook.ts";
import type { MarketDepth } from "./schema.ts";

/** Reports the depth of the data by country: what data there are, not their content. */

const levels = [
  "No data",
  "Macro figures of the country",
  "Insurance penetration or density",
  "Dated series by line or type of intermediary",
  "Rules and registers that its research playbook names",
  "Imported rows of registers and directories",
];

const macro = /^(population|gdp|unemployment)/;
const insurance = /^insurance_/;

/** Maximum number of observations read per indicator, which is enough to decide. */
const mostObservations = 5_000;

/** Returns the countries for which a dataset has a matching indicator with at least `periods` periods. */
function having(version: DatasetVersion, code: RegExp, periods = 1): Set<string> {
  const found = new Set<string>();
  for (const table of version.tables)
    for (const indicator of table.indicators()) {
      if (!code.test(indicator.code) || (periods > 1 && indicator.first_period === indicator.last_period)) continue;
      const seen = new Map<string, Set<string>>();
      for (const { place, period } of table.observations(indicator.id, {
        places: overviewCountries,
        limit: mostObservations,
      }))
        seen.set(place, (seen.get(place) ?? new Set()).add(period));
      for (const [place, own] of seen) if (own.size >= periods) found.add(place);
    }
  return found;
}

/** Returns the depth of each country. Costs a few indexed reads, so it is computed once per set of serving versions. */
export function depthOf(germany: DatasetVersion, distribution: DatasetVersion, eu: DatasetVersion): MarketDepth {
  const held = [
    having(eu, macro),
    having(eu, insurance),
    having(distribution, /^(intermediaries|life|health|property|premiums?|contracts)$/, 2),
    new Set(playbookCountries),
    new Set(rowsOf(germany, "universe") > 0 ? ["DE"] : []),
  ];
  return {
    levels: levels.map((meaning, level) => ({ level, meaning })),
    countries: overviewCountries
      .filter((country) => country !== "EU")
      .map((country) => {
        const has = held.flatMap((countries, i) => (countries.has(country) ? [i + 1] : []));
        return { country, name: countryName(country, "en"), level: Math.max(0, ...has), has };
      }),
    versions: { germany: germany.number, distribution: distribution.number, "eu-data": eu.number },
    notes: [
      "It shows which data there are, not how good they are: every figure carries its own label.",
      ...notesOn(germany),
    ],
  };
}

const notesOn = (germany: DatasetVersion): string[] =>
  rowsOf(germany, "universe") > 0 ? [] : ["No rows of registers have been imported: no country is at level 5."];
