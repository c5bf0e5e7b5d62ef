import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * The keys that steps' outputs are sealed under until a person has approved them. A row is the only copy of its key, so
 * deleting it makes the output unreadable.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("step_keys")
    .addColumn("run_id", "text", (c) => c.notNull())
    .addColumn("step", "text", (c) => c.notNull())
    .addColumn("sealed_key", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("step_keys_pk", ["run_id", "step"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
