import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * When a session's person last proved their identity. Earlier sessions do not record it, so some actions need a
 * sign-in.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("sessions").addColumn("authenticated_at", "bigint").execute();
}
