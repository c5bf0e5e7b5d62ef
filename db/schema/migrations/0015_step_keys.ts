import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** What a step's output is sealed under until a person has approved it. Its row is the only key: gone with it, so is the output. */
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
