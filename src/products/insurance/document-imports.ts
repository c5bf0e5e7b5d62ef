import {
  deleteEndedImports,
  documentImportById,
  documentImportsBefore,
  insertDocumentImport,
  unfinishedImports,
  updateDocumentImport,
} from "../../../db/queries/document-imports.ts";
import { deleteEffect, insertEffect } from "../../../db/queries/effects.ts";
import type { DocumentImportTable } from "../../../db/schema/corpus-tables.ts";
import type { EffectTable } from "../../../db/schema/tables.ts";
import type { Store } from "../../../db/store.ts";
import type { Computing } from "../../contracts/computing.ts";
import type { InstallationTools } from "../../contracts/installation.ts";
import { leased } from "../../execution/leases.ts";
import type { ActorWatch } from "../../execution/watch.ts";
import type { Handler, Worker } from "../../execution/worker.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import type { Declared } from "../../knowledge/corpus/facts.ts";
import { present } from "../../platform/assert.ts";
import { day } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Outcome } from "./importer.ts";
import { Uploads } from "./uploads.ts";

/** The machine's name in effects. There is one importer per installation, so imports run one at a time. */
export const documentImportMachine = "document-import";
export const documentImportLimits = { total: 1, perFirm: 1 } as const;

/** Maximum number of files waiting for import. */
const waitingAtMost = 100;
/** Number of attempts, failed or ended by a crash, after which a file is given up. */
const attemptsAtMost = 5;
/** Retention of reports, in milliseconds. */
const keptFor = 30 * day;

/** The result of importing a file, as in `Outcome`, or that it was given up. */
export type Report = Omit<Outcome, "file" | "manifest" | "status" | "reason"> & {
  readonly reason: { readonly code: string; readonly message: string } | null;
};

const givenUp: Report = {
  document_id: null,
  title: null,
  version: null,
  language: null,
  pages: null,
  chunks: 0,
  reason: { code: "failed", message: "it could not be imported, through no fault of the file: see the server's log" },
  notes: [],
};

/** An import with state that only this process knows. */
export interface ShownImport {
  readonly row: DocumentImportTable;
  /** Set while a format with pages is being read. */
  readonly progress: { readonly page: number; readonly pages: number } | null;
}

export interface DocumentImportsOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly computing: Computing;
  readonly worker: Worker;
  readonly watch: ActorWatch;
  /** This process's name in the worker's leases. */
  readonly owner: string;
  /** If absent, this process imports nothing and rejects every request with `not_found`. */
  readonly place: InstallationTools["documents"] | undefined;
}

/** An uploaded file. */
export interface SentFile {
  readonly file: string;
  readonly facts: Declared;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Imports documents uploaded to the server. A file is on disk before it is accepted; from then on its import is an
 * effect that a later process resumes after a crash, using the same importer as the command line. Created by `app.ts`.
 */
export class DocumentImports {
  private readonly progress = new Map<string, ShownImport["progress"]>();
  private readonly uploads: Uploads | undefined;
  /** Number of uploads in progress. */
  private arriving = 0;

  constructor(private readonly options: DocumentImportsOptions) {
    const { place } = options;
    this.uploads = place && new Uploads(place.folder);
  }

  private place() {
    const { place } = this.options;
    if (!place || !this.uploads) throw failure("not_found");
    return { alone: place.alone, uploads: this.uploads };
  }

  private shown(row: DocumentImportTable): ShownImport {
    return { row, progress: (row.ended_at === null && this.progress.get(row.id)) || null };
  }

  /** Throws `not_found`. */
  async show(id: string): Promise<ShownImport> {
    const row = await documentImportById(this.options.store.read, id);
    if (!row) throw failure("not_found");
    return this.shown(row);
  }

  /** Returns the newest imports first, with one more than `limit` if there are more. */
  async list(before: string | undefined, limit: number): Promise<ShownImport[]> {
    const rows = await documentImportsBefore(this.options.store.read, before, limit + 1);
    return rows.map((row) => this.shown(row));
  }

  /**
   * Accepts a file for import. Throws `validation_error` for an unsupported file type, `payload_too_large`, and
   * `rate_limit_exceeded` while too many files are waiting. Once it resolves, the file will be imported or refused with
   * a reason.
   */
  async accept(caller: Principal, sent: SentFile): Promise<ShownImport> {
    const { uploads } = this.place();
    // Loaded with the first file, because it pulls in the readers of all formats, which would slow down start-up.
    const { formatOf } = await import("../../knowledge/corpus/extract.ts");
    if (formatOf(sent.file) === undefined)
      throw invalid("/query/file", "must be named .pdf, .docx, .html, .md or .txt: other kinds of files are not read");
    const waiting = await unfinishedImports(this.options.store.read);
    if (waiting.length + this.arriving >= waitingAtMost) throw failure("rate_limit_exceeded");
    this.arriving++;
    try {
      return await this.stage(uploads, caller, sent);
    } finally {
      this.arriving--;
    }
  }

  private async stage(uploads: Uploads, caller: Principal, { file, facts, body }: SentFile): Promise<ShownImport> {
    const { runtime } = this.options;
    const id = runtime.id();
    const staged = await uploads.stage(id, body);
    const row: DocumentImportTable = {
      id,
      file,
      facts_json: JSON.stringify(facts),
      ...staged,
      status: "waiting",
      attempts: 0,
      report_json: null,
      actor: actorOf(caller),
      created_at: runtime.now(),
      ended_at: null,
    };
    await this.enter(row, caller.firm_id).catch(async (error: unknown) => {
      await uploads.discard(id);
      throw error;
    });
    return this.shown(row);
  }

  /** Stores the import with its effect, and submits the effect. */
  private async enter(row: DocumentImportTable, firm_id: string): Promise<void> {
    const { store, runtime, worker, owner } = this.options;
    const effect: EffectTable = {
      id: runtime.id(),
      actor_id: row.id,
      machine: documentImportMachine,
      firm_id,
      kind: "import",
      engine: documentImportMachine,
      payload_json: "{}",
      due_at: row.created_at,
      ...leased(owner, row.created_at),
    };
    await store.write(async (tx) => {
      await deleteEndedImports(tx, row.created_at - keptFor);
      await insertDocumentImport(tx, row);
      await insertEffect.run(tx, effect);
    });
    worker.submit(effect);
  }

  /** Carries out an import, for the worker. */
  readonly carryOut: Handler = async ({ id: effect, actor_id }, control) => {
    const { store } = this.options;
    const row = await documentImportById(store.read, actor_id);
    if (!row || row.ended_at !== null) {
      await store.write((tx) => deleteEffect.run(tx, { id: effect }));
      return [];
    }
    try {
      if (row.attempts >= attemptsAtMost) await this.end(row, effect, "failed", givenUp);
      else
        await this.place().alone(control.signal, async () => {
          const { file: _, manifest: __, status, ...report } = await this.read(row, control.signal);
          await this.end(row, effect, status, report);
        });
    } catch (error) {
      this.progress.delete(row.id);
      if (!control.aborted) throw error;
      // The server is stopping: the next start resumes the import, and this attempt does not count.
      await store.write((tx) => updateDocumentImport(tx, row.id, { status: "waiting", attempts: row.attempts }));
    }
    return [];
  };

  private async read(row: DocumentImportTable, signal: AbortSignal): Promise<Outcome> {
    const { store, runtime, computing } = this.options;
    const { uploads } = this.place();
    await store.write((tx) => updateDocumentImport(tx, row.id, { status: "importing", attempts: row.attempts + 1 }));
    const { id, file, actor, content_sha256 } = row;
    const source = { file, manifest: null, facts: {}, content_sha256, read: () => uploads.read(id) };
    const ignore = () => undefined;
    const { importDocuments } = await import("./importer.ts");
    const [outcome] = await importDocuments({
      host: { store, runtime, computing, actor, signal },
      sources: [source],
      otherwise: JSON.parse(row.facts_json) as Declared,
      dryRun: false,
      parallel: 1,
      begun: ignore,
      page: (page, pages) => void this.progress.set(id, { page, pages }),
      ended: ignore,
    });
    return present(outcome, "the outcome of a file");
  }

  private async end(row: DocumentImportTable, effect: string, status: DocumentImportTable["status"], report: Report) {
    const { store, runtime, watch } = this.options;
    const ended = { status, report_json: JSON.stringify(report), ended_at: runtime.now() };
    await store.write(async (tx) => {
      await deleteEffect.run(tx, { id: effect });
      await updateDocumentImport(tx, row.id, ended);
    });
    this.progress.delete(row.id);
    await this.place().uploads.discard(row.id);
    watch.publish(row.id);
  }

  /** Deletes leftover files of earlier processes. Called before any import is resumed. */
  async sweep(): Promise<void> {
    if (!this.uploads) return;
    await this.uploads.sweep(new Set(await unfinishedImports(this.options.store.read)));
  }
}
