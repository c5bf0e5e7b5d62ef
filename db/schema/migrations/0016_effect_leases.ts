import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Who carries an effect out, and until when nobody else may. Effects of earlier versions are nobody's: the next start takes them up. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("effects").addColumn("owner", "text").execute();
  await db.schema
    .alterTable("effects")
    .addColumn("lease_until", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}
