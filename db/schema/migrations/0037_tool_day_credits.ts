import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** A run is charged after the call that began it was counted: credits are those of the runs, and no longer of the call. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("tool_days").dropColumn("credits").execute();
}
