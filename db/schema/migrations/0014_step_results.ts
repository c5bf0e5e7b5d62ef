import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Long results of steps, separate from the run's row, which each transition rewrites. Results of earlier versions stay
 * in their rows: the steps there state where each one is.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("step_results")
    .addColumn("run_seq", "integer", (c) => c.notNull())
    .addColumn("step", "text", (c) => c.notNull())
    .addColumn("result_json", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("step_results_pk", ["run_seq", "step"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
