import { prepared } from "../prepared.ts";
import type { GateTable, QuotaTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const entitlementsOf = prepared<{ firm_id: string }, { name: string }>((db, value) =>
  db.selectFrom("entitlements").select("name").where("firm_id", "=", value("firm_id")).orderBy("name"),
);

/** Grants an entitlement. Returns whether it is new to the firm. */
export async function grantEntitlement(db: Db, firm_id: string, name: string, granted_at: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("entitlements")
    .values({ firm_id, name, granted_at })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Withdraws an entitlement. Returns whether the firm held it. */
export async function withdrawEntitlement(db: Db, firm_id: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("entitlements")
    .where("firm_id", "=", firm_id)
    .where("name", "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The names of all open gates. */
export const openGates = prepared<object, { name: string }>((db) =>
  db.selectFrom("gates").select("name").where("open", "=", 1).orderBy("name"),
);

export const allGates = (db: Db): Promise<GateTable[]> => db.selectFrom("gates").selectAll().orderBy("name").execute();

export async function setGate(db: Db, gate: GateTable): Promise<void> {
  await db
    .insertInto("gates")
    .values(gate)
    .onConflict((c) => c.column("name").doUpdateSet(gate))
    .execute();
}

export const quotaOf = prepared<{ firm_id: string; capability: string }, { monthly_runs: number }>((db, value) =>
  db
    .selectFrom("quotas")
    .select("monthly_runs")
    .where("firm_id", "=", value("firm_id"))
    .where("capability", "=", value("capability")),
);

export const quotasOf = (db: Db, firm_id: string): Promise<QuotaTable[]> =>
  db.selectFrom("quotas").selectAll().where("firm_id", "=", firm_id).orderBy("capability").execute();

export const setQuota = (db: Db, quota: QuotaTable) =>
  db
    .insertInto("quotas")
    .values(quota)
    .onConflict((c) => c.columns(["firm_id", "capability"]).doUpdateSet(quota))
    .execute();

export const clearQuota = (db: Db, firm_id: string, capability: string) =>
  db.deleteFrom("quotas").where("firm_id", "=", firm_id).where("capability", "=", capability).execute();
