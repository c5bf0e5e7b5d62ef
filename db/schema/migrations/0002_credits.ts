import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The ledger: balances, and append-only transfers. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("balances")
    .addColumn("account", "text", (c) => c.primaryKey().notNull())
    .addColumn("available", "bigint", (c) => c.notNull())
    .addColumn("reserved", "bigint", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("transfers")
    .addColumn("seq", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("debit", "text", (c) => c.notNull())
    .addColumn("credit", "text", (c) => c.notNull())
    .addColumn("amount", "bigint", (c) => c.notNull().check(sql`amount > 0`))
    .addColumn("run_id", "text")
    .addColumn("step", "text")
    .addColumn("reason", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("firm_transfers")
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("firm_transfers_pk", ["firm_id", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("watermarks")
    .addColumn("name", "text", (c) => c.primaryKey().notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .execute();
  // The database itself guarantees that each (run, step) settles at most once to each account, whatever the code does.
  await sql`create unique index transfers_settled_once on transfers (run_id, step, credit) where kind = 'settle'`.execute(
    db,
  );
  for (const verb of ["update", "delete"])
    await sql`create trigger ${sql.raw(`transfers_no_${verb}`)} before ${sql.raw(verb)} on transfers
      begin select raise(abort, 'the ledger is append-only'); end`.execute(db);
}
