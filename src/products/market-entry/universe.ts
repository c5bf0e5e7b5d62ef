import type { Datasets, DataTable, Entity } from "../../../db/datasets.ts";

/** The firms that targets are selected from, as imported by an operator: rows of registers and directories. */

/** The datasets that contain a universe, by country. */
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
  /** Returns the pages of its rows, in a stable order. */
  pages(): Iterable<readonly Candidate[]>;
}

/** Number of rows judged before yielding to other work. */
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

/** Returns the universes of these markets, in their order. Throws `dataset_unavailable` if a file is missing. */
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
