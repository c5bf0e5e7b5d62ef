import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { factsOf, shownFigure } from "../../datasets/figures.ts";
import type { GroupAggregate } from "./schema.ts";
import { smallestGroup, withheldGroups } from "./suppression.ts";

/** What a dataset has of one indicator. */
export interface Held {
  readonly table: DataTable;
  readonly indicator: Indicator;
  readonly facts: TableFacts;
}

/** The indicator that says how many are in a group. */
const counting = "intermediaries";
const most = 100_000;

/** The indicators of a dataset, by its own name or that of its table. */
export const heldIn = (version: DatasetVersion, dataset: string): Held[] =>
  version.tables.flatMap((table) =>
    table
      .indicators()
      .filter(({ dimensions }) => (dimensions.dataset ?? table.facts.name).toLowerCase() === dataset.toLowerCase())
      .map((indicator) => ({ table, indicator, facts: factsOf(table, indicator) })),
  );

/** The names that can be asked for. */
export const datasetNames = (version: DatasetVersion): string[] => [
  ...new Set(
    version.tables.flatMap((table) =>
      table.indicators().map(({ dimensions }) => dimensions.dataset ?? table.facts.name),
    ),
  ),
];

/** A row of a register that sums up others: adding it would count them twice. */
const isTotal = ({ group }: Observation): boolean =>
  Object.values(group).some((name) => /^(total|all|celkem|spolu|insgesamt)$/i.test(name));

const isGrouped = ({ group }: Observation): boolean => Object.keys(group).length > 0;

const groupOf = (row: Observation, dimension: string): string =>
  (dimension === "region" ? row.place : row.group[dimension]) || "not stated";

const summed = (rows: readonly Observation[]): number | null =>
  rows.reduce<number | null>((sum, { value }) => (sum === null || value === null ? null : sum + value), 0);

interface Table {
  /** Null: nothing of it may be shown. */
  readonly withheld: ReadonlySet<string> | null;
}

/** What must be withheld of a dataset's groups at one period: decided once by its counts, for all of its figures. */
function decided(all: readonly Held[], period: string, dimension: string): Table {
  const counts = all.find(({ indicator }) => indicator.code === counting);
  const rows = counts ? rowsOf(counts).filter((row) => row.period === period && isGrouped(row)) : [];
  // Without counts nobody knows how small a group is.
  if (rows.length === 0) return { withheld: null };
  const groups = Map.groupBy(rows, (row) => groupOf(row, dimension));
  return { withheld: withheldGroups(new Map([...groups].map(([group, own]) => [group, summed(own)]))) };
}

const rowsOf = ({ table, indicator }: Held): Observation[] =>
  table.observations(indicator.id, { limit: most }).filter((row) => !isTotal(row));

/** One figure, with or without a value. */
function aggregate(
  { facts, indicator }: Held,
  row: Observation,
  group: string | null,
  suppressed: boolean,
): GroupAggregate {
  const shown = shownFigure(facts, indicator, row);
  return { ...shown, group, suppressed, ...(suppressed && { value: null, flags: ["c"] }) };
}

/** Whether the whole is a group that is too small itself, or one of unknown size. */
function isWholeSmall(all: readonly Held[], period: string): boolean {
  const counts = all.find(({ indicator }) => indicator.code === counting);
  const rows = counts ? rowsOf(counts).filter((row) => row.period === period && isGrouped(row)) : [];
  const total = summed(rows);
  return rows.length === 0 || total === null || (total > 0 && total < smallestGroup);
}

/**
 * The figures of one indicator at one period: the whole, and its groups where a dimension is asked for. What the dataset
 * itself gives for a whole country is shown as it is; sums over groups obey the groups' suppression.
 */
export function figuresAt(
  all: readonly Held[],
  held: Held,
  period: string,
  dimension: string | null,
): GroupAggregate[] {
  const rows = rowsOf(held).filter((row) => row.period === period);
  const whole = rows.filter((row) => !isGrouped(row)).map((row) => aggregate(held, row, null, false));
  const cells = rows.filter(isGrouped);
  const [first] = cells;
  if (!first) return whole;
  const { withheld } =
    dimension === null
      ? { withheld: isWholeSmall(all, period) ? null : new Set<string>() }
      : decided(all, period, dimension);
  const as = (own: readonly Observation[], group: string | null, suppressed: boolean) =>
    aggregate(
      held,
      { ...first, value: summed(own), flags: "", missing: summed(own) === null ? ":" : null },
      group,
      suppressed,
    );
  const total = as(cells, null, withheld === null);
  if (dimension === null || withheld === null) return [...whole, total];
  const groups = [...Map.groupBy(cells, (row) => groupOf(row, dimension))].sort(([a], [b]) => a.localeCompare(b));
  return [...whole, total, ...groups.map(([group, own]) => as(own, group, withheld.has(group)))];
}

/** The periods that an indicator has figures for, the earliest first. */
export const periodsOf = (held: Held): string[] => [...new Set(rowsOf(held).map(({ period }) => period))].sort();
