import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** OAuth for `/mcp`: registered programs, the connections that people authorised, and their tokens and codes. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("oauth_clients")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("name", "text")
    .addColumn("client_uri", "text")
    .addColumn("redirect_uris_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema
    .createIndex("oauth_clients_by_use")
    .on("oauth_clients")
    .columns(["last_used_at", "created_at"])
    .execute();
  await db.schema
    .createTable("connections")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("client_id", "text")
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.unique())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("connections_by_user").on("connections").columns(["user_id", "id"]).execute();
  await db.schema.createIndex("connections_by_client").on("connections").column("client_id").execute();
  await db.schema
    .createTable("connection_tokens")
    .addColumn("hash", "text", (c) => c.primaryKey().notNull())
    .addColumn("connection_id", "text", (c) => c.notNull().references("connections.id").onDelete("cascade"))
    .addColumn("parent", "text")
    .addColumn("successor_used_at", "bigint")
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createIndex("connection_tokens_by_connection")
    .on("connection_tokens")
    .column("connection_id")
    .execute();
  await db.schema
    .createTable("oauth_codes")
    .addColumn("hash", "text", (c) => c.primaryKey().notNull())
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("client_name", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("workspace_id", "text")
    .addColumn("redirect_uri", "text", (c) => c.notNull())
    .addColumn("challenge", "text", (c) => c.notNull())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("resource", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .addColumn("replayed_at", "bigint")
    .addColumn("connection_id", "text")
    .addColumn("session_id", "text")
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema.createIndex("oauth_codes_by_expiry").on("oauth_codes").column("expires_at").execute();
  // A revoked connection stops working with the next request; see `db/queries/access-version.ts`.
  for (const [i, event] of ["delete", "update of revoked_at"].entries())
    await sql`create trigger ${sql.raw(`connections_version_${i}`)} after ${sql.raw(event)} on connections
      begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
