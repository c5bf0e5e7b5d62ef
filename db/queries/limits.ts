import { prepared } from "../prepared.ts";
import type { MonthlyLimitTable } from "../schema/job-tables.ts";
import type { Db } from "../store.ts";

/** In place of a firm's id: the whole installation. In place of a subject: everybody. */
export const anybody = "";

/** What a limit is told apart by. */
export type LimitKey = Pick<MonthlyLimitTable, "firm_id" | "subject" | "name">;

/** The limits that may apply to a subject of a firm: its own, its firm's, the installation's. */
export const limitsFor = prepared<LimitKey, MonthlyLimitTable>((db, value) =>
  db
    .selectFrom("monthly_limits")
    .selectAll()
    .where("firm_id", "in", [value("firm_id"), anybody])
    .where("subject", "in", [value("subject"), anybody])
    .where("name", "=", value("name")),
);

/** The very limit, not one that stands in for it. */
export const limitOf = (db: Db, { firm_id, subject, name }: LimitKey): Promise<MonthlyLimitTable | undefined> =>
  db
    .selectFrom("monthly_limits")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("subject", "=", subject)
    .where("name", "=", name)
    .executeTakeFirst();

/** A firm's limits, or the installation's, in the order of their names. */
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
