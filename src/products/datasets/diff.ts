import type { DataTable, Entity, Indicator, Observation } from "../../../db/datasets.ts";

/** A table of a version. */
interface Held {
  readonly id: string;
  readonly name: string;
}

/** Numbers of items only in the later version, only in the earlier one, and in both but different. */
export interface Counted {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/**
 * The change of a table between two versions. `figures` is null if only one version has the table, and for tables of
 * entities, whose `rows` are counted instead.
 */
export interface TableChange {
  readonly name: string;
  readonly change: "added" | "removed" | "replaced";
  readonly figures: Counted | null;
  readonly rows?: Counted;
}

const keyOf = ({ code, unit, dimensions }: Indicator): string => JSON.stringify([code, unit, dimensions]);
const placeOf = ({ place, period, group }: Observation): string => JSON.stringify([place, period, group]);
const saidOf = ({ value, missing, flags }: Observation): string => JSON.stringify([value, missing, flags]);

/** Returns the figures of one indicator at a time, so that large tables need little memory. */
function figuresOf(table: DataTable, indicator: Indicator | undefined): Map<string, string> {
  if (!indicator) return new Map();
  const all = table.observations(indicator.id, { limit: Number.MAX_SAFE_INTEGER });
  return new Map(all.map((one) => [placeOf(one), saidOf(one)]));
}

function compared(before: DataTable, after: DataTable) {
  const counted = { added: 0, removed: 0, changed: 0 };
  const [old, fresh] = [before, after].map((table) => new Map(table.indicators().map((one) => [keyOf(one), one])));
  for (const key of new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])) {
    const was = figuresOf(before, old?.get(key));
    const is = figuresOf(after, fresh?.get(key));
    for (const [place, said] of is) {
      if (!was.has(place)) counted.added++;
      else if (was.get(place) !== said) counted.changed++;
    }
    for (const place of was.keys()) if (!is.has(place)) counted.removed++;
  }
  return counted;
}

/** Number of rows read at once. */
const pageSize = 1000;

function* entitiesOf(table: DataTable): Generator<Entity> {
  for (let after = ""; ; ) {
    const page = table.entities(after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    after = last.key;
  }
}

/** Compares entities by key, page by page. */
function comparedRows(before: DataTable, after: DataTable): Counted {
  const counted = { added: 0, removed: 0, changed: 0 };
  for (const { key, fields } of entitiesOf(after)) {
    const was = before.entity(key);
    if (!was) counted.added++;
    else if (JSON.stringify(was.fields) !== JSON.stringify(fields)) counted.changed++;
  }
  for (const { key } of entitiesOf(before)) if (!after.entity(key)) counted.removed++;
  return counted;
}

function replaced(name: string, before: DataTable, after: DataTable): TableChange {
  const change = "replaced";
  if (before.indicators().length > 0 || after.indicators().length > 0)
    return { name, change, figures: compared(before, after) };
  return { name, change, figures: null, rows: comparedRows(before, after) };
}

/** Returns the changes from one version's tables to another's, by name. Shown by `assay datasets diff`. */
export function tableChanges(
  before: readonly Held[],
  after: readonly Held[],
  open: (id: string) => DataTable,
): TableChange[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort();
  return names.flatMap((name): TableChange[] => {
    const was = before.find((one) => one.name === name);
    const is = after.find((one) => one.name === name);
    if (was && is && was.id === is.id) return [];
    if (was && is) return [replaced(name, open(was.id), open(is.id))];
    return [{ name, change: is ? "added" : "removed", figures: null }];
  });
}
