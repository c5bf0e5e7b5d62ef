import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** The market that a study's audience is described for. Earlier studies do not record it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable("validations").addColumn("audience_market", "text").execute();
}
