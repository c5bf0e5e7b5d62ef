import { sql } from "kysely";
import { prepared } from "../prepared.ts";
import type { DocumentState, DocumentTable } from "../schema/corpus-tables.ts";
import type { Db } from "../store.ts";

/** States in which a process is working on a document, or was when it stopped. */
export const workingStates = ["extracting", "structuring", "chunking", "indexing"] as const satisfies DocumentState[];

/**
 * Returns a number that changes when a document goes live or is removed, in any process. The search index compares it.
 */
export async function corpusVersion(db: Db): Promise<number> {
  const row = await db.selectFrom("versions").select("version").where("name", "=", "corpus").executeTakeFirst();
  return row?.version ?? 0;
}

/** Every column, from a parameter of the same name. */
const columns = (value: <K extends keyof DocumentTable>(name: K) => DocumentTable[K]): DocumentTable => ({
  id: value("id"),
  family: value("family"),
  version: value("version"),
  title: value("title"),
  carrier: value("carrier"),
  market: value("market"),
  product_line: value("product_line"),
  document_type: value("document_type"),
  provenance: value("provenance"),
  language: value("language"),
  valid_from: value("valid_from"),
  valid_to: value("valid_to"),
  url: value("url"),
  file: value("file"),
  format: value("format"),
  digest: value("digest"),
  content_sha256: value("content_sha256"),
  pages: value("pages"),
  characters: value("characters"),
  chunks: value("chunks"),
  state: value("state"),
  reason: value("reason"),
  revision: value("revision"),
  snapshot_json: value("snapshot_json"),
  created_at: value("created_at"),
  updated_at: value("updated_at"),
  live_at: value("live_at"),
});

export const insertDocument = prepared<DocumentTable>((db, value) => db.insertInto("documents").values(columns(value)));

/** Writes a document's next state. Changes no row if the row no longer has the revision `known`. */
export const updateDocument = prepared<DocumentTable & { known: number }>((db, value) =>
  db.updateTable("documents").set(columns(value)).where("id", "=", value("id")).where("revision", "=", value("known")),
);

export const documentById = (db: Db, id: string): Promise<DocumentTable | undefined> =>
  db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst();

/** The documents that are searched and counted, in the order of their ids. */
export const liveDocuments = (db: Db): Promise<DocumentTable[]> =>
  db.selectFrom("documents").selectAll().where("state", "=", "live").orderBy("id").execute();

/** The live document of one version of a family; there is at most one. */
export const liveVersion = (db: Db, family: string, version: string): Promise<DocumentTable | undefined> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("state", "=", "live")
    .where("family", "=", family)
    .where("version", "=", version)
    .executeTakeFirst();

/** The document made from exactly this content and these facts, in one of the states. */
export const documentByDigest = (
  db: Db,
  digest: string,
  states: readonly DocumentState[],
): Promise<DocumentTable | undefined> =>
  db.selectFrom("documents").selectAll().where("digest", "=", digest).where("state", "in", states).executeTakeFirst();

/** Documents in one of the states; only those of `file` if it is given. */
export const documentsIn = (db: Db, states: readonly DocumentState[], file?: string): Promise<DocumentTable[]> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("state", "in", states)
    .$if(file !== undefined, (q) => q.where("file", "=", file ?? ""))
    .orderBy("id")
    .execute();

/** Deletes a document that was never live, with its chunks. */
export async function deleteDocument(db: Db, id: string): Promise<void> {
  await db.deleteFrom("chunks").where("document_id", "=", id).execute();
  await db.deleteFrom("documents").where("id", "=", id).where("state", "!=", "live").execute();
}

export interface DocumentPage {
  readonly states: readonly DocumentState[];
  /** If absent, all markets. */
  readonly market: string | undefined;
  /** Only documents before this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Documents in one of the states, newest first. */
export const documentsBefore = (db: Db, { states, market, before, limit }: DocumentPage): Promise<DocumentTable[]> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("state", "in", states)
    .$if(market !== undefined, (q) => q.where("market", "=", market ?? ""))
    .$if(before !== undefined, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** The number of documents in each state. */
export const countDocuments = (db: Db): Promise<{ state: DocumentState; documents: number }[]> =>
  db
    .selectFrom("documents")
    .select(["state", (e) => e.fn.countAll<number>().as("documents")])
    .groupBy("state")
    .execute();

/** Live documents of the same market, carrier, type, provenance, line and language. For `null` see `DocumentTable`. */
export interface Holding {
  market: string;
  carrier: string | null;
  document_type: DocumentTable["document_type"];
  provenance: DocumentTable["provenance"];
  product_line: string | null;
  language: string;
  documents: number;
  chunks: number;
  /** The earliest and latest day from which any of them is valid; `null` if none states it. */
  first_valid_from: string | null;
  last_valid_from: string | null;
}

/** Counts the live documents by market, carrier, type, provenance, line and language. */
export const holdings = (db: Db): Promise<Holding[]> =>
  db
    .selectFrom("documents")
    .select(["market", "carrier", "document_type", "provenance", "product_line", "language"])
    .select((e) => [
      e.fn.countAll<number>().as("documents"),
      sql<number>`sum(chunks)`.as("chunks"),
      sql<string | null>`min(valid_from)`.as("first_valid_from"),
      sql<string | null>`max(valid_from)`.as("last_valid_from"),
    ])
    .where("state", "=", "live")
    .groupBy(["market", "carrier", "document_type", "provenance", "product_line", "language"])
    .orderBy("market")
    .orderBy("carrier")
    .orderBy("document_type")
    .execute();
