import type { Datasets, DatasetVersion, DataTable, Indicator } from "../../../db/datasets.ts";
import { Failure, failure } from "../../platform/errors.ts";
import { capabilityBlocker, type Registry } from "../../registry/registry.ts";
import { type Prerendered, prerender } from "../../web/prerendered.ts";
import { answer } from "../capabilities/eu-market-data/answer.ts";
import { familiesOf } from "../capabilities/eu-market-data/families.ts";
import { type AskedQuestion, nothingElse } from "../capabilities/eu-market-data/question.ts";
import { concepts, titleOf } from "../capabilities/eu-market-data/titles.ts";
import { factsOf, sourceOf } from "../datasets/figures.ts";
import { askedPlace, countryName } from "../datasets/places.ts";
import type { EuCoverage, EuMarketView, EuOverview } from "./schema.ts";

const slug = "eu-market-data";
const dataset = "eu-data";

/** The 27 member states, their neighbours in the starter data, and the EU as a whole. */
export const overviewCountries =
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE NO CH IS LI GB EU".split(" ");

/** Maximum number of imported tables' indicators in the coverage; more would fill the caller's context. */
const listedAtMost = 200;

/** Returns the question that a view answers: the newest figures, in English. */
const asking = (countries: readonly string[], wanted: readonly string[]): AskedQuestion => ({
  ...{ ...nothingElse, language: "en", concepts: wanted, lowestFirst: false },
  countries: [...new Set(countries.map(askedPlace))],
  period: { from: null, to: null, change: false },
});

function viewOf(version: DatasetVersion, countries: readonly string[], wanted: readonly string[]): EuMarketView {
  const { summary, aggregates, sources = [] } = answer(version, asking(countries, wanted));
  return { summary, aggregates, sources };
}

/** Returns the overview's countries for which the table has the indicator. */
function countriesOf(table: DataTable, { id }: Indicator): string[] {
  const held = new Set(table.places(id));
  return overviewCountries.filter((country) => held.has(country));
}

function coverageOf(version: DatasetVersion): EuCoverage {
  const known = concepts.flatMap((concept) => familiesOf(version, concept));
  const inConcept = new Set(known.map(({ indicator }) => indicator));
  const others = version.tables.flatMap((table) =>
    table
      .indicators()
      .flatMap((indicator) =>
        inConcept.has(indicator)
          ? []
          : [{ concept: indicator.code, table, indicator, facts: factsOf(table, indicator) }],
      ),
  );
  const listed = [...known, ...others.slice(0, listedAtMost)];
  return {
    version: version.number,
    indicators: listed.map(({ concept, table, indicator, facts }) => ({
      ...{ indicator: concept, title: titleOf(concept, "en") === concept ? indicator.title : titleOf(concept, "en") },
      ...{ unit: indicator.unit, places: indicator.places, publisher: facts.publisher, reliability: facts.reliability },
      ...{ first_period: indicator.first_period, last_period: indicator.last_period },
      countries: countriesOf(table, indicator),
    })),
    not_listed: Math.max(0, others.length - listedAtMost),
    countries: overviewCountries,
    sources: listed.map(({ facts, indicator }) => sourceOf(facts, indicator)),
  };
}

function overviewOf(version: DatasetVersion): EuOverview {
  const { aggregates, sources } = viewOf(version, overviewCountries, concepts);
  const figures = Map.groupBy(aggregates, ({ country }) => country);
  return {
    version: version.number,
    countries: overviewCountries.map((country) => ({
      country,
      name: countryName(country, "en"),
      figures: (figures.get(country) ?? []).map(({ indicator, value, unit, period, source, reliability, flags }) => ({
        ...{ indicator, value, unit, period, publisher: source.publisher, reliability, flags },
      })),
    })),
    sources,
    caveats: [
      "Figures of different indicators and countries may be of different periods; each carries its own.",
      "A figure that is not shown is not available; none is estimated here.",
      "The EU as a whole is computed from its countries, and is ranked with none of them.",
    ],
  };
}

/** Market data outside of runs, for the public route and the tools that take no question. */
export interface EuMarket {
  coverage(): Promise<EuCoverage>;
  /** Returns the common figures of one country. */
  overview(country: string): Promise<EuMarketView>;
  /** Compares countries. Throws `validation_error` for fewer than two, and for an unknown indicator. */
  compare(countries: readonly string[], indicator: string | undefined): Promise<EuMarketView>;
  /** Returns the public overview, rendered once per version and served as the same bytes. */
  publicOverview(): Promise<Prerendered>;
}

/**
 * Creates the service. Called once by `app.ts`. Callers' requests throw `capability_runs_disabled` while the gate is
 * closed.
 */
export function createEuMarket(datasets: Datasets, registry: Registry): EuMarket {
  let made: { readonly version: DatasetVersion; readonly body: Prerendered } | undefined;

  async function opened(): Promise<DatasetVersion> {
    const sold = registry.capabilities.get(slug);
    if (!sold) throw failure("not_found");
    const blocker = capabilityBlocker(sold, await registry.gates());
    if (blocker) throw failure(blocker);
    return datasets.current(dataset);
  }

  return {
    coverage: async () => coverageOf(await opened()),
    overview: async (country) => viewOf(await opened(), [country], concepts),
    async compare(countries, indicator) {
      if (new Set(countries.map(askedPlace)).size < 2)
        throw new Failure("validation_error", [
          { path: "/arguments/countries", message: "must name at least two different countries" },
        ]);
      const version = await opened();
      if (indicator !== undefined && familiesOf(version, indicator).length === 0)
        throw new Failure("validation_error", [
          { path: "/arguments/indicator", message: "must be an indicator that eu_coverage names" },
        ]);
      return viewOf(version, countries, indicator === undefined ? concepts : [indicator]);
    },
    async publicOverview() {
      const version = await datasets.current(dataset);
      if (made?.version !== version) made = { version, body: prerender(overviewOf(version)) };
      return made.body;
    },
  };
}
