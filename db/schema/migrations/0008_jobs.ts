import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Jobs, and monthly limits per key or person. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("jobs")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("api_key_id", "text")
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("stage", "text")
    .addColumn("completed", "integer", (c) => c.notNull())
    .addColumn("total", "integer", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("input_json", "text", (c) => c.notNull())
    .addColumn("result_json", "text")
    .addColumn("engine_json", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("quota", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .execute();
  await db.schema
    .createTable("monthly_limits")
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("monthly", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("monthly_limits_pk", ["firm_id", "subject", "name"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
