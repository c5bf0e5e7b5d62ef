import type { Datasets, DatasetVersion, DataTable, Indicator, ReliabilityLabel } from "../../../../db/datasets.ts";
import { factsOf, type ShownFigure, shownFigure, sourceOf, written } from "../../datasets/figures.ts";
import { lowered } from "../../datasets/reliability.ts";
import { caveatsOf, germanyDataset, rowsOf, type TableName, tableOf } from "../../germany/holdings.ts";
import type { GermanyMarketIntelligenceOutput } from "./schema.ts";

/** The German market's public figures, and how much of it is held: aggregates only, without names. */

/** Maximum number of periods. A daily series of a decade has fewer. */
const mostPeriods = 5_000;
const registers = ["de_register", "de_premiums"];

type Titled = ShownFigure & { readonly title: string };

interface Measured {
  readonly title: string;
  readonly indicator: Indicator;
  readonly table: DataTable;
  /** The earliest and the latest figure, or the only one. */
  readonly figures: readonly Titled[];
}

/** Returns what a dataset has about the country as a whole. */
function measured(version: DatasetVersion, wanted: (indicator: Indicator) => boolean): Measured[] {
  return version.tables.flatMap((table) =>
    table.indicators().flatMap((indicator) => {
      if (!wanted(indicator)) return [];
      const all = table.observations(indicator.id, { places: ["DE"], limit: mostPeriods });
      const whole = all.filter(({ group, value }) => Object.keys(group).length === 0 && value !== null);
      const [first, last] = [whole[0], whole.at(-1)];
      if (!first || !last) return [];
      const facts = factsOf(table, indicator);
      const { title } = indicator;
      const figures = (first === last ? [last] : [first, last]).map((one) => ({
        ...shownFigure(facts, indicator, one),
        title,
      }));
      return [{ title, indicator, table, figures }];
    }),
  );
}

const rank = (label: ReliabilityLabel): number => "ABCD".indexOf(label);

/** Returns the change between the two figures. It is computed, so its label is a step below the weaker of theirs. */
function changeOf({ figures, indicator, title }: Measured): Titled[] {
  const [first, last] = figures;
  if (!first?.value || !last?.value) return [];
  const weaker = rank(first.reliability) > rank(last.reliability) ? first : last;
  return [
    {
      ...{ indicator: `${indicator.code}_change`, unit: "%", period: `${first.period} to ${last.period}`, flags: [] },
      title: `${title}, change`,
      value: Math.round((last.value / first.value - 1) * 1_000) / 10,
      source: { publisher: "Assay (computed)", code: null, url: first.source.url },
      reliability: lowered(weaker.reliability),
    },
  ];
}

const held = {
  universe: { indicator: "universe_rows", title: "Imported rows of the universe" },
  profiles: { indicator: "researched_profiles", title: "Researched profiles" },
} as const;

/** Returns how many rows a table holds: of what was imported, not of the market. */
function heldFigure(version: DatasetVersion, name: TableName): Titled[] {
  const table = tableOf(version, name);
  if (!table) return [];
  const { publisher, code, url, retrieved, reliability } = table.facts;
  return [
    {
      ...{ ...held[name], value: rowsOf(version, name), unit: "rows", period: retrieved, flags: [] },
      ...{ source: { publisher, code, url }, reliability },
    },
  ];
}

const told = ({ title, figures }: Measured): string =>
  `${title}: ${figures
    .toReversed()
    .map(
      ({ value, unit, period, reliability }, at) =>
        `${at > 0 ? "before " : ""}${written(value ?? 0, "en")}${unit === "number" ? "" : ` ${unit}`} (${period}, reliability ${reliability})`,
    )
    .join(", ")}.`;

const heldWords = ({ indicator, value, source, reliability }: ShownFigure): string =>
  indicator === held.universe.indicator
    ? `The imported universe has ${written(value ?? 0, "en")} rows of ${source.publisher} (reliability ${reliability}), for discovery alone.`
    : `${written(value ?? 0, "en")} profiles are researched (reliability ${reliability}).`;

function made(germany: DatasetVersion, distribution: DatasetVersion, eu: DatasetVersion) {
  const register = measured(distribution, ({ dimensions }) => registers.includes(dimensions.dataset ?? ""));
  const insurance = measured(eu, ({ code, dimensions }) => code.startsWith("insurance_") && dimensions.origin !== "eu");
  const all = [...register, ...insurance];
  const changes = register.filter(({ indicator }) => indicator.dimensions.dataset === "de_register").flatMap(changeOf);
  const ours = [...heldFigure(germany, "universe"), ...heldFigure(germany, "profiles")];
  const empty =
    ours.length === 0 ? ["No rows or profiles of the German market have been imported."] : ours.map(heldWords);
  return {
    summary: [...register.map(told), ...empty].join(" "),
    data: {
      metrics: [...all.flatMap(({ figures }) => figures), ...changes, ...ours],
      caveats: [
        ...caveatsOf(germany),
        "Figures are of different periods; each carries its own.",
        "Nothing here is about a named firm.",
      ],
    },
    sources: all.map(({ table, indicator }) => sourceOf(factsOf(table, indicator), indicator)),
  };
}

/** Returns a function that returns the overview, computed once for the current versions of the data. */
export function createGermanyMetrics(datasets: Datasets): () => Promise<GermanyMarketIntelligenceOutput> {
  let known: { readonly of: readonly DatasetVersion[]; readonly overview: GermanyMarketIntelligenceOutput } | undefined;
  return async () => {
    const [germany, distribution, eu] = [
      await datasets.current(germanyDataset),
      await datasets.current("distribution"),
      await datasets.current("eu-data"),
    ];
    const of = [germany, distribution, eu];
    if (!known?.of.every((version, at) => version === of[at]))
      known = { of, overview: made(germany, distribution, eu) };
    return known.overview;
  };
}
