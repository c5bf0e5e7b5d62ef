import type { Datasets, DataTable, Entity } from "../../../db/datasets.ts";

/** The firms that targets are chosen from, as an operator imported them: rows of registers and directories. */

/** The datasets with a universe, by the country that they are about. */
const universes: Readonly<Record<string, string>> = { DE: "germany" };
const table = "universe";

/** A firm of a universe. */
export interface Candidate {
  readonly id: string;
  readonly country: string;
  readonly fields: Entity["fields"];
}

export interface TargetUniverse {
  readonly country: string;
  readonly version: number;
  /** Pages of its rows, in an order that never changes. */
  pages(): Iterable<readonly Candidate[]>;
}

/** Rows that are judged before others have a turn. */
const pageSize = 250;

function* pagesOf(rows: DataTable, country: string): Generator<readonly Candidate[]> {
  for (let after = ""; ; ) {
    const page = rows.entities(after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield page.map(({ key, fields }) => ({ id: key, country, fields }));
    after = last.key;
  }
}

/** The universes that are there of these markets, in their order. Throws `dataset_unavailable` where a file is missing. */
export async function universesOf(datasets: Datasets, markets: readonly string[]): Promise<TargetUniverse[]> {
  const found: TargetUniverse[] = [];
  for (const country of markets) {
    const dataset = universes[country];
    if (dataset === undefined) continue;
    const { number: version, tables } = await datasets.current(dataset);
    const rows = tables.find(({ facts }) => facts.name === table);
    if (rows) found.push({ country, version, pages: () => pagesOf(rows, country) });
  }
  return found;
}
