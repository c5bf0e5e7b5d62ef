import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** What parts of a long step came to, so that a crash repeats none of them. Gone with the step. */
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
