import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * The process that carries out an effect, and when others may take it. Effects of earlier versions have no owner and
 * are taken at the next start.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("effects").addColumn("owner", "text").execute();
  await db.schema
    .alterTable("effects")
    .addColumn("lease_until", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}
