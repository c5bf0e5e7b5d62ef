import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetVersion, DataTable, Observation } from "../../db/datasets.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { type DatasetDefinition, definitions } from "../../src/products/datasets/definitions.ts";
import { DatasetFolder } from "../../src/products/datasets/folder.ts";
import { type ImportOptions, importFiles } from "../../src/products/datasets/importer.ts";
import { type Mapping, readMapping } from "../../src/products/datasets/mapping.ts";
import { FileRefused, type RefusedRow } from "../../src/products/datasets/refusal.ts";
import { createDatasets } from "../../src/products/datasets/service.ts";
import { type StagedFile, stage } from "../../src/products/datasets/staging.ts";
import { starterTables } from "../../src/products/datasets/starter/index.ts";

/** The starter data as in a fresh installation. */
export const starterVersion = (dataset: string): DatasetVersion => ({
  dataset,
  number: 0,
  tables: starterTables(dataset),
});

/** What was read from a file, in this process. */
export interface Read {
  readonly staged: StagedFile;
  readonly refused: readonly RefusedRow[];
  readonly table: DataTable;
}

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "assay-datasets-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
};

/** Writes a file with this content into a new folder and returns its path. */
export function fileWith(name: string, content: string | Uint8Array): string {
  const file = join(folder(), name);
  writeFileSync(file, content);
  return file;
}

/** Reads a file as an import does, without a worker thread. */
export async function readFile(
  file: string,
  mapping: Mapping | string = {},
  kind: DatasetDefinition["kind"] = "figures",
): Promise<Read> {
  const refused: RefusedRow[] = [];
  const draft = join(folder(), "draft");
  const staged = await stage({
    ...{ file, draft, kind, today: "2026-11-22", name: file.split("/").at(-1) ?? file },
    mapping: typeof mapping === "string" ? readMapping(mapping) : mapping,
    refused: (row) => refused.push(row),
    progress: () => undefined,
  });
  return { staged, refused, table: openDatasetFile(draft) };
}

/** Reads a text as `readFile` reads a file. */
export const readText = (
  name: string,
  content: string | Uint8Array,
  mapping: Mapping | string = {},
  kind?: DatasetDefinition["kind"],
): Promise<Read> => readFile(fileWith(name, content), mapping, kind);

/** Returns the refusal of a whole file; throws if the file is accepted. */
export async function refusalOf(read: Promise<Read>): Promise<FileRefused> {
  try {
    await read;
  } catch (error) {
    if (error instanceof FileRefused) return error;
    throw error;
  }
  throw new Error("the file was taken over");
}

/** Returns all observations of a table, by indicator. */
export const figuresOf = (table: DataTable): (Observation & { code: string; unit: string; dimensions: object })[] =>
  table
    .indicators()
    .flatMap(({ id, code, unit, dimensions }) =>
      table.observations(id, { limit: 10_000_000 }).map((one) => ({ ...one, code, unit, dimensions })),
    );

/** An installation's database and datasets, with the importer's real worker thread. */
export class DatasetWorld implements AsyncDisposable {
  readonly path = folder();
  readonly store = openStore(join(this.path, "assay.db"));
  readonly folder = new DatasetFolder(join(this.path, "datasets"));
  readonly datasets = createDatasets({ db: this.store.read, folder: this.folder, open: openDatasetFile });

  static async open(): Promise<DatasetWorld> {
    const world = new DatasetWorld();
    await migrate(world.store);
    return world;
  }

  import(dataset: string, files: readonly [string, string][], more: Partial<ImportOptions> = {}) {
    const definition = definitions.find(({ name }) => name === dataset);
    if (!definition) throw new Error(`there is no dataset ${dataset}`);
    return importFiles({
      ...{ runtime: systemRuntime, store: this.store, folder: this.folder, definition, actor: "operator" },
      ...{ dryRun: false, acceptRefused: false, progress: () => undefined },
      sources: files.map(([file, mapping]) => ({ file, sha256: "", mapping: readMapping(mapping) })),
      ...more,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}
