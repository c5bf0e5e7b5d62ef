import { sql } from "kysely";
import type { SystemDb } from "../tenancy.ts";

/** A total over all tenants, named by a state, for example. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

/** Counts the unfinished runs by status. */
export const countUnfinishedRuns = async (db: SystemDb): Promise<readonly Figure[]> =>
  (
    await sql<Figure>`select r.status as name, count(*) as value from runs r
      where r.id in (select actor_id from effects where machine = 'run') group by r.status`.execute(db)
  ).rows;

/** Counts the finished runs by status: the daily counts plus the runs that ended after them. */
export const countEndedRuns = async (db: SystemDb): Promise<readonly Figure[]> =>
  (
    await sql<Figure>`select name, sum(value) as value from (
        select status as name, sum(runs) as value from run_days group by status
        union all
        select r.status as name, count(*) as value from receipts c join runs r on r.seq = c.run_seq
          where c.seq > coalesce((select seq from watermarks where name = 'run_days'), 0) group by r.status
      ) group by name`.execute(db)
  ).rows;

/** Sums the credits that firms hold, and that the platform and all providers have earned. */
export const sumCredits = async (db: SystemDb): Promise<readonly Figure[]> =>
  (
    await sql<Figure>`select 'available' as name, coalesce(sum(available), 0) as value from balances where account like 'firm:%'
      union all select 'reserved', coalesce(sum(reserved), 0) from balances where account like 'firm:%'
      union all select 'platform', coalesce(sum(available), 0) from balances where account = 'platform'
      union all select 'providers', coalesce(sum(available), 0) from balances where account like 'provider:%'`.execute(
      db,
    )
  ).rows;
