import type { OAuthClientTable } from "../schema/oauth-tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export const insertOAuthClient = (db: Db, client: OAuthClientTable) =>
  db.insertInto("oauth_clients").values(client).execute();

export const oauthClientById = (db: Db, id: string): Promise<OAuthClientTable | undefined> =>
  db.selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();

/** All registered clients with the number of their active connections, newest first. */
export const allOAuthClients = (db: SystemDb) =>
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

/** Deletes a client. Returns whether it existed. */
export async function deleteOAuthClient(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("oauth_clients").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export const touchOAuthClient = (db: Db, id: string, last_used_at: number) =>
  db.updateTable("oauth_clients").set({ last_used_at }).where("id", "=", id).execute();

/** If there are more than `most` registrations that were never used, deletes the oldest of those. */
export const deleteSurplusOAuthClient = (db: SystemDb, most: number) =>
  db
    .deleteFrom("oauth_clients")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("oauth_clients")
        .select("id")
        .where("last_used_at", "is", null)
        .orderBy("created_at", "desc")
        .limit(1)
        .offset(most),
    )
    .execute();

/**
 * Deletes unused registrations from before `unusedSince`, and those without a connection last used before `usedBefore`.
 */
export async function deleteOldOAuthClients(db: SystemDb, unusedSince: number, usedBefore: number): Promise<void> {
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
