import { type RawBuilder, sql } from "kysely";
import type { RunDayTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";
import type { Days } from "./key-days.ts";

/** Duration classes grow by 25 % each, from 1 ms, so that a median read from them is within 12 % of the true one. */
const growth = Math.log(1.25);
const durationClass = (ms: RawBuilder<number>) => sql`case when ${ms} <= 1 then 0 else ceil(ln(${ms}) / ${growth}) end`;
/** Returns the middle of a class, in milliseconds. */
export const classMilliseconds = (index: number): number => (index === 0 ? 1 : Math.exp((index - 0.5) * growth));

const finishedAt = sql<number>`coalesce(runs.finished_at, runs.created_at)`;

/** Adds finished runs to the counts of the days on which they ended, by their receipts' sequence numbers. */
export const enterRunDays = (after: RawBuilder<number>) =>
  sql`insert into run_days (workspace_id, firm_id, subject, status, day, duration_class, runs, credits)
    select runs.workspace_id, runs.firm_id, coalesce(runs.capability, runs.use_case, ''), runs.status,
      strftime('%Y-%m-%d', ${finishedAt} / 1000, 'unixepoch'), ${durationClass(sql`${finishedAt} - runs.created_at`)},
      count(*), sum(runs.charged_credits)
    from receipts join runs on runs.seq = receipts.run_seq
    where receipts.seq > ${after} group by 1, 2, 3, 4, 5, 6
    on conflict (day, workspace_id, subject, status, duration_class) do update
      set runs = runs + excluded.runs, credits = credits + excluded.credits`;

/** The workspaces' counts from one day to another, both included. `run_days` must be caught up. */
export const runDaysOf = (db: Db, { workspace_ids, from, to }: Days): Promise<RunDayTable[]> =>
  db
    .selectFrom("run_days")
    .selectAll()
    .where("workspace_id", "in", [...workspace_ids])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .execute();

/**
 * All tenants' counts since a day, for statistics that withhold figures of too few tenants. `run_days` must be caught
 * up.
 */
export const allRunDays = (db: SystemDb, day: string): Promise<RunDayTable[]> =>
  db.selectFrom("run_days").selectAll().where("day", ">=", day).execute();
