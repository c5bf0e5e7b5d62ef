import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Audiences, and studies with their personas. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("audiences")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("market", "text", (c) => c.notNull())
    .addColumn("size", "integer", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("audiences_firm").on("audiences").columns(["firm_id", "id"]).execute();
  await db.schema
    .createTable("validations")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("audience_id", "text")
    .addColumn("audience_name", "text")
    .addColumn("audience_text", "text")
    .addColumn("hypothesis", "text", (c) => c.notNull())
    .addColumn("market", "text", (c) => c.notNull())
    .addColumn("decision_size", "text", (c) => c.notNull())
    .addColumn("size", "integer", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("seed", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("asked", "integer", (c) => c.notNull())
    .addColumn("verdict", "text")
    .addColumn("confidence", "real")
    .addColumn("summary", "text")
    .addColumn("report_json", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("charged_credits", "bigint")
    .addColumn("charged_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .execute();
  await db.schema.createIndex("validations_firm").on("validations").columns(["firm_id", "id"]).execute();
  await db.schema
    .createTable("validation_personas")
    .addColumn("validation_id", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("persona_json", "text", (c) => c.notNull())
    .addColumn("answer_json", "text")
    .addPrimaryKeyConstraint("validation_personas_pk", ["validation_id", "number"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
