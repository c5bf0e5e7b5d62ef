import type { DatasetVersion } from "../../../../db/datasets.ts";
import { shownFigure, sourceOf } from "../../datasets/figures.ts";
import { besideOthers } from "../../datasets/reliability.ts";
import { chartOf } from "./chart.ts";
import {
  elsewhere,
  elsewherePublished,
  type Family,
  type Found,
  familiesOf,
  figuresFor,
  isOneYear,
} from "./families.ts";
import type { AskedQuestion } from "./question.ts";
import type { CountryAggregate, EuMarketDataOutput } from "./schema.ts";
import { summaryOf } from "./summary.ts";
import { type Topic, unitsOf } from "./titles.ts";

/** The answer for one concept. */
export interface ConceptAnswer {
  readonly concept: string;
  readonly aggregates: readonly CountryAggregate[];
  /** Figures missing for the requested period. They have no value. */
  readonly gaps: readonly CountryAggregate[];
  /** Countries without any figure of the concept. */
  readonly missing: readonly string[];
  /** Countries with figures for other periods than the requested one. */
  readonly otherPeriods: readonly string[];
  /** First and last years of the requested span without a figure, for countries that have one within it. */
  readonly noYears: readonly { readonly year: string; readonly country: string }[];
  /** Requested units, and the countries whose figure is in another one; empty for all of them. */
  readonly otherUnits: readonly { readonly unit: Topic; readonly countries: readonly string[] }[];
  readonly families: readonly Family[];
}

/** Rounds to twelve significant digits, which removes the errors of binary fractions from a difference. */
const tidy = (value: number): number => Number(value.toPrecision(12));

const isShare = (unit: string): boolean => unit.startsWith("%");

/** Returns a found figure with its change. Ranks are added once all figures are there. */
function aggregateOf(families: readonly Family[], found: Found): CountryAggregate {
  const { family, country, figure, before } = found;
  const shown = shownFigure(family.facts, family.indicator, figure);
  const value = figure.value ?? 0;
  const { label, disputed, corroborated } = besideOthers(
    { label: shown.reliability, value },
    elsewherePublished(families, found),
  );
  const then = before?.value ?? null;
  // A share that grows from 4 to 5 % has grown by one point: a growth in per cent would be misread.
  const growth = then === null || then <= 0 || isShare(shown.unit) ? null : tidy(((value - then) / then) * 100);
  return {
    ...{ ...shown, indicator: family.concept, country, rank: null, change: then === null ? null : tidy(value - then) },
    ...{
      growth_percent: growth === null ? null : Math.round(growth * 10) / 10,
      compared_period: before?.period ?? null,
    },
    reliability: label,
    ...(disputed && { disputed }),
    ...(corroborated && { corroborated }),
  };
}

const comparable = (a: CountryAggregate, b: CountryAggregate): boolean =>
  a.unit === b.unit && a.period === b.period && a.source.publisher === b.source.publisher;

/** Adds ranks among comparable figures: the same unit, period and publisher. The EU as a whole is not ranked. */
const ranked = (all: readonly CountryAggregate[]): CountryAggregate[] =>
  all.map((one) => {
    const others = all.filter((other) => comparable(one, other) && other.country !== "EU");
    const rank = 1 + others.filter((other) => (other.value ?? 0) > (one.value ?? 0)).length;
    return { ...one, rank: others.length > 1 && one.country !== "EU" ? rank : null };
  });

/** Returns the figure that a change is measured from as an aggregate, so that the summary can be checked. */
const startOf = (families: readonly Family[], found: Found): CountryAggregate[] =>
  found.before === null ? [] : [aggregateOf(families, { ...found, figure: found.before, before: null })];

/** Returns a missing figure for a period, in the unit and by the publisher of the figure that there is. */
function gapOf({ family, country, figure }: Found, period: string): CountryAggregate {
  const shown = shownFigure(family.facts, family.indicator, {
    ...figure,
    period,
    value: null,
    missing: ":",
    flags: "",
  });
  const none = { rank: null, change: null, growth_percent: null, compared_period: null };
  // A missing figure has no age, so the label is that of its series.
  return { ...shown, indicator: family.concept, country, ...none, reliability: family.facts.reliability };
}

/** Returns the first and the last year of a span if a country has no figure for them. */
function missingYears({ figure, before }: Found, period: AskedQuestion["period"]): string[] {
  const { from, to, change } = period;
  if (!change || from === null || isOneYear(period)) return [];
  const there = [before, figure].map((one) => one?.period.slice(0, 4));
  return [from, to].flatMap((year) => (year === null || there.includes(year) ? [] : [year]));
}

const isIn = ({ indicator }: Family, units: readonly Topic[]): boolean => {
  const own = unitsOf(indicator.unit);
  return units.every((unit) => own.includes(unit));
};

/** Returns figures in the requested units where there are any, and for the other countries whatever there is. */
function figuresInUnits(
  families: readonly Family[],
  countries: readonly string[],
  period: AskedQuestion["period"],
  units: readonly Topic[],
): Found[] {
  const asked = units.length === 0 ? families : families.filter((family) => isIn(family, units));
  const found = figuresFor(asked, countries, period);
  if (units.length === 0) return found;
  const there = new Set(found.map(({ country }) => country));
  const others = countries.filter((country) => !there.has(country));
  return [...found, ...figuresFor(families, others, period)];
}

/** Returns which figures are not in a requested unit. If none can be, as for a number of people, it was not meant. */
function otherUnitsOf(
  families: readonly Family[],
  found: readonly Found[],
  units: readonly Topic[],
): ConceptAnswer["otherUnits"] {
  if (!families.some(({ indicator }) => unitsOf(indicator.unit).length > 0)) return [];
  return units.flatMap((unit) => {
    const others = found.filter(({ family }) => !isIn(family, [unit]));
    const countries = others.length < found.length ? others.map(({ country }) => country) : [];
    return others.length > 0 ? [{ unit, countries }] : [];
  });
}

function answerFor(
  version: DatasetVersion,
  concept: string,
  { countries, period, lowestFirst, units }: AskedQuestion,
): ConceptAnswer {
  const families = familiesOf(version, concept);
  const found = figuresInUnits(families, countries, period, units).filter(
    ({ before }) => !period.needsStart || before !== null,
  );
  const sign = lowestFirst ? 1 : -1;
  const newest = ranked(found.map((one) => aggregateOf(families, one))).sort(
    (a, b) => sign * ((a.value ?? 0) - (b.value ?? 0)),
  );
  const there = new Set(found.map(({ country }) => country));
  const absent = countries.filter((country) => !there.has(country));
  const others = absent.flatMap((country) => elsewhere(families, country) ?? []);
  const otherPeriods = others.map(({ country }) => country);
  return {
    ...{ concept, otherPeriods, families: [...new Set(found.map(({ family }) => family))] },
    aggregates: [...newest, ...(period.change ? found.flatMap((one) => startOf(families, one)) : [])],
    gaps: [
      ...found.flatMap((one) => missingYears(one, period).map((year) => gapOf(one, year))),
      ...others.map((one) => gapOf(one, period.from ?? period.to ?? one.figure.period)),
    ],
    noYears: found.flatMap((one) => missingYears(one, period).map((year) => ({ year, country: one.country }))),
    otherUnits: otherUnitsOf(families, found, units),
    missing: absent.filter((country) => !otherPeriods.includes(country)),
  };
}

/** Answers a question from one version of the data: figures, and a summary that uses no others. */
export function answer(version: DatasetVersion, asked: AskedQuestion): EuMarketDataOutput {
  const answers = asked.concepts.map((concept) => answerFor(version, concept, asked));
  const aggregates = answers.flatMap((one) => one.aggregates);
  const sources = [...new Set(answers.flatMap(({ families }) => families))].map(({ facts, indicator }) =>
    sourceOf(facts, indicator),
  );
  const chart = chartOf(answers, asked.language);
  return {
    summary: summaryOf(asked, answers),
    aggregates: [...aggregates, ...answers.flatMap(({ gaps }) => gaps)],
    sources,
    ...(chart !== undefined && { document: { media_type: "image/svg+xml", content: chart } }),
  };
}
