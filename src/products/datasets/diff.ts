import type { DataTable, Entity, Indicator, Observation } from "../../../db/datasets.ts";

/** What two versions have of a table. */
interface Held {
  readonly id: string;
  readonly name: string;
}

/** How many there are in the later version alone, in the earlier alone, and otherwise than before. */
export interface Counted {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/**
 * What became of a table from one version to another. `figures` is null where it is there in one of them alone, and for a
 * table about things, whose `rows` are counted.
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

/** The figures of one indicator at a time, so that large tables need little memory. */
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

/** Rows that are read at once. */
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

/** Things by their keys: each page is compared with what the other table has of it. */
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

/** Changes from the tables of one version to those of another, by name. `assay datasets diff` shows them. */
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
