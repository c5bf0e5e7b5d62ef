import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** The operators, the idempotency keys of their credit changes, and the purpose of API keys. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("users")
    .addColumn("is_operator", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("api_keys").addColumn("purpose", "text").execute();
  await db.schema
    .createTable("operator_claims")
    .addColumn("key", "text", (c) => c.primaryKey().notNull())
    .addColumn("body_sha256", "text", (c) => c.notNull())
    .addColumn("claimed_at", "bigint", (c) => c.notNull())
    .execute();
}
