import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Runs per key and day; who sent an invitation; and whether its link went only to the address, which following it
 * proves.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("key_days")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("key_id", "text", (c) => c.notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("runs", "integer", (c) => c.notNull())
    .addColumn("succeeded", "integer", (c) => c.notNull())
    .addColumn("credits", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("key_days_pk", ["workspace_id", "day", "key_id"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await sql`insert into key_days (workspace_id, day, key_id, firm_id, runs, succeeded, credits)
    select runs.workspace_id, strftime('%Y-%m-%d', coalesce(runs.finished_at, runs.created_at) / 1000, 'unixepoch'),
      coalesce(runs.api_key_id, ''), runs.firm_id, count(*), sum(runs.status = 'succeeded'), sum(runs.charged_credits)
    from receipts join runs on runs.seq = receipts.run_seq group by 1, 2, 3, 4`.execute(db);
  await sql`insert into watermarks (name, seq) select 'key_days', coalesce(max(seq), 0) from receipts`.execute(db);
  await db.schema
    .alterTable("invitations")
    .addColumn("proves_address", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("invitations").addColumn("invited_by", "text").execute();
}
