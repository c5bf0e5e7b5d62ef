import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { EngineError } from "../../../contracts/engine.ts";
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
/** Rows of one figure at one period: a register has some thousand groups. */
const most = 20_000;

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

/** What tells a cell of the register from all others. */
const cellOf = ({ place, group }: Observation): string => JSON.stringify([place, group]);

const summed = (rows: readonly Observation[]): number | null =>
  rows.reduce<number | null>((sum, { value }) => (sum === null || value === null ? null : sum + value), 0);

interface Table {
  /** Null: nothing of it may be shown. */
  readonly withheld: ReadonlySet<string> | null;
}

/**
 * What must be withheld of a figure's groups at one period: decided by the counts of the groups, in the same way for every
 * figure. A group that was never counted is of unknown size, and without any counts nobody knows how small they are.
 */
function decided(all: readonly Held[], held: Held, cells: readonly Observation[], dimension: string): Table {
  const rows = countsAt(all, held, cells[0]?.period ?? "");
  const groups = Map.groupBy(rows, (row) => groupOf(row, dimension));
  const counts = new Map<string, number | null>([...groups].map(([group, own]) => [group, summed(own)]));
  const counted = new Set(rows.map(cellOf));
  const isCounted = cells.every((cell) => counted.has(cellOf(cell)));
  return { withheld: isCounted ? withheldGroups(counts) : null };
}

/** The rows of a figure at one period. Throws `dataset_too_fine` where there are more than can be added up at once. */
function rowsOf({ table, indicator }: Held, period: string): Observation[] {
  const rows = table.observations(indicator.id, { from: period, to: period, limit: most + 1 });
  if (rows.length > most)
    throw new EngineError("dataset_too_fine", "The dataset has too many groups of a period.", false);
  return rows.filter((row) => !isTotal(row));
}

/** How many are in each group at one period, by the same table: another one's groups may be others. */
function countsAt(all: readonly Held[], { table }: Held, period: string): Observation[] {
  const counts = all.find((one) => one.indicator.code === counting && one.table === table);
  return counts ? rowsOf(counts, period).filter(isGrouped) : [];
}

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
function isWholeSmall(all: readonly Held[], held: Held, period: string): boolean {
  const rows = countsAt(all, held, period);
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
  const rows = rowsOf(held, period);
  const whole = rows.filter((row) => !isGrouped(row)).map((row) => aggregate(held, row, null, false));
  const cells = rows.filter(isGrouped);
  const [first] = cells;
  if (!first) return whole;
  const { withheld } =
    dimension === null
      ? { withheld: isWholeSmall(all, held, period) ? null : new Set<string>() }
      : decided(all, held, cells, dimension);
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
