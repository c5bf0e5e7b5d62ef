import type { DataTable, Indicator, Observation, ReliabilityLabel, TableFacts } from "../../../db/datasets.ts";
import { figureLabel } from "./reliability.ts";

/** A figure as shown in an answer. */
export interface ShownFigure {
  readonly indicator: string;
  readonly period: string;
  readonly value: number | null;
  readonly unit: string;
  readonly source: { readonly publisher: string; readonly code: string | null; readonly url: string | null };
  readonly reliability: ReliabilityLabel;
  readonly flags: string[];
}

/** Returns the facts of an indicator, which override its table's. */
export const factsOf = (table: DataTable, indicator: Indicator): TableFacts => ({ ...table.facts, ...indicator.facts });

/** Returns an observation with its unit, source and reliability label. */
export function shownFigure(facts: TableFacts, indicator: Indicator, observation: Observation): ShownFigure {
  const { publisher, code, url } = facts;
  const { period, value, missing, flags } = observation;
  return {
    ...{ indicator: indicator.code, period, value, unit: indicator.unit, source: { publisher, code, url } },
    reliability: figureLabel(facts, observation),
    flags: [...flags, ...(value === null && missing !== null && !flags.includes(missing) ? [missing] : [])],
  };
}

/** Returns a source as listed in answers. */
export const sourceOf = (facts: TableFacts, indicator: Indicator) => ({
  title: facts.code === null || facts.code === indicator.title ? indicator.title : `${indicator.title} (${facts.code})`,
  publisher: facts.publisher,
  period:
    indicator.first_period === indicator.last_period
      ? indicator.last_period
      : `${indicator.first_period} to ${indicator.last_period}`,
  licence: facts.licence,
  url: facts.url,
  reliability: facts.reliability,
});

/** Formats a number in full, with the language's digit grouping. */
export const written = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: "min2" }).format(value);
