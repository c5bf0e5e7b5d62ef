import { prepared } from "../prepared.ts";
import type { UseTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const usesOf = prepared<{ firm_id: string; name: string; period: string }, { used: number }>((db, value) =>
  db
    .selectFrom("uses")
    .select("used")
    .where("firm_id", "=", value("firm_id"))
    .where("name", "=", value("name"))
    .where("period", "=", value("period")),
);

/** Sets a counter. */
export const setUse = prepared<UseTable>((db, value) =>
  db
    .insertInto("uses")
    .values({ firm_id: value("firm_id"), name: value("name"), period: value("period"), used: value("used") })
    .onConflict((c) => c.columns(["firm_id", "name", "period"]).doUpdateSet({ used: value("used") })),
);

/** A firm's counters in a period, by name. */
export const usesIn = (db: Db, firm_id: string, period: string): Promise<UseTable[]> =>
  db
    .selectFrom("uses")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("period", "=", period)
    .orderBy("name")
    .execute();
