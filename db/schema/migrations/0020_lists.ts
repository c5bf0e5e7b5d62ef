import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Indexes for list filters, and the balance after each ledger entry. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("use_case_runs")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("use_case", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("use_case_runs_pk", ["workspace_id", "use_case", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
  // The sequence numbers of a workspace's runs per day, so that listing last year's runs need not start from today.
  await db.schema
    .createTable("workspace_days")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("first_seq", "integer", (c) => c.notNull())
    .addColumn("last_seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("workspace_days_pk", ["workspace_id", "day"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await sql`insert into use_case_runs (workspace_id, use_case, seq)
    select workspace_id, use_case, seq from runs where use_case is not null`.execute(db);
  await sql`insert into workspace_days (workspace_id, day, first_seq, last_seq)
    select workspace_id, created_at / 86400000, min(seq), max(seq) from runs group by 1, 2`.execute(db);
  await sql`insert into watermarks (name, seq)
    select name, (select coalesce(max(seq), 0) from runs)
    from (select 'use_case_runs' as name union all select 'workspace_days')`.execute(db);
  // A derived table, recreated with the balances.
  await db.schema.dropTable("firm_transfers").execute();
  await db.schema
    .createTable("firm_transfers")
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("available_after", "bigint", (c) => c.notNull())
    .addColumn("reserved_after", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("firm_transfers_pk", ["firm_id", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
  const change = (figure: string) => sql`sum(case
      when credit = 'firm:' || firm_id || ${figure} then amount
      when debit = 'firm:' || firm_id || ${figure} then -amount else 0 end)
    over (partition by firm_id order by seq)`;
  await sql`insert into firm_transfers (firm_id, seq, available_after, reserved_after)
    select firm_id, seq, ${change("/available")}, ${change("/reserved")} from transfers`.execute(db);
  await db.deleteFrom("watermarks").where("name", "=", "firm_transfers").execute();
  await sql`insert into watermarks (name, seq) select 'firm_transfers', coalesce(max(seq), 0) from transfers`.execute(
    db,
  );
  await db.schema.createIndex("jobs_by_user").on("jobs").columns(["user_id", "workspace_id", "id"]).execute();
}
