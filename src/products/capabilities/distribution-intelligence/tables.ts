import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { EngineError } from "../../../contracts/engine.ts";
import { factsOf, shownFigure } from "../../datasets/figures.ts";
import { wordsOf } from "../../datasets/phrases.ts";
import { isWholePlace } from "../../datasets/places.ts";
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
/** All that count people: a group is small where any of them is, or the others would give that one away. */
const people = new Set([counting, "tied_agents", "agents", "brokers", "advisers"]);
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
const isTotal = ({ place, group }: Observation): boolean =>
  [place, ...Object.values(group)].some((name) => /^(total|all|celkem|spolu|insgesamt)$/i.test(name));

/** A row about a part of a country is one of its groups, whether or not its file divides that part any further. */
const isGrouped = ({ place, group }: Observation): boolean => Object.keys(group).length > 0 || !isWholePlace(place);

const groupOf = (row: Observation, dimension: string): string =>
  (dimension === "region" ? row.place : row.group[dimension]) || "not stated";

/** What tells a cell of the register from all others. */
const cellOf = ({ place, group }: Pick<Observation, "place" | "group">): string => JSON.stringify([place, group]);

const summed = (rows: readonly Observation[]): number | null =>
  rows.reduce<number | null>((sum, { value }) => (sum === null || value === null ? null : sum + value), 0);

interface Table {
  /** Null: nothing of it may be shown. */
  readonly withheld: ReadonlySet<string> | null;
}

/** Whether it is a count of some, and of too few. */
const isFew = (count: number | null): boolean => count !== null && count > 0 && count < smallestGroup;

const groupSums = (rows: readonly Observation[], dimension: string): Map<string, number | null> =>
  new Map([...Map.groupBy(rows, (row) => groupOf(row, dimension))].map(([group, own]) => [group, summed(own)]));

/**
 * What must be withheld of a figure's groups at one period: decided by the smallest count of each group, in the same way
 * for every figure. A group that was never counted is of unknown size, and without any counts nobody knows how small they
 * are.
 */
function decided(all: readonly Held[], held: Held, cells: readonly Observation[], dimension: string): Table {
  const period = cells[0]?.period ?? "";
  const rows = countsOf(all, held, period);
  const counted = new Set(rows.map(cellOf));
  if (!cells.every((cell) => counted.has(cellOf(cell)))) return { withheld: null };
  const smallest = groupSums(rows, dimension);
  for (const other of all.filter((one) => one.table === held.table && people.has(one.indicator.code)))
    for (const [group, count] of groupSums(cellsOf(rowsOf(other, period)), dimension)) {
      const known = smallest.get(group) ?? 0;
      if (count && smallest.get(group) !== null) smallest.set(group, known === 0 ? count : Math.min(known, count));
    }
  return { withheld: withheldGroups(smallest) };
}

/** The rows of a figure at one period. Throws `dataset_too_fine` where there are more than can be added up at once. */
function rowsOf({ table, indicator }: Held, period: string): Observation[] {
  const rows = table.observations(indicator.id, { from: period, to: period, limit: most + 1 });
  if (rows.length > most)
    throw new EngineError("dataset_too_fine", "The dataset has too many groups of a period.", false);
  return rows.filter((row) => !isTotal(row));
}

/** A code of the nomenclature of regions: the beginning of it is that of a region it is a part of. */
const nuts = /^[A-Z]{2}[A-Z0-9]{1,3}$/;

/** The cells that a cell would be a part of, if they were there. */
const sumsOver = ({ place, group }: Observation): string[] =>
  nuts.test(place)
    ? [2, 3, 4]
        .filter((length) => length < place.length)
        .map((length) => cellOf({ place: place.slice(0, length), group }))
    : [];

/** The groups among the rows. A cell that is the sum of other cells would be counted twice. */
function cellsOf(rows: readonly Observation[]): Observation[] {
  const cells = rows.filter(isGrouped);
  const sums = new Set(cells.flatMap(sumsOver));
  return cells.filter((cell) => !sums.has(cellOf(cell)));
}

/** The counts that decide for a figure: its own, where it counts people; else those of its table, as another's groups may be others. */
const decider = (all: readonly Held[], held: Held): Held | undefined =>
  people.has(held.indicator.code)
    ? held
    : all.find(({ table, indicator }) => table === held.table && indicator.code === counting);

/** The dimension that one of its groups at a period names, among the words of a question; null where none does. */
export function dimensionNaming(held: Held, period: string, words: readonly string[]): string | null {
  const question = ` ${words.join(" ")} `;
  const isNamed = (group: string): boolean => {
    const name = wordsOf(group).join(" ");
    return name.length > 1 && question.includes(` ${name} `);
  };
  for (const { place, group } of cellsOf(rowsOf(held, period))) {
    if (isNamed(place) && !isWholePlace(place)) return "region";
    const named = Object.keys(group).find((dimension) => isNamed(group[dimension] ?? ""));
    if (named !== undefined) return named;
  }
  return null;
}

/** How many are in each cell at one period. */
function countsOf(all: readonly Held[], held: Held, period: string): Observation[] {
  const counts = decider(all, held);
  return counts ? cellsOf(rowsOf(counts, period)) : [];
}

/** The countries of which the dataset itself counts too few. */
function smallWholes(all: readonly Held[], held: Held, period: string): ReadonlySet<string> {
  const counts = decider(all, held);
  const wholes = counts ? rowsOf(counts, period).filter((row) => !isGrouped(row)) : [];
  return new Set(wholes.filter(({ value }) => isFew(value)).map(({ place }) => place));
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
  const rows = countsOf(all, held, period);
  const total = summed(rows);
  return rows.length === 0 || total === null || isFew(total);
}

/**
 * The figures of one indicator at one period: the whole, and its groups where a dimension is asked for. What the dataset
 * itself gives for a whole country is shown as it is, unless it counts too few; sums over groups obey the groups'
 * suppression.
 */
export function figuresAt(
  all: readonly Held[],
  held: Held,
  period: string,
  dimension: string | null,
): GroupAggregate[] {
  const rows = rowsOf(held, period);
  const few = smallWholes(all, held, period);
  const whole = rows.filter((row) => !isGrouped(row)).map((row) => aggregate(held, row, null, few.has(row.place)));
  const cells = cellsOf(rows);
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
