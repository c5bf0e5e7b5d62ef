import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Files uploaded for import, and the outcome of each. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("document_imports")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("file", "text", (c) => c.notNull())
    .addColumn("facts_json", "text", (c) => c.notNull())
    .addColumn("bytes", "bigint", (c) => c.notNull())
    .addColumn("content_sha256", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("report_json", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
}
