import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { factsOf } from "../../datasets/figures.ts";
import type { AskedPeriod } from "../../datasets/question-period.ts";
import { figureLabel, type OtherSource } from "../../datasets/reliability.ts";
import sourcesText from "./sources.tsv" with { type: "text" };

/** One series per place, all by one publisher and in one unit, so that the figures may be compared. */
export interface Family {
  readonly concept: string;
  readonly table: DataTable;
  readonly indicator: Indicator;
  readonly facts: TableFacts;
}

interface Listed {
  readonly concept: string;
  readonly code: string;
  readonly dimensions: readonly string[];
  readonly unit: string;
}

const listed: readonly Listed[] = sourcesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([concept = "", code = "", dimensions = "-", unit = "-"]) => ({
    ...{ concept, code: code.toLowerCase(), unit },
    dimensions: dimensions === "-" ? [] : dimensions.split(","),
  }));

const isListed = ({ code, dimensions, unit }: Listed, indicator: Indicator): boolean =>
  indicator.code.toLowerCase() === code &&
  (unit === "-" || indicator.unit === unit) &&
  dimensions.every((one) => {
    const [name = "", value] = one.split("=");
    return indicator.dimensions[name] === value;
  });

/** A table's indicators by code, cached because a table never changes. */
const byCode = new WeakMap<DataTable, ReadonlyMap<string, readonly Indicator[]>>();
function codesOf(table: DataTable): ReadonlyMap<string, readonly Indicator[]> {
  const known = byCode.get(table) ?? Map.groupBy(table.indicators(), ({ code }) => code.toLowerCase());
  byCode.set(table, known);
  return known;
}

/** Returns all families of a concept, or of a table given by its code. */
export function familiesOf(version: DatasetVersion, concept: string): Family[] {
  const named = listed.filter((one) => one.concept === concept);
  const family = (table: DataTable, indicator: Indicator): Family => ({
    ...{ concept, table, indicator, facts: factsOf(table, indicator) },
  });
  return version.tables.flatMap((table) => {
    const codes = codesOf(table);
    const own = codes.get(concept.toLowerCase()) ?? [];
    const others = named.flatMap((one) => (codes.get(one.code) ?? []).filter((indicator) => isListed(one, indicator)));
    return [...new Set([...own, ...others])].map((indicator) => family(table, indicator));
  });
}

/** The figures of one country that answer: the newest of those requested, and the one that it is compared with. */
export interface Found {
  readonly family: Family;
  readonly country: string;
  readonly figure: Observation;
  readonly before: Observation | null;
}

const withValue = ({ value }: Observation): boolean => value !== null;

/** Returns the kind of a period: years are compared with years, quarters with quarters. */
const kindOf = (period: string): string => period.replace(/\d/g, "0");

/** Maximum number of figures of a place searched for one with a value. The newest may all be missing. */
const lookedThrough = 60;

/** Returns the figures of a year, the earliest first. */
function ofYear({ table, indicator }: Family, country: string, year: string): Observation[] {
  const query = { places: [country], from: year, to: `${year}\uffff`, ungrouped: true, limit: 400 };
  return table.observations(indicator.id, query).filter(withValue);
}

/** Returns whether a period is one year and not a span. */
export const isOneYear = ({ from, to }: AskedPeriod): boolean => from !== null && from === to;

/** Returns what a family has for a country and a period, or undefined for nothing. */
function foundIn(family: Family, country: string, period: AskedPeriod): Found | undefined {
  const { from, to, change, needsStart } = period;
  const newest = family.table.observations(family.indicator.id, {
    ...{ places: [country], ungrouped: true, newest: true, limit: lookedThrough },
    ...(!change && from !== null && { from }),
    ...(to !== null && { to: `${to}\uffff` }),
  });
  const figure = newest.find(withValue) ?? newest[0];
  if (!figure || (from !== null && figure.period < from)) return undefined;
  const isEarlier = (one: Observation) =>
    one.period < figure.period && withValue(one) && kindOf(one.period) === kindOf(figure.period);
  if (!change || from === null) return { family, country, figure, before: newest.find(isEarlier) ?? null };
  // The change in one year is measured from the year before; in a span, from its start or the first figure within.
  const before = isOneYear(period)
    ? newest.find((one) => isEarlier(one) && one.period < from)
    : (ofYear(family, country, from).find(isEarlier) ??
      (needsStart ? undefined : newest.findLast((one) => isEarlier(one) && one.period >= from)));
  return { family, country, figure, before: before ?? null };
}

const labelOrder = "ABCD";

/**
 * Returns for each country the figure of the family that answers best: one for as many countries as possible, then one
 * with the requested change, then the more reliable, then the newer. The remaining countries are looked up in the other
 * families; those without a figure are omitted.
 */
export function figuresFor(families: readonly Family[], countries: readonly string[], period: AskedPeriod): Found[] {
  const candidates = families.map((family) => {
    const found = countries.flatMap((country) => foundIn(family, country, period) ?? []);
    return { family, found: found.filter(({ figure }) => withValue(figure)) };
  });
  const compared = (found: readonly Found[]): number =>
    period.change ? found.filter(({ before }) => before !== null).length : 0;
  candidates.sort(
    (a, b) =>
      b.found.length - a.found.length ||
      compared(b.found) - compared(a.found) ||
      labelOrder.indexOf(a.family.facts.reliability) - labelOrder.indexOf(b.family.facts.reliability) ||
      b.family.indicator.last_period.localeCompare(a.family.indicator.last_period),
  );
  const chosen = new Map<string, Found>();
  for (const { found } of candidates)
    for (const one of found) if (!chosen.has(one.country)) chosen.set(one.country, one);
  return countries.flatMap((country) => chosen.get(country) ?? []);
}

/** Returns what other publishers give for the same country, period and unit. */
export function elsewherePublished(families: readonly Family[], { family, country, figure }: Found): OtherSource[] {
  const others = families.filter(
    ({ facts, indicator }) => facts.publisher !== family.facts.publisher && indicator.unit === family.indicator.unit,
  );
  const { period } = figure;
  return others.flatMap((other) => {
    const found = foundIn(other, country, { from: period, to: period, change: false })?.figure;
    if (!found || found.value === null || found.period !== period) return [];
    return [{ label: figureLabel(other.facts, found), value: found.value }];
  });
}

/** Returns what there is for a country in other periods, for when there is nothing in the requested one. */
export const elsewhere = (families: readonly Family[], country: string): Found | undefined =>
  figuresFor(families, [country], { from: null, to: null, change: false })[0];
