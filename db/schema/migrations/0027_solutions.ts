import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** The architect's solutions, with their saved compositions. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("solutions")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("intake_json", "text", (c) => c.notNull())
    .addColumn("choices_json", "text", (c) => c.notNull())
    .addColumn("saved_json", "text")
    .addColumn("saved_sha256", "text")
    .addColumn("consent_email", "text")
    .addColumn("consented_at", "bigint")
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("snapshot_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
}
