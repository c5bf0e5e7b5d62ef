import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The origins of people's earlier sign-ins, and the transfers of each workspace. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("known_origins")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("known_origins_key", ["user_id", "hash"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("workspace_transfers")
    .addColumn("owner_id", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("workspace_transfers_key", ["owner_id", "seq"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
