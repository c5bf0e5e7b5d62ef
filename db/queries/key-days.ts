import { type RawBuilder, sql } from "kysely";
import type { Db } from "../store.ts";

/** Adds finished runs to the daily counts of their keys, by their receipts' sequence numbers. */
export const enterKeyDays = (after: RawBuilder<number>) =>
  sql`insert into key_days (workspace_id, day, key_id, firm_id, runs, succeeded, credits)
    select runs.workspace_id, strftime('%Y-%m-%d', coalesce(runs.finished_at, runs.created_at) / 1000, 'unixepoch'),
      coalesce(runs.api_key_id, ''), runs.firm_id, count(*), sum(runs.status = 'succeeded'), sum(runs.charged_credits)
    from receipts join runs on runs.seq = receipts.run_seq
    where receipts.seq > ${after} group by 1, 2, 3, 4
    on conflict (workspace_id, day, key_id) do update set runs = runs + excluded.runs,
      succeeded = succeeded + excluded.succeeded, credits = credits + excluded.credits`;

/** Runs that ended on one day, counted together. */
export interface CountedDay {
  /** `YYYY-MM-DD` (UTC). */
  readonly day: string;
  /** A capability's or use case's slug, or a key's id; empty for no key. */
  readonly subject: string;
  readonly runs: number;
  readonly succeeded: number;
  readonly credits: number;
}

/** The period of a usage report; both days are included. */
export interface Days {
  readonly workspace_ids: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** Counts by day and key. `key_days` must be caught up. */
export const daysByKey = (db: Db, { workspace_ids, from, to }: Days): Promise<CountedDay[]> =>
  db
    .selectFrom("key_days")
    .select((eb) => [
      "day",
      "key_id as subject",
      eb.fn.sum<number>("runs").as("runs"),
      eb.fn.sum<number>("succeeded").as("succeeded"),
      eb.fn.sum<number>("credits").as("credits"),
    ])
    .where("workspace_id", "in", [...workspace_ids])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["day", "key_id"])
    .orderBy("day")
    .execute();

/** Counts by day and by what was run. `run_days` must be caught up. */
export const daysBySubject = (db: Db, { workspace_ids, from, to }: Days): Promise<CountedDay[]> =>
  db
    .selectFrom("run_days")
    .select((eb) => [
      "day",
      "subject",
      eb.fn.sum<number>("runs").as("runs"),
      eb.fn.sum<number>(eb.case().when("status", "=", "succeeded").then(eb.ref("runs")).else(0).end()).as("succeeded"),
      eb.fn.sum<number>("credits").as("credits"),
    ])
    .where("workspace_id", "in", [...workspace_ids])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(["day", "subject"])
    .orderBy("day")
    .execute();
