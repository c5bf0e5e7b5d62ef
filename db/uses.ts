import { prepared } from "./prepared.ts";

export const usesOf = prepared<{ firm_id: string; name: string; period: string }, { used: number }>((db, value) =>
  db
    .selectFrom("uses")
    .select("used")
    .where("firm_id", "=", value("firm_id"))
    .where("name", "=", value("name"))
    .where("period", "=", value("period")),
);

/** Adds to a count (or takes off it, with a negative `used`). */
export const countUse = prepared<{ firm_id: string; name: string; period: string; used: number }>((db, value) =>
  db
    .insertInto("uses")
    .values({ firm_id: value("firm_id"), name: value("name"), period: value("period"), used: value("used") })
    .onConflict((c) =>
      c.columns(["firm_id", "name", "period"]).doUpdateSet((eb) => ({
        used: eb("uses.used", "+", eb.ref("excluded.used")),
      })),
    ),
);
