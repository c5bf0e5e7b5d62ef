import type { CountryAggregate } from "../capabilities/eu-market-data/schema.ts";
import { askedPlace } from "../datasets/places.ts";
import type { MarketScore } from "./schema.ts";

/** How candidate markets are compared: four public indicators with fixed weights, which every score is shown with. */

interface Weighed {
  readonly indicator: string;
  /** What it is called in the question and in the report. */
  readonly title: string;
  /** Points that the best candidate gets. */
  readonly weight: number;
  readonly better: "higher" | "lower";
}

/** The best of the scored candidates; undefined where no figure is held of any. */
export const bestOf = (scores: readonly MarketScore[]): MarketScore | undefined =>
  scores.find(({ score }) => score > 0);

/** The points add up to 100. The weights are a choice: see `docs/engines.md`. */
export const weights: readonly Weighed[] = [
  { indicator: "population", title: "Population", weight: 25, better: "higher" },
  { indicator: "gdp_per_head", title: "GDP per head", weight: 25, better: "higher" },
  { indicator: "insurance_density", title: "Insurance density", weight: 35, better: "higher" },
  { indicator: "unemployment_rate", title: "Unemployment rate", weight: 15, better: "lower" },
];

/** What the market step asks, in words that name each of the indicators. */
export const marketQuestion = `${weights.map(({ title }) => title).join(", ")}`;

const tenth = (value: number): number => Math.round(value * 10) / 10;

const shareOf = (value: number, values: readonly number[], better: Weighed["better"]): number => {
  if (better === "higher") return value / Math.max(...values);
  return value === 0 ? 1 : Math.min(...values) / value;
};

/**
 * The candidates, the best first. Points of an indicator: its weight times the value over the highest value among the
 * candidates, or the lowest value over the value where lower is better. A market without a figure in the unit of the
 * others gets no points for it, and the part says so by its null value.
 */
export function scoreMarkets(aggregates: readonly CountryAggregate[], candidates: readonly string[]): MarketScore[] {
  const countries = [...new Set(candidates.map(askedPlace))];
  const scored = countries.map((country) => {
    const parts = weights.map(({ indicator, title, weight, better }) => {
      const all = aggregates.filter((one) => one.indicator === indicator && one.value !== null && one.value >= 0);
      const comparable = all.filter(({ unit }) => unit === all[0]?.unit);
      const own = comparable.find((one) => one.country === country);
      const value = own?.value ?? null;
      const values = comparable.flatMap((one) => one.value ?? []);
      const points = value === null || Math.max(...values) === 0 ? 0 : weight * shareOf(value, values, better);
      const shown = { indicator, title, value, unit: own?.unit ?? "", period: own?.period ?? "" };
      return { ...shown, reliability: own?.reliability ?? null, weight, points: tenth(points) };
    });
    return { country, score: tenth(parts.reduce((sum, { points }) => sum + points, 0)), parts };
  });
  return scored.sort((a, b) => b.score - a.score || a.country.localeCompare(b.country));
}
