import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

interface Part {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Recreates a table without AUTOINCREMENT, which reads another table on each insert so that numbers of deleted rows are
 * not reused. Nothing is ever deleted from these tables.
 */
async function withoutAutoincrement(db: Kysely<Tables>, table: string): Promise<void> {
  const { rows } = await sql<Part>`select type, name, sql from sqlite_master where tbl_name = ${table}`.execute(db);
  const old = `${table}_before`;
  const own = rows.find(({ type }) => type === "table")?.sql ?? "";
  const behind = rows.filter(({ type, sql }) => type !== "table" && sql !== null);
  for (const { type, name } of behind) await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(db);
  await sql`alter table ${sql.table(table)} rename to ${sql.table(old)}`.execute(db);
  await sql.raw(own.replace(/ autoincrement/i, "")).execute(db);
  await sql`insert into ${sql.table(table)} select * from ${sql.table(old)} order by seq`.execute(db);
  await db.schema.dropTable(old).execute();
  for (const part of behind) await sql.raw(part.sql ?? "").execute(db);
}

/**
 * Makes a run's row its snapshot: the statechart's other data moves into the row, and the copy is dropped. Receipts are
 * ordered by the runs' ends, so that daily counts can be filled from them in batches.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("runs")
    .addColumn("revision", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .alterTable("runs")
    .addColumn("proposed_credits", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  // Only an unfinished run will change again, and the few of those are found by their effects.
  await sql`update runs set
      revision = coalesce((select revision from snapshots where actor_id = runs.id), 1),
      proposed_credits = coalesce(
        (select json_extract(snapshot_json, '$.context.proposed') from snapshots where actor_id = runs.id), 0)
    where id in (select actor_id from effects where machine = 'run')`.execute(db);
  await db.deleteFrom("snapshots").where("machine", "=", "run").execute();

  await db.schema.alterTable("receipts").renameTo("receipts_by_id").execute();
  await db.schema
    .createTable("receipts")
    .addColumn("seq", "integer", (c) => c.primaryKey())
    .addColumn("run_seq", "integer", (c) => c.notNull().unique())
    .addColumn("receipt", "text", (c) => c.notNull())
    .execute();
  await sql`insert into receipts (run_seq, receipt)
    select runs.seq, old.receipt from receipts_by_id as old join runs on runs.id = old.run_id
    order by runs.finished_at, runs.seq`.execute(db);
  await db.schema.dropTable("receipts_by_id").execute();
  // Until now the daily counts were kept together with the runs.
  await sql`insert into watermarks (name, seq) select 'run_days', coalesce(max(seq), 0) from receipts`.execute(db);

  for (const table of ["transfers", "runs", "idempotency"]) await withoutAutoincrement(db, table);

  // A quota is cached under the same version as access rights.
  for (const event of ["insert", "delete", "update"])
    await sql`create trigger ${sql.raw(`quotas_version_${event}`)} after ${sql.raw(event)} on quotas
      begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
