import type { Db } from "./connection.ts";
import { prepared } from "./prepared.ts";
import type { RunDayTable } from "./tables.ts";
import type { HostDb } from "./tenancy.ts";

/** Classes of duration grow by a quarter each, from 1 ms: a median read from them is within 12 % of the true one. */
const growth = Math.log(1.25);
export const durationClass = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(Math.log(ms) / growth));
/** The middle of a class, in milliseconds. */
export const classMilliseconds = (index: number): number => (index === 0 ? 1 : Math.exp((index - 0.5) * growth));

export const countRun = prepared<RunDayTable>((db, value) =>
  db
    .insertInto("run_days")
    .values({
      day: value("day"),
      workspace_id: value("workspace_id"),
      firm_id: value("firm_id"),
      subject: value("subject"),
      status: value("status"),
      duration_class: value("duration_class"),
      runs: value("runs"),
      credits: value("credits"),
    })
    .onConflict((c) =>
      c.columns(["day", "workspace_id", "subject", "status", "duration_class"]).doUpdateSet((eb) => ({
        runs: eb("run_days.runs", "+", eb.ref("excluded.runs")),
        credits: eb("run_days.credits", "+", eb.ref("excluded.credits")),
      })),
    ),
);

/** The workspaces' counts since a day. */
export const runDaysOf = (db: Db, workspace_ids: readonly string[], day: string): Promise<RunDayTable[]> =>
  db
    .selectFrom("run_days")
    .selectAll()
    .where("workspace_id", "in", [...workspace_ids])
    .where("day", ">=", day)
    .execute();

/** All tenants' counts since a day, for statistics that withhold what too few tenants stand behind. */
export const allRunDays = (db: HostDb, day: string): Promise<RunDayTable[]> =>
  db.selectFrom("run_days").selectAll().where("day", ">=", day).execute();
