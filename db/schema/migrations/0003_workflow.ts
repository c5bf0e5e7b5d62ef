import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Actors' snapshots, their effects, idempotency claims, and the audit chain. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("snapshots")
    .addColumn("actor_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("machine", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("snapshot_json", "text", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("effects")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("actor_id", "text", (c) => c.notNull())
    .addColumn("machine", "text", (c) => c.notNull())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("engine", "text", (c) => c.notNull())
    .addColumn("payload_json", "text", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  // Rows are stored in order of arrival; only the narrow index over the digest is touched at random positions.
  await db.schema
    .createTable("idempotency")
    .addColumn("seq", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("digest", "blob", (c) => c.notNull().unique())
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("operation", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("input_hash", "text", (c) => c.notNull())
    .addColumn("resource_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("audit")
    .addColumn("seq", "integer", (c) => c.primaryKey())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("firm_id", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("data_json", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .execute();
  for (const verb of ["update", "delete"])
    await sql`create trigger ${sql.raw(`audit_no_${verb}`)} before ${sql.raw(verb)} on audit
      begin select raise(abort, 'the audit log is append-only'); end`.execute(db);
}
