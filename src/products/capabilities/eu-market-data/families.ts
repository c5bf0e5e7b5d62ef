import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { factsOf } from "../../datasets/figures.ts";
import type { AskedPeriod } from "../../datasets/question-period.ts";
import sourcesText from "./sources.tsv" with { type: "text" };

/** One series for each place, all by one publisher in one unit: figures that may be compared. */
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

/** All families of a concept, or of a table by its code. */
export function familiesOf(version: DatasetVersion, concept: string): Family[] {
  const named = listed.filter((one) => one.concept === concept);
  return version.tables.flatMap((table) =>
    table
      .indicators()
      .filter(
        (indicator) =>
          indicator.code.toLowerCase() === concept.toLowerCase() || named.some((one) => isListed(one, indicator)),
      )
      .map((indicator) => ({ concept, table, indicator, facts: factsOf(table, indicator) })),
  );
}

/** The figures of one country that answer: the newest of those asked for, and the one that it is compared with. */
export interface Found {
  readonly family: Family;
  readonly country: string;
  readonly figure: Observation;
  readonly before: Observation | null;
}

const withValue = ({ value }: Observation): boolean => value !== null;

/** The kind of a period: years are compared with years, quarters with quarters. */
const kindOf = (period: string): string => period.replace(/\d/g, "0");

/** What a family has of a country for the period; undefined: nothing at all. */
function foundIn(family: Family, country: string, all: readonly Observation[], period: AskedPeriod): Found | undefined {
  const own = all.filter((one) => one.place === country && Object.keys(one.group).length === 0);
  const until = own.filter((one) => period.to === null || one.period.slice(0, 4) <= period.to);
  const asked =
    period.change || period.from === null ? until : until.filter((one) => one.period.startsWith(period.from ?? ""));
  const figure = asked.findLast(withValue) ?? asked.at(-1);
  if (!figure) return undefined;
  const earlier = own.filter(
    (one) => one.period < figure.period && withValue(one) && kindOf(one.period) === kindOf(figure.period),
  );
  const before =
    period.change && period.from !== null
      ? earlier.find((one) => one.period.startsWith(period.from ?? ""))
      : earlier.at(-1);
  return { family, country, figure, before: before ?? null };
}

const labelOrder = "ABCD";

/**
 * For each country the family that answers best: one for as many countries as possible, then the more reliable, then the
 * newer; what is left is looked for in the others. Countries without a figure are missing from the answer.
 */
export function figuresFor(families: readonly Family[], countries: readonly string[], period: AskedPeriod): Found[] {
  const candidates = families.map((family) => {
    const all = family.table.observations(family.indicator.id, { places: countries });
    const found = countries.flatMap((country) => foundIn(family, country, all, period) ?? []);
    return { family, found: found.filter(({ figure }) => withValue(figure)) };
  });
  candidates.sort(
    (a, b) =>
      b.found.length - a.found.length ||
      labelOrder.indexOf(a.family.facts.reliability) - labelOrder.indexOf(b.family.facts.reliability) ||
      b.family.indicator.last_period.localeCompare(a.family.indicator.last_period),
  );
  const chosen = new Map<string, Found>();
  for (const { found } of candidates)
    for (const one of found) if (!chosen.has(one.country)) chosen.set(one.country, one);
  return countries.flatMap((country) => chosen.get(country) ?? []);
}

/** What there is of a country in other periods, where there is nothing for the one that is asked for. */
export const elsewhere = (families: readonly Family[], country: string): Found | undefined =>
  figuresFor(families, [country], { from: null, to: null, change: false })[0];
