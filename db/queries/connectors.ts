import type { ConnectorTable } from "../schema/job-tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

/** All firms' connectors, by slug. For the registry, which shows each only to its firm. */
export const allConnectors = (db: SystemDb): Promise<ConnectorTable[]> =>
  db.selectFrom("connectors").selectAll().orderBy("slug").execute();

export const connectorsOf = (db: Db, firm_id: string): Promise<ConnectorTable[]> =>
  db.selectFrom("connectors").selectAll().where("firm_id", "=", firm_id).orderBy("slug").execute();

export const connectorOf = (db: Db, firm_id: string, slug: string): Promise<ConnectorTable | undefined> =>
  db.selectFrom("connectors").selectAll().where("firm_id", "=", firm_id).where("slug", "=", slug).executeTakeFirst();

/** Inserts a connector, or replaces the firm's connector of that slug. */
export const setConnector = (db: Db, connector: ConnectorTable) => {
  const { manifest_json, secret_encrypted, changed_at } = connector;
  return db
    .insertInto("connectors")
    .values(connector)
    .onConflict((c) => c.column("slug").doUpdateSet({ manifest_json, secret_encrypted, changed_at }))
    .execute();
};

/** Deletes a connector. Returns whether the firm had it. */
export async function deleteConnector(db: Db, firm_id: string, slug: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("connectors")
    .where("firm_id", "=", firm_id)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
