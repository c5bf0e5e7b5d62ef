import { rmSync } from "node:fs";
import { basename } from "node:path";
import { allDatasetTables } from "../../../db/queries/datasets.ts";
import type { DatasetTableTable } from "../../../db/schema/dataset-tables.ts";
import type { Store } from "../../../db/store.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { own, publishDurably } from "../../platform/files.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { DatasetDefinition } from "./definitions.ts";
import type { DatasetFolder } from "./folder.ts";
import type { FromImport, ToImport } from "./import-thread.ts";
import type { Mapping } from "./mapping.ts";
import type { RefusedRow } from "./refusal.ts";
import type { StagedFile } from "./staging.ts";
import { type Change, publishTables } from "./versions.ts";

/** A file to import, and its mapping. */
export interface ImportSource {
  readonly file: string;
  readonly sha256: string;
  readonly mapping: Mapping;
}

export interface ImportOptions {
  readonly runtime: Runtime;
  readonly store: Store;
  readonly folder: DatasetFolder;
  readonly definition: DatasetDefinition;
  readonly sources: readonly ImportSource[];
  /** Do everything except publish. */
  readonly dryRun: boolean;
  /** Publish even if more than a tenth of a file is refused. */
  readonly acceptRefused: boolean;
  readonly actor: string;
  /** Called with the number of rows read so far. */
  progress(file: string, rows: number): void;
}

/** The result for one file. */
export interface ImportedFile {
  readonly file: string;
  /** `null` if the whole file is refused for `reason`. */
  readonly staged: StagedFile | null;
  readonly reason: { readonly code: string; readonly message: string; readonly hint: string } | null;
  readonly refused: readonly RefusedRow[];
}

export interface ImportOutcome {
  readonly files: readonly ImportedFile[];
  /** The published version; `null` if none was, in which case the previous one keeps serving. */
  readonly version: number | null;
}

/** Time without a message after which a thread is considered stuck, in milliseconds. */
const patience = 120_000;

type Reply = StagedFile | Extract<FromImport, { failed: unknown }>;

/** Reads a file in a worker thread. Rejects if the thread itself fails. */
function staged(
  runtime: Runtime,
  asked: ToImport,
  onRefused: (rows: readonly RefusedRow[]) => void,
  onRows: (rows: number) => void,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  let stop = () => {};
  const watch = () => {
    stop();
    stop = runtime.after(patience, () => reject(new Error("reading the file takes too long")));
  };
  const thread = runtime.thread("dataset-import", {
    message(data) {
      const message = data as FromImport;
      watch();
      if ("rows" in message) onRows(message.rows);
      else if ("refused" in message) onRefused(message.refused);
      else resolve("staged" in message ? message.staged : message);
    },
    ended: (cause) => reject(new Error(`reading the file failed: ${String(cause)}`)),
  });
  watch();
  thread.keepAlive(true);
  thread.post(asked);
  return promise.finally(() => {
    stop();
    thread.end();
  });
}

/** Returns the name of a table whose mapping has none. */
const stemOf = (file: string): string =>
  basename(file)
    .replace(/\.[^.]+(\.gz)?$/, "")
    .toLowerCase();

/** Share of refused rows above which a file is published only with `--accept-refused`. */
const mostRefused = 0.1;

const tooMany = ({ refused_rows, rows }: StagedFile) => ({
  code: "refused_rows",
  message: `${refused_rows} of ${rows} rows are refused in whole or in part, which is more than a tenth of the file`,
  hint: "Fix the file or its mapping, or publish the rest with --accept-refused.",
});

/** One import. Its drafts are removed however it ends. */
class Import {
  private readonly ids: string[] = [];

  constructor(private readonly options: ImportOptions) {}

  private async read({ file, mapping }: ImportSource, id: string): Promise<ImportedFile> {
    const { runtime, folder, definition, acceptRefused, progress } = this.options;
    const refused: RefusedRow[] = [];
    const isSaid = Object.keys(mapping).some((name) => ["value", "values", "period", "rows"].includes(name));
    const usual = definition.forms?.[mapping.name ?? stemOf(file)]?.mapping ?? definition.mapping;
    own(folder.draftOf(id));
    const reply = await staged(
      runtime,
      {
        ...{ file, name: basename(file), kind: definition.kind, draft: folder.draftOf(id) },
        dataset: definition.name,
        mapping: isSaid ? mapping : { ...usual, ...mapping },
        today: rfc3339(runtime.now()).slice(0, 10),
      },
      (rows) => refused.push(...rows),
      (rows) => progress(file, rows),
    );
    const said = { file, refused };
    if (!("failed" in reply)) {
      const wrong = reply.refused_share > mostRefused && !acceptRefused;
      return { ...said, staged: reply, reason: wrong ? tooMany(reply) : null };
    }
    const { code, message, hint } = reply.failed;
    // An error that is not a file's fault, such as a full disk, aborts the whole import.
    if (code === null) throw new Error(message);
    return { ...said, staged: null, reason: { code, message, hint: hint ?? "" } };
  }

  private rowOf({ file, staged, refused }: ImportedFile, source: ImportSource, id: string): DatasetTableTable[] {
    if (!staged) return [];
    const { facts, reading, rows, records } = staged;
    return [
      {
        ...{ id, dataset: this.options.definition.name, name: facts.name, file: basename(file), sha256: source.sha256 },
        ...{ facts_json: JSON.stringify(facts), reading_json: JSON.stringify(reading) },
        ...{ rows, records, refused: refused.length, created_at: this.options.runtime.now() },
      },
    ];
  }

  /** Moves the drafts into place, then names them in a version. A crash in between leaves only unreferenced files. */
  private async publish(tables: readonly DatasetTableTable[]): Promise<number> {
    const { runtime, store, folder, definition, actor } = this.options;
    for (const { id } of tables) await publishDurably(folder.draftOf(id), folder.fileOf(id));
    const change: Change = { actor, at: runtime.now() };
    const number = await publishTables(store, definition.name, tables, change);
    folder.sweep(new Set((await allDatasetTables(store.read)).map(({ id }) => id)));
    return number;
  }

  async run(): Promise<ImportOutcome> {
    const { runtime, store, folder, sources, dryRun } = this.options;
    await folder.make();
    folder.sweep(new Set((await allDatasetTables(store.read)).map(({ id }) => id)));
    const files: ImportedFile[] = [];
    const tables: DatasetTableTable[] = [];
    try {
      for (const source of sources) {
        const id = runtime.id();
        this.ids.push(id);
        const file = await this.read(source, id);
        const twin = tables.find(({ name }) => name === file.staged?.facts.name);
        files.push(twin ? { ...file, reason: twice(twin) } : file);
        tables.push(...this.rowOf(file, source, id));
      }
      const isGood = files.every(({ reason }) => reason === null);
      return { files, version: dryRun || !isGood ? null : await this.publish(tables) };
    } finally {
      for (const id of this.ids) for (const end of ["", "-journal"]) rmSync(folder.draftOf(id) + end, { force: true });
    }
  }
}

const twice = ({ file, name }: DatasetTableTable) => ({
  code: "duplicate_key",
  message: `${file} is also the table ${name}`,
  hint: "Give one of them another `name` in its mapping.",
});

/**
 * Imports files as one version of a dataset, all or nothing. For the command line, which holds the importer's lock.
 * Throws errors that are not a file's fault, such as a full disk; the previous version then keeps serving.
 */
export const importFiles = (options: ImportOptions): Promise<ImportOutcome> => new Import(options).run();
