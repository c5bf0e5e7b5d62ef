import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The subjects under which external identity providers know people. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("external_identities")
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("external_identities_pk", ["issuer", "subject"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
