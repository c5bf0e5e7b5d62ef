import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Native sign-in: sessions with their refresh tokens, one-time tokens, invitations, and the mail outbox. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("provider", "text", (c) => c.notNull())
    .addColumn("user_agent", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint", (c) => c.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("sessions_by_user").on("sessions").columns(["user_id", "id"]).execute();
  await db.schema
    .createTable("refresh_tokens")
    .addColumn("hash", "text", (c) => c.primaryKey().notNull())
    .addColumn("session_id", "text", (c) => c.notNull().references("sessions.id").onDelete("cascade"))
    .addColumn("parent", "text")
    .addColumn("successor_used_at", "bigint")
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema.createIndex("refresh_tokens_by_session").on("refresh_tokens").column("session_id").execute();
  await db.schema
    .createTable("one_time_tokens")
    .addColumn("hash", "text", (c) => c.primaryKey().notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createIndex("one_time_tokens_by_user")
    .on("one_time_tokens")
    .columns(["user_id", "purpose"])
    .execute();
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("accepted_at", "bigint")
    .addColumn("accepted_by", "text")
    .execute();
  await db.schema
    .createTable("mail_outbox")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("recipient", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("html", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("last_error", "text")
    .addColumn("sent_at", "bigint")
    .execute();
  await db.schema.createIndex("mail_outbox_due").on("mail_outbox").column("due_at").execute();
  // A revoked session's access token must stop working at once; see `db/queries/access-version.ts`.
  for (const [i, event] of ["delete", "update of revoked_at"].entries())
    await sql`create trigger ${sql.raw(`sessions_version_${i}`)} after ${sql.raw(event)} on sessions
      begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
