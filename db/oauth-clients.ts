import type { Db } from "./connection.ts";
import type { OAuthClientTable } from "./oauth-tables.ts";
import type { HostDb } from "./tenancy.ts";

export const insertOAuthClient = (db: Db, client: OAuthClientTable) =>
  db.insertInto("oauth_clients").values(client).execute();

export const oauthClientById = (db: Db, id: string): Promise<OAuthClientTable | undefined> =>
  db.selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();

/** Every registered client with how many of its connections stand, the newest first. */
export const allOAuthClients = (db: HostDb) =>
  db
    .selectFrom("oauth_clients as c")
    .selectAll("c")
    .select((eb) =>
      eb
        .selectFrom("connections as k")
        .select((of) => of.fn.countAll<number>().as("n"))
        .whereRef("k.client_id", "=", "c.id")
        .where("k.revoked_at", "is", null)
        .as("connections"),
    )
    .orderBy("c.created_at", "desc")
    .orderBy("c.id")
    .execute();

/** Whether there was such a client. */
export async function deleteOAuthClient(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("oauth_clients").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export const touchOAuthClient = (db: Db, id: string, last_used_at: number) =>
  db.updateTable("oauth_clients").set({ last_used_at }).where("id", "=", id).execute();

/** How many registrations nobody has ever used. */
export async function countUnusedOAuthClients(db: Db): Promise<number> {
  const row = await db
    .selectFrom("oauth_clients")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("last_used_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Forgets registrations that nobody used until then, and those without a connection that were last used before. */
export async function deleteOldOAuthClients(db: HostDb, unusedSince: number, usedBefore: number): Promise<void> {
  await db
    .deleteFrom("oauth_clients")
    .where("last_used_at", "is", null)
    .where("created_at", "<", unusedSince)
    .execute();
  await db
    .deleteFrom("oauth_clients")
    .where("last_used_at", "<", usedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("connections")
            .select("connections.id")
            .whereRef("connections.client_id", "=", "oauth_clients.id")
            .where("connections.revoked_at", "is", null),
        ),
      ),
    )
    .execute();
}
