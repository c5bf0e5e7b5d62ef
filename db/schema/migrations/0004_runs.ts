import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Runs, and the tables around them: quotes, saved configurations, usage counters, daily counts. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("seq", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("api_key_id", "text")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("capability", "text")
    .addColumn("use_case", "text")
    .addColumn("semantic_version", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("reason_code", "text")
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("surface", "text", (c) => c.notNull())
    .addColumn("input_json", "text", (c) => c.notNull())
    .addColumn("input_sha256", "text", (c) => c.notNull())
    .addColumn("engine_json", "text")
    .addColumn("steps_json", "text", (c) => c.notNull())
    .addColumn("approval_json", "text")
    .addColumn("maximum_credits", "bigint", (c) => c.notNull())
    .addColumn("reserved_credits", "bigint", (c) => c.notNull())
    .addColumn("charged_credits", "bigint", (c) => c.notNull())
    .addColumn("released_credits", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("workspace_runs")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("workspace_runs_pk", ["workspace_id", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("capability_runs")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("capability", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("capability_runs_pk", ["workspace_id", "capability", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
  // Queued and running runs are found by their effects, and nearly all others have succeeded. The few left need an
  // index.
  await sql`create index runs_by_exception on runs (workspace_id, status, seq)
    where status in ('failed', 'refused', 'awaiting_approval')`.execute(db);
  await db.schema
    .createTable("receipts")
    .addColumn("run_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("receipt", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("run_days")
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("duration_class", "integer", (c) => c.notNull())
    .addColumn("runs", "integer", (c) => c.notNull())
    .addColumn("credits", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("run_days_pk", ["day", "workspace_id", "subject", "status", "duration_class"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("uses")
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("period", "text", (c) => c.notNull())
    .addColumn("used", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("uses_pk", ["firm_id", "name", "period"])
    .execute();
  await db.schema
    .createTable("quotes")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("use_case", "text", (c) => c.notNull())
    .addColumn("semantic_version", "text", (c) => c.notNull())
    .addColumn("input_hash", "text", (c) => c.notNull())
    .addColumn("maximum_credits", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("saved_configurations")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("capability", "text", (c) => c.notNull())
    .addColumn("input_json", "text", (c) => c.notNull())
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_run_at", "bigint")
    .execute();
  await db.schema
    .createIndex("saved_configurations_by_workspace")
    .on("saved_configurations")
    .columns(["workspace_id", "id"])
    .execute();
}
