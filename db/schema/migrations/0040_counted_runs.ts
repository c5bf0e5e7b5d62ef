import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Counts the runs of every month. They had been counted only while a limit was set, but were refunded either way. A run
 * refused before it started does not count.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`delete from uses where name like 'runs:%'`.execute(db);
  await sql`insert into uses (firm_id, name, period, used)
    select firm_id, 'runs:' || coalesce(capability, use_case), strftime('%Y-%m', created_at / 1000, 'unixepoch'), count(*)
    from runs where status <> 'refused' or started_at is not null group by 1, 2, 3`.execute(db);
}
