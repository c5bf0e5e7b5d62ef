import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * A run's row is its snapshot: what the statechart knows besides comes into it, and its copy goes. Receipts are found by
 * their run's place, which costs an index less.
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
  // Only an unfinished run will be moved again, and the few of these have an effect that leads to them.
  await sql`update runs set
      revision = coalesce((select revision from snapshots where actor_id = runs.id), 1),
      proposed_credits = coalesce(
        (select json_extract(snapshot_json, '$.context.proposed') from snapshots where actor_id = runs.id), 0)
    where id in (select actor_id from effects where machine = 'run')`.execute(db);
  await db.deleteFrom("snapshots").where("machine", "=", "run").execute();

  await db.schema.alterTable("receipts").renameTo("receipts_by_id").execute();
  await db.schema
    .createTable("receipts")
    .addColumn("run_seq", "integer", (c) => c.primaryKey().notNull())
    .addColumn("receipt", "text", (c) => c.notNull())
    .execute();
  await sql`insert into receipts (run_seq, receipt)
    select runs.seq, old.receipt from receipts_by_id as old join runs on runs.id = old.run_id
    order by runs.seq`.execute(db);
  await db.schema.dropTable("receipts_by_id").execute();

  // A quota is remembered as long as who may do what stands.
  for (const event of ["insert", "delete", "update"])
    await sql`create trigger ${sql.raw(`quotas_version_${event}`)} after ${sql.raw(event)} on quotas
      begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
