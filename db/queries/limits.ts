import { prepared } from "../prepared.ts";
import type { MonthlyLimitTable } from "../schema/job-tables.ts";
import type { Db } from "../store.ts";

/** As a firm's id: the whole installation. As a subject: every subject. */
export const anybody = "";

/** The columns that identify a limit. */
export type LimitKey = Pick<MonthlyLimitTable, "firm_id" | "subject" | "name">;

/** The limits that may apply to a subject of a firm: its own, its firm's and the installation's. */
export const limitsFor = prepared<LimitKey, MonthlyLimitTable>((db, value) =>
  db
    .selectFrom("monthly_limits")
    .selectAll()
    .where("firm_id", "in", [value("firm_id"), anybody])
    .where("subject", "in", [value("subject"), anybody])
    .where("name", "=", value("name")),
);

/** Exactly this limit, without falling back to a more general one. */
export const limitOf = (db: Db, { firm_id, subject, name }: LimitKey): Promise<MonthlyLimitTable | undefined> =>
  db
    .selectFrom("monthly_limits")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("subject", "=", subject)
    .where("name", "=", name)
    .executeTakeFirst();

/** A firm's limits, or the installation's, by name. */
export const limitsOf = (db: Db, firm_id: string): Promise<MonthlyLimitTable[]> =>
  db
    .selectFrom("monthly_limits")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .orderBy("name")
    .orderBy("subject")
    .execute();

export const setLimit = (db: Db, limit: MonthlyLimitTable) =>
  db
    .insertInto("monthly_limits")
    .values(limit)
    .onConflict((c) => c.columns(["firm_id", "subject", "name"]).doUpdateSet(limit))
    .execute();

export const clearLimit = (db: Db, { firm_id, subject, name }: LimitKey) =>
  db
    .deleteFrom("monthly_limits")
    .where("firm_id", "=", firm_id)
    .where("subject", "=", subject)
    .where("name", "=", name)
    .execute();
