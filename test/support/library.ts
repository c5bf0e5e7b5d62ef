import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertChunks } from "../../db/queries/chunks.ts";
import { insertDocument } from "../../db/queries/documents.ts";
import type { DocumentTable } from "../../db/schema/corpus-tables.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import type { Meaning } from "../../src/contracts/meaning.ts";
import type { EmbeddingModel } from "../../src/integrations/models/embedding.ts";
import type { PassageQuery } from "../../src/knowledge/corpus/corpus.ts";
import { createCorpus, type IndexedCorpus } from "../../src/knowledge/retrieval/service.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

/** The folder with this test's files. */
export const folder = mkdtempSync(join(tmpdir(), "assay-retrieval-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export interface Given {
  readonly facts?: Partial<DocumentTable>;
  /** Heading and text of each passage. */
  readonly passages: readonly (readonly [string, string])[];
}

/** A corpus in a real file, with its log. */
export class Library {
  static #made = 0;
  #documents = 0;
  readonly logged: string[] = [];

  private constructor(
    readonly store: Store,
    readonly file: string,
  ) {}

  static async open(...documents: readonly Given[]): Promise<Library> {
    const name = join(folder, `${++Library.#made}`);
    const store = openStore(`${name}.db`);
    await migrate(store);
    const library = new Library(store, `${name}.index`);
    for (const document of documents) await library.add(document);
    return library;
  }

  async add({ facts = {}, passages }: Given): Promise<string> {
    const id = facts.id ?? `document-${++this.#documents}`;
    const row: DocumentTable = {
      id,
      family: id,
      version: "1",
      title: id,
      carrier: "Sample",
      market: "CZ",
      product_line: "motor_liability",
      document_type: "terms",
      provenance: "sample",
      language: "en",
      valid_from: null,
      valid_to: null,
      url: null,
      file: `${id}.md`,
      format: "markdown",
      digest: id,
      content_sha256: id,
      pages: null,
      characters: 1,
      chunks: passages.length,
      state: "live",
      reason: null,
      revision: 1,
      snapshot_json: "{}",
      created_at: 1,
      updated_at: 1,
      live_at: 1,
      ...facts,
    };
    await this.store.write(async (tx) => {
      await insertDocument.run(tx, row);
      await insertChunks(
        tx,
        passages.map(([heading, text], ordinal) => ({ document_id: id, ordinal, page: null, heading, text, start: 0 })),
      );
    });
    return id;
  }

  /** Opens the corpus as another process would. */
  corpus(embedding?: EmbeddingModel, meaning?: Meaning): IndexedCorpus {
    const log = createLog(systemRuntime, "debug", (line) => this.logged.push(line));
    return createCorpus({ runtime: systemRuntime, db: this.store.read, file: this.file, log, embedding, meaning });
  }

  /** Returns the ids of the documents found, best first. */
  async found(question: string, query: Partial<PassageQuery> = {}, corpus = this.corpus()): Promise<string[]> {
    const at = new Date("2026-06-01T12:00:00Z");
    return (await corpus.search({ question, at, limit: 10, ...query })).map(({ document }) => document.id);
  }
}
