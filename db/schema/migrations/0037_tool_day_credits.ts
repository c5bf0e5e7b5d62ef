import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * A run is charged after the call that started it was counted, so credits are now taken from the runs, not the calls.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("tool_days").dropColumn("credits").execute();
}
