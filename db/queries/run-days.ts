import { sql } from "kysely";
import { preparedUnscoped } from "../prepared.ts";
import type { RunDayTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import { type SystemDb, unscoped } from "../tenancy.ts";

/** Classes of duration grow by a quarter each, from 1 ms: a median read from them is within 12 % of the true one. */
const growth = Math.log(1.25);
const durationClass = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(Math.log(ms) / growth));
/** The middle of a class, in milliseconds. */
export const classMilliseconds = (index: number): number => (index === 0 ? 1 : Math.exp((index - 0.5) * growth));

interface Ended extends Omit<RunDayTable, "duration_class"> {
  readonly ms: number;
}

/** Terminal runs by their receipts, counted together where they have everything in common that is counted by. */
const endedBetween = preparedUnscoped<{ from: number; upto: number }, Ended>((db, value) =>
  db
    .selectFrom("receipts")
    .innerJoin("runs", "runs.seq", "receipts.run_seq")
    .select((eb) => [
      ...(["runs.workspace_id", "runs.firm_id", "runs.status"] as const),
      sql<string>`strftime('%Y-%m-%d', coalesce(runs.finished_at, runs.created_at) / 1000, 'unixepoch')`.as("day"),
      sql<string>`coalesce(runs.capability, runs.use_case, '')`.as("subject"),
      sql<number>`coalesce(runs.finished_at, runs.created_at) - runs.created_at`.as("ms"),
      eb.fn.countAll<number>().as("runs"),
      eb.fn.sum<number>("runs.charged_credits").as("credits"),
    ])
    .where("receipts.seq", ">", value("from"))
    .where("receipts.seq", "<=", value("upto"))
    .groupBy(["runs.workspace_id", "runs.firm_id", "runs.status", "day", "subject", "ms"]),
);

/**
 * Enters runs into the counts of the days on which they ended, by the places of their receipts. The rows go over as one
 * text: a statement with a parameter for each of their columns would have to be built and compiled again each time.
 */
export async function countEnded(tx: Db, from: number, upto: number): Promise<void> {
  const ended = await endedBetween.all(unscoped(tx), { from, upto });
  const rows = ended.map(({ ms, ...row }) => ({ ...row, duration_class: durationClass(ms) }));
  await sql`insert into run_days (day, workspace_id, firm_id, subject, status, duration_class, runs, credits)
    select value ->> 'day', value ->> 'workspace_id', value ->> 'firm_id', value ->> 'subject', value ->> 'status',
      value ->> 'duration_class', value ->> 'runs', value ->> 'credits'
    from json_each(${JSON.stringify(rows)}) where true
    on conflict (day, workspace_id, subject, status, duration_class) do update
      set runs = runs + excluded.runs, credits = credits + excluded.credits`.execute(unscoped(tx));
}

/** The workspaces' counts since a day. The table is up to date. */
export const runDaysOf = (db: Db, workspace_ids: readonly string[], day: string): Promise<RunDayTable[]> =>
  db
    .selectFrom("run_days")
    .selectAll()
    .where("workspace_id", "in", [...workspace_ids])
    .where("day", ">=", day)
    .execute();

/** All tenants' counts since a day, of a table that is up to date, for statistics that withhold what too few tenants stand behind. */
export const allRunDays = (db: SystemDb, day: string): Promise<RunDayTable[]> =>
  db.selectFrom("run_days").selectAll().where("day", ">=", day).execute();
