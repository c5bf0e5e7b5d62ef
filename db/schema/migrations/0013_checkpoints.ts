import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The results of parts of a long step, so that a crash repeats none of them. Deleted with the step. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("checkpoints")
    .addColumn("actor_id", "text", (c) => c.notNull())
    .addColumn("step", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("value_json", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("checkpoints_pk", ["actor_id", "step", "key"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
