import { sql } from "kysely";
import { prepared } from "../prepared.ts";
import type { DocumentState, DocumentTable } from "../schema/corpus-tables.ts";
import type { Db } from "../store.ts";

/** States in which a process is at work on a document, or was when it ended. */
export const workingStates = ["extracting", "structuring", "chunking", "indexing"] as const satisfies DocumentState[];

/** Moves with every document that goes live or ceases to be, in whichever process. The search index compares it. */
export async function corpusVersion(db: Db): Promise<number> {
  const row = await db.selectFrom("versions").select("version").where("name", "=", "corpus").executeTakeFirst();
  return row?.version ?? 0;
}

/** Every column from a value that arrives with the call. */
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

/** Writes a document's next state: one row, or none where the row no longer has the revision `known`. */
export const updateDocument = prepared<DocumentTable & { known: number }>((db, value) =>
  db.updateTable("documents").set(columns(value)).where("id", "=", value("id")).where("revision", "=", value("known")),
);

export const documentById = (db: Db, id: string): Promise<DocumentTable | undefined> =>
  db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst();

/** Documents that are searched and counted, in the order of their ids. */
export const liveDocuments = (db: Db): Promise<DocumentTable[]> =>
  db.selectFrom("documents").selectAll().where("state", "=", "live").orderBy("id").execute();

/** The live document of one version of a family: there is one at most. */
export const liveVersion = (db: Db, family: string, version: string): Promise<DocumentTable | undefined> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("state", "=", "live")
    .where("family", "=", family)
    .where("version", "=", version)
    .executeTakeFirst();

/** What was made of exactly this content with exactly these facts, in any of the states. */
export const documentByDigest = (
  db: Db,
  digest: string,
  states: readonly DocumentState[],
): Promise<DocumentTable | undefined> =>
  db.selectFrom("documents").selectAll().where("digest", "=", digest).where("state", "in", states).executeTakeFirst();

/** Documents in one of the states, those of a file alone when it is given. */
export const documentsIn = (db: Db, states: readonly DocumentState[], file?: string): Promise<DocumentTable[]> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("state", "in", states)
    .$if(file !== undefined, (q) => q.where("file", "=", file ?? ""))
    .orderBy("id")
    .execute();

/** Takes out a row that was never live, with what it left. */
export async function deleteDocument(db: Db, id: string): Promise<void> {
  await db.deleteFrom("chunks").where("document_id", "=", id).execute();
  await db.deleteFrom("documents").where("id", "=", id).where("state", "!=", "live").execute();
}

export interface DocumentPage {
  readonly states: readonly DocumentState[];
  /** Absent: of every market. */
  readonly market: string | undefined;
  /** Documents from before this one. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Documents in one of the states, the newest first. */
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

/** How many documents there are in each state. */
export const countDocuments = (db: Db): Promise<{ state: DocumentState; documents: number }[]> =>
  db
    .selectFrom("documents")
    .select(["state", (e) => e.fn.countAll<number>().as("documents")])
    .groupBy("state")
    .execute();

/** What is held for one market, one carrier, one class and one line. Null: none or all, as in the documents. */
export interface Holding {
  market: string;
  carrier: string | null;
  document_type: DocumentTable["document_type"];
  provenance: DocumentTable["provenance"];
  product_line: string | null;
  language: string;
  documents: number;
  chunks: number;
  /** The first and the last day that any of them is valid from; null: none says. */
  first_valid_from: string | null;
  last_valid_from: string | null;
}

/** The live documents counted by market, carrier, class, provenance, line and language. */
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
