import type { DatasetVersion, DataTable, Indicator, Observation, TableFacts } from "../../../../db/datasets.ts";
import { EngineError } from "../../../contracts/engine.ts";
import { factsOf, shownFigure } from "../../datasets/figures.ts";
import { wordsOf } from "../../datasets/phrases.ts";
import { askedPlace, isWholePlace } from "../../datasets/places.ts";
import type { GroupAggregate } from "./schema.ts";
import { smallestGroup, withheldGroups } from "./suppression.ts";

/** One indicator of a dataset. */
export interface Held {
  readonly table: DataTable;
  readonly indicator: Indicator;
  readonly facts: TableFacts;
}

/** The indicator that counts the members of a group. */
export const counting = "intermediaries";
/** Indicators that count people. A group is small if any of them is, because the others would reveal that one. */
const people = new Set([counting, "tied_agents", "agents", "brokers", "advisers"]);
/** Maximum rows of one figure at one period. A register has some thousand groups. */
const most = 20_000;

/** Returns the indicators of a dataset, by its own name or that of its table. */
export const heldIn = (version: DatasetVersion, dataset: string): Held[] =>
  version.tables.flatMap((table) =>
    table
      .indicators()
      .filter(({ dimensions }) => (dimensions.dataset ?? table.facts.name).toLowerCase() === dataset.toLowerCase())
      .map((indicator) => ({ table, indicator, facts: factsOf(table, indicator) })),
  );

/** Returns the names of the datasets that can be asked for. */
export const datasetNames = (version: DatasetVersion): string[] => [
  ...new Set(
    version.tables.flatMap((table) =>
      table.indicators().map(({ dimensions }) => dimensions.dataset ?? table.facts.name),
    ),
  ),
];

/** Returns whether a row of a register sums up others, so that adding it would count them twice. */
const isTotal = ({ place, group }: Observation): boolean =>
  [place, ...Object.values(group)].some((name) => /^(total|all|celkem|spolu|insgesamt)$/i.test(name));

/** Returns whether a row is about a group. A part of a country is one, whether or not its file divides it further. */
const isGrouped = ({ place, group }: Observation): boolean => Object.keys(group).length > 0 || !isWholePlace(place);

const groupOf = (row: Observation, dimension: string): string =>
  (dimension === "region" ? row.place : row.group[dimension]) || "not stated";

/** Returns the key that identifies a cell of the register. */
const cellOf = ({ place, group }: Pick<Observation, "place" | "group">): string => JSON.stringify([place, group]);

const summed = (rows: readonly Observation[]): number | null =>
  rows.reduce<number | null>((sum, { value }) => (sum === null || value === null ? null : sum + value), 0);

interface Table {
  /** Null if nothing of the table may be shown. */
  readonly withheld: ReadonlySet<string> | null;
}

/** Returns whether a count is above zero and too small to be shown. */
const isFew = (count: number | null): boolean => count !== null && count > 0 && count < smallestGroup;

const groupSums = (rows: readonly Observation[], dimension: string): Map<string, number | null> =>
  new Map([...Map.groupBy(rows, (row) => groupOf(row, dimension))].map(([group, own]) => [group, summed(own)]));

/**
 * Decides what to withhold of a figure's groups at one period, by the smallest count of each group, in the same way for
 * every figure. A group that was never counted is of unknown size, and without any counts all groups are.
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

/** Returns the rows of a figure at one period. Throws `dataset_too_fine` if there are too many to be added up. */
function rowsOf({ table, indicator }: Held, period: string): Observation[] {
  const rows = table.observations(indicator.id, { from: period, to: period, limit: most + 1 });
  if (rows.length > most)
    throw new EngineError("dataset_too_fine", "The dataset has too many groups in one period.", false);
  return rows.filter((row) => !isTotal(row));
}

/** Matches a code of the NUTS nomenclature. The prefix of a code is that of the region that contains it. */
const nuts = /^[A-Z]{2}[A-Z0-9]{1,3}$/;

/** Returns the cells that would contain a cell, if they existed. */
const sumsOver = ({ place, group }: Observation): string[] =>
  nuts.test(place)
    ? [2, 3, 4]
        .filter((length) => length < place.length)
        .map((length) => cellOf({ place: place.slice(0, length), group }))
    : [];

/** Returns the groups among the rows, without cells that are the sum of others and would be counted twice. */
function cellsOf(rows: readonly Observation[]): Observation[] {
  const cells = rows.filter(isGrouped);
  const sums = new Set(cells.flatMap(sumsOver));
  return cells.filter((cell) => !sums.has(cellOf(cell)));
}

/** Returns the counts that decide for a figure: its own if it counts people, otherwise those of its table. */
const decider = (all: readonly Held[], held: Held): Held | undefined =>
  people.has(held.indicator.code)
    ? held
    : all.find(({ table, indicator }) => table === held.table && indicator.code === counting);

/** Returns the groups at a period as a question may name them: lines of a dimension and a folded name. */
export function groupLines(held: Held, period: string): string[] {
  const lines = cellsOf(rowsOf(held, period)).flatMap(({ place, group }) => [
    ...(isWholePlace(place) ? [] : [["region", place] as const]),
    ...Object.entries(group),
  ]);
  const named = lines.map(([dimension, name]) => [dimension, wordsOf(name).join(" ")] as const);
  return [...new Set(named.flatMap(([dimension, name]) => (name.length > 1 ? [`${dimension}\t${name}`] : [])))];
}

/** Returns whether there are groups of a dimension at a period. */
export const hasGroups = (held: Held, period: string, dimension: string): boolean =>
  cellsOf(rowsOf(held, period)).some((row) =>
    dimension === "region" ? !isWholePlace(row.place) : Boolean(row.group[dimension]),
  );

/** Returns the country of a place: itself, or the one whose code the code of a region begins with. */
const countryOf = (place: string): string =>
  isWholePlace(place) || !nuts.test(place) ? place : askedPlace(place.slice(0, 2));

/** Returns the places that a figure covers: whole countries, and parts of them by their codes or names. */
export function placesOf(held: Held): { readonly countries: ReadonlySet<string>; readonly parts: readonly string[] } {
  const rows = rowsOf(held, held.indicator.last_period);
  const wholes = rows.filter((row) => !isGrouped(row)).map(({ place }) => place);
  const cells = new Set(cellsOf(rows).map(({ place }) => place));
  // The sum over all groups is that of a country if all of them are in it.
  const summedUp = [...new Set([...cells].map(countryOf))];
  return {
    countries: new Set([...wholes, ...(summedUp.length === 1 ? summedUp.filter(isWholePlace) : [])]),
    parts: [...cells].filter((place) => !isWholePlace(place)),
  };
}

/** Returns the count of each cell at one period. */
function countsOf(all: readonly Held[], held: Held, period: string): Observation[] {
  const counts = decider(all, held);
  return counts ? cellsOf(rowsOf(counts, period)) : [];
}

/** Returns the countries for which the dataset itself counts too few. */
function smallWholes(all: readonly Held[], held: Held, period: string): ReadonlySet<string> {
  const counts = decider(all, held);
  const wholes = counts ? rowsOf(counts, period).filter((row) => !isGrouped(row)) : [];
  return new Set(wholes.filter(({ value }) => isFew(value)).map(({ place }) => place));
}

/** Returns one figure, with or without a value. */
function aggregate(
  { facts, indicator }: Held,
  row: Observation,
  group: string | null,
  suppressed: boolean,
): GroupAggregate {
  const shown = shownFigure(facts, indicator, row);
  return { ...shown, group, suppressed, ...(suppressed && { value: null, flags: ["c"] }) };
}

/** Returns whether the total is itself a group that is too small, or of unknown size. */
function isWholeSmall(all: readonly Held[], held: Held, period: string): boolean {
  const rows = countsOf(all, held, period);
  const total = summed(rows);
  return rows.length === 0 || total === null || isFew(total);
}

/**
 * Returns the figures of one indicator at one period: the total, and its groups if a dimension is given. What the
 * dataset itself gives for a whole country is shown as it is, unless it counts too few; sums over groups obey the
 * groups' suppression. If countries are given, others are left out, and so are sums over the groups of several
 * countries.
 */
export function figuresAt(
  all: readonly Held[],
  held: Held,
  period: string,
  { dimension, countries }: { readonly dimension: string | null; readonly countries: ReadonlySet<string> },
): GroupAggregate[] {
  const rows = rowsOf(held, period);
  const few = smallWholes(all, held, period);
  const isAsked = (place: string): boolean => countries.size === 0 || countries.has(countryOf(place));
  const wholes = rows.filter((row) => !isGrouped(row));
  const isOne = new Set(wholes.map(({ place }) => place)).size < 2;
  const whole = wholes
    .filter(({ place }) => isAsked(place))
    .map((row) => aggregate(held, row, isOne ? null : row.place, few.has(row.place)));
  const cells = cellsOf(rows);
  const [first] = cells;
  if (!first || !cells.every(({ place }) => isAsked(place))) return whole;
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
