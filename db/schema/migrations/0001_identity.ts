import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Firms, people, workspaces, keys, and the operator's gates and entitlements. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("firms")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("full_name", "text")
    .addColumn("locale", "text", (c) => c.notNull())
    .addColumn("country", "text")
    .addColumn("password_hash", "text")
    .addColumn("email_confirmed_at", "bigint")
    .addColumn("last_sign_in_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("members")
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("members_pk", ["user_id", "firm_id"])
    .execute();
  await db.schema
    .createTable("workspaces")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("workspaces_slug", ["firm_id", "slug"])
    .execute();
  await db.schema
    .createTable("api_keys")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("prefix", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("api_keys_by_user").on("api_keys").columns(["user_id", "id"]).execute();
  await db.schema
    .createTable("entitlements")
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("granted_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("entitlements_pk", ["firm_id", "name"])
    .execute();
  await db.schema
    .createTable("gates")
    .addColumn("name", "text", (c) => c.primaryKey().notNull())
    .addColumn("open", "integer", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addColumn("changed_by", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("quotas")
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("capability", "text", (c) => c.notNull())
    .addColumn("monthly_runs", "integer", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("quotas_pk", ["firm_id", "capability"])
    .execute();
  await db.schema
    .createTable("signing_keys")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("public_jwk_json", "text", (c) => c.notNull())
    .addColumn("private_jwk_encrypted", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("retired_at", "bigint")
    .execute();
  await db.schema
    .createTable("versions")
    .addColumn("name", "text", (c) => c.primaryKey().notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.insertInto("versions").values({ name: "access", version: 0 }).execute();
  // Every change of access rights changes the version, in any process; see `db/queries/access-version.ts`.
  const changes = {
    api_keys: ["insert", "delete", "update of user_id, scopes_json, expires_at, revoked_at"],
    members: ["insert", "delete", "update"],
    entitlements: ["insert", "delete", "update"],
    gates: ["insert", "delete", "update"],
    workspaces: ["insert", "delete", "update"],
  };
  for (const [table, events] of Object.entries(changes))
    for (const [i, event] of events.entries())
      await sql`create trigger ${sql.raw(`${table}_version_${i}`)} after ${sql.raw(event)} on ${sql.table(table)}
        begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
