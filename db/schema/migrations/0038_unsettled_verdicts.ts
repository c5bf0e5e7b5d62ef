import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * Completes, without a verdict, the studies that were cancelled between their verdict and their run's charge. They had
 * kept the verdict though no one was charged for it; other studies whose run ended early have no verdict either.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const unsettled = sql`select validations.id from validations join runs on runs.id = validations.id
    join json_each(runs.steps_json) as step on 'market-validator' =
      coalesce(json_extract(step.value, '$.capability'), json_extract(step.value, '$.key'))
    where validations.verdict is not null and runs.finished_at is not null
      and coalesce(json_extract(step.value, '$.status'), 'succeeded') <> 'succeeded'`;
  await sql`update snapshots set snapshot_json = json_set(snapshot_json, '$.context.reason', 'cancelled')
    where machine = 'validation' and actor_id in (${unsettled})`.execute(db);
  await sql`update validations set verdict = null, confidence = null, summary = null, report_json = null,
    error_code = 'cancelled',
    error_message = 'Its run ended before its verdict was delivered: nothing was charged for it.'
    where id in (${unsettled})`.execute(db);
}
