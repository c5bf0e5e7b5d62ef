import type { CountryAggregate } from "../capabilities/eu-market-data/schema.ts";
import { askedPlace } from "../datasets/places.ts";
import type { MarketScore } from "./schema.ts";

/** Compares candidate markets by four public indicators with fixed weights, which are shown with every score. */

interface Weighed {
  readonly indicator: string;
  /** Its name in the question and in the report. */
  readonly title: string;
  /** Points of the best candidate. */
  readonly weight: number;
  readonly better: "higher" | "lower";
}

/** Returns the best of the scored candidates; `undefined` if there are no figures for any. */
export const bestOf = (scores: readonly MarketScore[]): MarketScore | undefined =>
  scores.find(({ score }) => score > 0);

/** The points add up to 100. The weights are a choice: see `docs/engines.md`. */
export const weights: readonly Weighed[] = [
  { indicator: "population", title: "Population", weight: 25, better: "higher" },
  { indicator: "gdp_per_head", title: "GDP per head", weight: 25, better: "higher" },
  { indicator: "insurance_density", title: "Insurance density", weight: 35, better: "higher" },
  { indicator: "unemployment_rate", title: "Unemployment rate", weight: 15, better: "lower" },
];

/** The question of the market step, which names each of the indicators. */
export const marketQuestion = `${weights.map(({ title }) => title).join(", ")}`;

const tenth = (value: number): number => Math.round(value * 10) / 10;

const shareOf = (value: number, values: readonly number[], better: Weighed["better"]): number => {
  if (better === "higher") return value / Math.max(...values);
  return value === 0 ? 1 : Math.min(...values) / value;
};

/**
 * Scores the candidates, best first. An indicator's points are its weight times the value over the highest value among
 * the candidates, or the lowest value over the value if lower is better. A market without a figure in the common unit
 * gets no points for it, shown by a null value.
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
