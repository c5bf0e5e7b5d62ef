import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Capabilities that are private to a firm and served externally. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("connectors")
    .addColumn("slug", "text", (c) => c.primaryKey().notNull())
    .addColumn("firm_id", "text", (c) => c.notNull().references("firms.id"))
    .addColumn("manifest_json", "text", (c) => c.notNull())
    .addColumn("secret_encrypted", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  // A running server sees a change with its next request; see `db/queries/access-version.ts`.
  for (const event of ["insert", "delete", "update"])
    await sql`create trigger ${sql.raw(`connectors_version_${event}`)} after ${sql.raw(event)} on connectors
      begin update versions set version = version + 1 where name = 'access'; end`.execute(db);
}
