import type { Datasets, DatasetVersion } from "../../../db/datasets.ts";
import type { Engine } from "../../contracts/engine.ts";
import { answer } from "../capabilities/eu-market-data/answer.ts";
import { nothingElse } from "../capabilities/eu-market-data/question.ts";
import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { titleOf } from "../capabilities/eu-market-data/titles.ts";
import { factsOf, shownFigure, sourceOf } from "../datasets/figures.ts";
import { countryName } from "../datasets/places.ts";
import type { StructureFigure, StructureInput, StructureOutput } from "./schema.ts";
import { bestOf } from "./scoring.ts";

/** How many of the best markets are examined. */
const looked = 2;
const sizeConcepts = ["insurance_premiums", "insurance_penetration", "households"];

type Sources = StructureOutput["sources"];
/** A country-level distribution figure and its source. */
interface Held {
  readonly figure: StructureFigure;
  readonly source: Sources[number];
}

/** Matches figures that count sellers; the others count sales. */
const sellers = /intermediar|agent|broker|advis|tied|licence/i;

/**
 * Returns each indicator's newest country-level figure. Breakdowns are omitted, since they could expose small groups.
 */
function distributionOf(version: DatasetVersion, country: string): Held[] {
  return version.tables.flatMap((table) =>
    table.indicators().flatMap((indicator) => {
      const query = { places: [country], ungrouped: true, newest: true, limit: 1 };
      const [newest] = table.observations(indicator.id, query);
      if (!newest || newest.value === null) return [];
      const facts = factsOf(table, indicator);
      const shown = { ...shownFigure(facts, indicator, newest), title: indicator.title };
      return [{ figure: shown, source: sourceOf(facts, indicator) }];
    }),
  );
}

/** Returns the figures of a concept for countries: the newest ones, or those of one period. */
function sizeIn(version: DatasetVersion, concept: string, countries: readonly string[], period: string | null) {
  return answer(version, {
    ...{ ...nothingElse, language: "en", concepts: [concept], countries: [...countries], lowestFirst: false },
    period: { from: period, to: period, change: false },
  });
}

const inOneUnit = ({ aggregates }: EuMarketDataOutput, countries: readonly string[]): boolean =>
  countries.every((country) => aggregates.some((one) => one.country === country && one.value !== null)) &&
  new Set(aggregates.map(({ unit }) => unit)).size === 1;

/** Returns comparable sizes: in one unit and of one period, if there are such figures for all of the countries. */
function sizesOf(version: DatasetVersion, countries: readonly string[]): EuMarketDataOutput[] {
  return sizeConcepts.map((concept) => {
    const newest = sizeIn(version, concept, countries, null);
    const [oldest = null, ...later] = [...new Set(newest.aggregates.map(({ period }) => period))].toSorted();
    if (later.length === 0 || !inOneUnit(newest, countries)) return newest;
    const together = sizeIn(version, concept, countries, oldest);
    return inOneUnit(together, countries) ? together : newest;
  });
}

const asFigure = (one: EuMarketDataOutput["aggregates"][number]): StructureFigure => {
  const { indicator, period, value, unit, source, reliability, flags } = one;
  return { title: titleOf(indicator, "en"), indicator, period, value, unit, source, reliability, flags };
};

function structureOf(sizes: readonly EuMarketDataOutput[], distribution: DatasetVersion, country: string) {
  const held = distributionOf(distribution, country);
  const [channels, sold] = [
    held.filter(({ figure }) => sellers.test(figure.title)),
    held.filter(({ figure }) => !sellers.test(figure.title)),
  ];
  const figures = [
    ...sizes
      .flatMap(({ aggregates }) => aggregates)
      .filter((one) => one.country === country && one.value !== null)
      .map(asFigure),
    ...sold.map((one) => one.figure),
  ];
  const missing = [
    ...(figures.length === 0 ? ["No dataset holds the size of this market."] : []),
    ...(channels.length === 0 ? ["No dataset holds who sells in this market."] : []),
  ];
  return {
    market: { country, size: figures, channels: channels.map(({ figure }) => figure), missing },
    sources: [...sizes.flatMap(({ sources }) => sources ?? []), ...held.map(({ source }) => source)],
  };
}

const written = (country: string): string => countryName(country, "en");

function summaryOf(scores: StructureInput["scores"], markets: StructureOutput["markets"]): string {
  const best = bestOf(scores);
  const order = scores.map(({ country, score }) => `${written(country)} ${score}`).join(", ");
  const gaps = markets.flatMap(({ country, missing }) => missing.map((said) => `${written(country)}: ${said}`));
  const verdict = scores.length === 1 ? "The only candidate, compared with no other," : "The best of the candidates";
  const first = best
    ? `${verdict} is ${written(best.country)}. Points of 100: ${order}.`
    : "There are no figures for any of the candidates, so none is the best.";
  return [first, ...gaps].join(" ");
}

/** The step `structure`: reports the size and channels of the best markets from the datasets. It estimates nothing. */
export const structureEngine = ({
  datasets,
}: {
  readonly datasets: Datasets;
}): Engine<StructureInput, StructureOutput> => ({
  identity: { name: "structure", version: "1.0.0", model: null },
  ready: () => null,
  async run({ scores }) {
    const eu = await datasets.current("eu-data");
    const distribution = await datasets.current("distribution");
    const compared = scores.slice(0, looked).map(({ country }) => country);
    const sizes = sizesOf(eu, compared);
    const found = compared.map((country) => structureOf(sizes, distribution, country));
    const markets = found.map(({ market }) => market);
    const sources = [...new Map(found.flatMap((one) => one.sources).map((one) => [JSON.stringify(one), one])).values()];
    return { result: { scores, markets, sources, summary: summaryOf(scores, markets) } };
  },
});
