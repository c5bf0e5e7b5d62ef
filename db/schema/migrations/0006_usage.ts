import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** MCP calls, counted per key, day and tool. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("tool_days")
    .addColumn("firm_id", "text", (c) => c.notNull())
    .addColumn("key_id", "text", (c) => c.notNull())
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("tool", "text", (c) => c.notNull())
    .addColumn("calls", "integer", (c) => c.notNull())
    .addColumn("errors", "integer", (c) => c.notNull())
    .addColumn("credits", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_days_pk", ["firm_id", "key_id", "day", "tool"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
