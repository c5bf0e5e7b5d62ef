import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The insurance corpus: documents and their chunks. The search index is derived from them. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("documents")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("family", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("carrier", "text")
    .addColumn("market", "text", (c) => c.notNull())
    .addColumn("product_line", "text")
    .addColumn("document_type", "text")
    .addColumn("provenance", "text", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("valid_from", "text")
    .addColumn("valid_to", "text")
    .addColumn("url", "text")
    .addColumn("file", "text", (c) => c.notNull())
    .addColumn("format", "text", (c) => c.notNull())
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("content_sha256", "text", (c) => c.notNull())
    .addColumn("pages", "integer")
    .addColumn("characters", "integer", (c) => c.notNull())
    .addColumn("chunks", "integer", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text")
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("snapshot_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("live_at", "bigint")
    .execute();
  // One live document per version of a family, whatever an importer does.
  await sql`create unique index documents_live on documents (family, version) where state = 'live'`.execute(db);
  await db.schema.createIndex("documents_state").on("documents").columns(["state", "digest"]).execute();
  await db.schema
    .createTable("chunks")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement().notNull())
    .addColumn("document_id", "text", (c) => c.notNull().references("documents.id"))
    .addColumn("ordinal", "integer", (c) => c.notNull())
    .addColumn("page", "integer")
    .addColumn("heading", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("start", "integer", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("chunks_document").unique().on("chunks").columns(["document_id", "ordinal"]).execute();
  // Every document that goes live or is removed changes the version, in any process; the search index compares it.
  await db.insertInto("versions").values({ name: "corpus", version: 0 }).execute();
  const changes = [
    ["insert", "new.state = 'live'"],
    ["update", "new.state = 'live' or old.state = 'live'"],
    ["delete", "old.state = 'live'"],
  ] as const;
  for (const [event, when] of changes)
    await sql`create trigger ${sql.raw(`documents_version_${event}`)} after ${sql.raw(event)} on documents
      when ${sql.raw(when)} begin update versions set version = version + 1 where name = 'corpus'; end`.execute(db);
}
