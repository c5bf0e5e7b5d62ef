import { insertChunks } from "../../../db/queries/chunks.ts";
import {
  deleteDocument,
  documentByDigest,
  documentById,
  documentsIn,
  liveVersion,
  workingStates,
} from "../../../db/queries/documents.ts";
import type { DocumentTable } from "../../../db/schema/corpus-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import type { DocumentAction, DocumentEvent } from "../../../machines/document.ts";
import type { Computing } from "../../contracts/computing.ts";
import { createHost, type Decision, noReceipt } from "../../execution/host.ts";
import { Refused } from "../../knowledge/corpus/blocks.ts";
import type { Chunk } from "../../knowledge/corpus/chunk.ts";
import type { Reading } from "../../knowledge/corpus/reading.ts";
import { present } from "../../platform/assert.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { decideDocument, decideNewDocument, documentKind, type NewDocument } from "./decide-document.ts";

/** Number of chunks per transaction; between two of them, a running server can write. */
const batch = 200;

export interface Importing {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly computing: Computing;
  /** The importer, as the audit log names it. */
  readonly actor: string;
  /** Aborts reading a file. The next import resumes an unfinished document. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates a host; documents have no receipts. */
const hostOf = (store: Store) => createHost({ store, sign: noReceipt });

/** Commits a decision about a document. Throws if another process is working on the same one. */
async function commit(store: Store, decision: Decision<DocumentTable>): Promise<DocumentTable> {
  const applied = await hostOf(store).commit(documentKind(store), decision);
  if (applied.refused) throw new Error("another process works on the same document");
  return applied.state;
}

/**
 * Removes a live document from the corpus immediately. Returns false if there is none with that id or it is not live.
 */
export async function removeDocument(store: Store, clock: Clock, id: string, actor: string): Promise<boolean> {
  const row = await documentById(store.read, id);
  if (row?.state !== "live") return false;
  const context = { at: clock.now(), actor, replaces: null };
  const removal = { id, known: row, events: [{ type: "REMOVE" as const }], context };
  const applied = await hostOf(store).deliver(documentKind(store), removal);
  return applied !== undefined && applied.refused === undefined;
}

/** Returns the live document already made from the same content and facts, if any. */
export const liveTwin = (db: Db, digest: string): Promise<DocumentTable | undefined> =>
  documentByDigest(db, digest, ["live"]);

/** Returns the row to continue: a new one, or the one that an interrupted process left. */
async function begin({ store, runtime, actor }: Importing, reading: Reading): Promise<DocumentTable> {
  const at = runtime.now();
  const left = await documentByDigest(store.read, reading.digest, workingStates);
  // Unfinished documents of earlier versions of the file never went live, and refused ones are being retried.
  const others = await documentsIn(store.read, [...workingStates, "refused"], reading.file);
  const obsolete = others.filter((row) => row.id !== left?.id);
  if (obsolete.length > 0)
    await store.write(async (tx) => {
      for (const { id } of obsolete) await deleteDocument(tx, id);
    });
  const context = { at, actor, replaces: null };
  if (left) return commit(store, present(decideDocument(left, [{ type: "RESUME" }], context), "a resumed document"));
  return commit(store, decideNewDocument(newDocument(runtime.id(), reading, at)));
}

const newDocument = (id: string, reading: Reading, at: number): NewDocument => ({
  id,
  family: reading.file,
  version: reading.facts.version,
  title: reading.facts.title ?? reading.file,
  carrier: reading.facts.carrier,
  market: reading.facts.market,
  product_line: reading.facts.product_line,
  document_type: reading.facts.document_type,
  provenance: reading.facts.provenance,
  language: reading.facts.language ?? "",
  valid_from: reading.facts.valid_from,
  valid_to: reading.facts.valid_to,
  url: reading.facts.url,
  file: reading.file,
  format: reading.format,
  digest: reading.digest,
  content_sha256: reading.content_sha256,
  created_at: at,
});

async function storeChunks({ store }: Importing, id: string, chunks: readonly Chunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += batch) {
    const rows = chunks.slice(from, from + batch).map((chunk, i) => ({ ...chunk, document_id: id, ordinal: from + i }));
    await store.write((tx) => insertChunks(tx, rows));
  }
}

/** The resulting document row, and the reason if it was refused. */
export interface Ingested {
  readonly document: DocumentTable;
  readonly refused: Refused | null;
}

type Work = (row: DocumentTable) => Promise<DocumentEvent>;

/** Returns the work for each action of the statechart. Facts found while reading are added to `facts`. */
function worksOf(host: Importing, reading: Reading, facts: Partial<DocumentTable>) {
  const works: Readonly<Partial<Record<DocumentAction["type"], Work>>> = {
    extract: async () => {
      const { pages, title, language, family, characters } = await reading.read();
      Object.assign(facts, { title, language, family });
      return { type: "EXTRACTED", pages, characters };
    },
    structure: async () => ({ type: "STRUCTURED", sections: (await reading.read()).sections }),
    chunk: async () => ({ type: "CHUNKED", chunks: (await reading.read()).chunks.length }),
    index: async ({ id }) => {
      await storeChunks(host, id, (await reading.read()).chunks);
      return { type: "INDEXED" };
    },
  };
  return works;
}

/**
 * Takes a file through the statechart to its end. Work happens between transactions; the results of reading are stored
 * with the next action that writes, since a resuming process reads the file again anyway. If killed at any point, it
 * leaves an invisible document that the next import of the file resumes.
 */
export async function ingest(host: Importing, reading: Reading): Promise<Ingested> {
  const { store, runtime, actor } = host;
  const facts: Partial<DocumentTable> = {};
  const works = worksOf(host, reading, facts);
  let row = await begin(host, reading);
  let pending: DocumentEvent[] = [];
  let refused: Refused | null = null;
  let actions: readonly DocumentAction[] = [{ type: "extract" }];
  for (;;) {
    const work = actions.map(({ type }) => works[type]).find((step) => step !== undefined);
    if (!work) return { document: row, refused: refused ?? (row.state === "refused" ? new Refused("empty") : null) };
    const event = await work(row).catch((error: unknown): DocumentEvent => {
      if (!(error instanceof Refused)) throw error;
      refused = error;
      return { type: "REFUSE", reason: error.message };
    });
    pending.push(event);
    const known = { ...row, ...facts };
    const replaces = event.type === "INDEXED" ? await liveVersion(store.read, known.family, known.version) : null;
    const context = { at: runtime.now(), actor, replaces: replaces ?? null };
    const decision = present(decideDocument(known, pending, context), `a document that takes ${event.type}`);
    actions = decision.actions;
    if (actions.every(({ type }) => type === "structure" || type === "chunk") && actions.length > 0) continue;
    row = await commit(store, decision);
    pending = [];
  }
}
