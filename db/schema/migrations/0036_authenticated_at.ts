import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** When a session's person last proved who they are. Earlier sessions say nothing of it: what asks for it asks to sign in. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("sessions").addColumn("authenticated_at", "bigint").execute();
}
