import { deleteChunks, insertChunks } from "../../../db/queries/chunks.ts";
import {
  deleteDocument,
  documentByDigest,
  documentsIn,
  insertDocument,
  liveVersion,
  updateDocument,
  workingStates,
} from "../../../db/queries/documents.ts";
import type { DocumentState, DocumentTable } from "../../../db/schema/corpus-tables.ts";
import type { Db, Store } from "../../../db/sqlite/connection.ts";
import {
  type DocumentAction,
  type DocumentContext,
  type DocumentEvent,
  documentMachine,
} from "../../../machines/document.ts";
import { appendAudit } from "../../execution/audit.ts";
import { createTransitions } from "../../execution/transitions.ts";
import { Refused } from "../../knowledge/corpus/blocks.ts";
import type { Chunk } from "../../knowledge/corpus/chunk.ts";
import type { Prepared, Reading } from "../../knowledge/corpus/reading.ts";
import { present } from "../../platform/assert.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** The document's statechart as the host uses it. */
export const documentTransitions = createTransitions<typeof documentMachine, DocumentContext, DocumentAction>(
  documentMachine,
);

/** Passages that are written in one transaction: a server beside it has its turn between two. */
const batch = 200;

const initial = documentTransitions.initial(undefined);
const asState = (state: string): DocumentState => state as DocumentState;

/** The row after an event, with what its machine ordered. Undefined: the state does not take the event. */
function stepped(row: DocumentTable, event: DocumentEvent, at: number) {
  const step = documentTransitions.next(row.snapshot_json, event);
  if (step.snapshot === row.snapshot_json && step.actions.length === 0) return undefined;
  const { pages, characters, chunks, reason } = step.context;
  const next: DocumentTable = {
    ...row,
    state: asState(step.state),
    pages,
    characters,
    chunks,
    reason,
    revision: row.revision + 1,
    snapshot_json: step.snapshot,
    updated_at: at,
    live_at: step.state === "live" ? at : row.live_at,
  };
  return { row: next, actions: step.actions };
}

/** Sends an event to a stored document and carries out the orders that belong into its transaction. */
async function send(tx: Db, row: DocumentTable, event: DocumentEvent, at: number, actor: string) {
  const next = present(stepped(row, event, at), `a document that takes ${event.type}`);
  for (const { type } of next.actions) {
    if (type === "discard") await deleteChunks(tx, row.id);
    if (type === "publish") {
      const before = await liveVersion(tx, next.row.family, next.row.version);
      if (before) await send(tx, before, { type: "REPLACE" }, at, actor);
    }
  }
  if (!(await updateDocument(tx, next.row))) throw new Error("another process works on the same document");
  if (["live", "replaced", "removed"].includes(next.row.state)) {
    const data = { version: row.version, chunks: next.row.chunks };
    await appendAudit(tx, { at, firm_id: null, actor, action: `document.${next.row.state}`, subject: row.id, data });
  }
  return next;
}

/** Takes a live document out of the corpus, at once. False: there is none with that id, or it is live no more. */
export function removeDocument(store: Store, clock: Clock, id: string, actor: string): Promise<boolean> {
  return store.write(async (tx) => {
    const [row] = (await documentsIn(tx, ["live"])).filter((document) => document.id === id);
    if (!row) return false;
    await send(tx, row, { type: "REMOVE" }, clock.now(), actor);
    return true;
  });
}

export interface Host {
  readonly store: Store;
  readonly runtime: Runtime;
  /** As the audit log names who imports. */
  readonly actor: string;
}

/** What was made of the same content with the same facts before, and is live. */
export const liveTwin = (db: Db, digest: string): Promise<DocumentTable | undefined> =>
  documentByDigest(db, digest, ["live"]);

/** A document's row at its beginning: new, or the one that a process left when it ended. */
function begin({ store, runtime, actor }: Host, reading: Reading): Promise<DocumentTable> {
  const { facts, digest } = reading;
  return store.write(async (tx) => {
    const at = runtime.now();
    const left = await documentByDigest(tx, digest, workingStates);
    // What the file was before it was changed again never went live, and what was refused is being tried anew.
    for (const row of await documentsIn(tx, [...workingStates, "refused"], reading.file))
      if (row.id !== left?.id) await deleteDocument(tx, row.id);
    if (left) return (await send(tx, left, { type: "RESUME" }, at, actor)).row;
    const row: DocumentTable = {
      id: runtime.id(),
      family: reading.file,
      version: facts.version,
      title: facts.title ?? reading.file,
      carrier: facts.carrier,
      market: facts.market,
      product_line: facts.product_line,
      document_type: facts.document_type,
      provenance: facts.provenance,
      language: facts.language ?? "",
      valid_from: facts.valid_from,
      valid_to: facts.valid_to,
      url: facts.url,
      file: reading.file,
      format: reading.format,
      digest,
      content_sha256: reading.content_sha256,
      pages: null,
      characters: 0,
      chunks: 0,
      state: asState(initial.state),
      reason: null,
      revision: 0,
      snapshot_json: initial.snapshot,
      created_at: at,
      updated_at: at,
      live_at: null,
    };
    await insertDocument(tx, row);
    return row;
  });
}

async function store(host: Host, id: string, passages: readonly Chunk[]): Promise<void> {
  for (let from = 0; from < passages.length; from += batch) {
    const rows = passages
      .slice(from, from + batch)
      .map((passage, i) => ({ ...passage, document_id: id, ordinal: from + i }));
    await host.store.write((tx) => insertChunks(tx, rows));
  }
}

/** What a document has become: its row, and the reason when it was refused. */
export interface Ingested {
  readonly document: DocumentTable;
  readonly refused: Refused | null;
}

/**
 * Takes a file through the statechart to its end. Work happens between transactions; what a step of reading has come to
 * is written with the next order that touches the database, since whoever resumes reads anew. Killed anywhere, it leaves
 * a document that nobody sees, and the next import of the file resumes it.
 */
export async function ingest(host: Host, reading: Reading): Promise<Ingested> {
  let row = await begin(host, reading);
  let prepared: Prepared | undefined;
  let refused: Refused | null = null;
  const work: Readonly<Partial<Record<DocumentAction["type"], () => Promise<DocumentEvent>>>> = {
    extract: async () => {
      const { extracted, title, language, family, characters } = await reading.extract();
      row = { ...row, title, language, family };
      return { type: "EXTRACTED", pages: extracted.pages, characters };
    },
    structure: async () => ({ type: "STRUCTURED", sections: (await reading.structure()).length }),
    chunk: async () => {
      prepared = await reading.chunk();
      return { type: "CHUNKED", chunks: prepared.passages.length };
    },
    index: async () => {
      await store(host, row.id, prepared?.passages ?? []);
      return { type: "INDEXED" };
    },
  };
  let ordered: readonly DocumentAction[] = [{ type: "extract" }];
  for (;;) {
    const next = ordered.map(({ type }) => work[type]).find((step) => step !== undefined);
    if (!next) return { document: row, refused: refused ?? (row.state === "refused" ? new Refused("empty") : null) };
    const event = await next().catch((error: unknown): DocumentEvent => {
      if (!(error instanceof Refused)) throw error;
      refused = error;
      return { type: "REFUSE", reason: error.message };
    });
    const before = row;
    const thought = stepped(before, event, host.runtime.now());
    if (thought?.actions.every(({ type }) => type === "structure" || type === "chunk")) {
      row = { ...thought.row, revision: before.revision };
      ordered = thought.actions;
      continue;
    }
    const moved = await host.store.write((tx) => send(tx, before, event, host.runtime.now(), host.actor));
    row = moved.row;
    ordered = moved.actions;
  }
}
