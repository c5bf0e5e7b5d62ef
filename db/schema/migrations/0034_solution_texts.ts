import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Texts that a language model wrote for solutions, or why there are none, by the document that they were written for.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("solution_texts")
    .addColumn("solution_id", "text", (c) => c.notNull())
    .addColumn("of_sha256", "text", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("text_json", "text")
    .addColumn("failure", "text")
    .addColumn("asks", "integer", (c) => c.notNull())
    .addColumn("asked_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("solution_texts_pk", ["solution_id", "of_sha256", "model"])
    .execute();
  await db.schema.createIndex("solution_texts_asked").on("solution_texts").columns(["firm_id", "asked_at"]).execute();
}
