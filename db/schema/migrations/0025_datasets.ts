import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Imported datasets: their tables, and the tables of each version. The tables' rows are in separate files. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("dataset_tables")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("dataset", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("facts_json", "text", (c) => c.notNull())
    .addColumn("reading_json", "text", (c) => c.notNull())
    .addColumn("file", "text", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("rows", "integer", (c) => c.notNull())
    .addColumn("refused", "integer", (c) => c.notNull())
    .addColumn("records", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("dataset_versions")
    .addColumn("dataset", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("tables_json", "text", (c) => c.notNull())
    .addColumn("cause", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("dataset_versions_key", ["dataset", "number"])
    .execute();
}
