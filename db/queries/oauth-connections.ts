import { preparedUnscoped } from "../prepared.ts";
import type { ConnectionTable, ConnectionTokenTable } from "../schema/oauth-tables.ts";
import type { Role } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export const insertConnection = (db: Db, connection: ConnectionTable) =>
  db.insertInto("connections").values(connection).execute();

export const insertConnectionToken = (db: Db, token: ConnectionTokenTable) =>
  db.insertInto("connection_tokens").values(token).execute();

/** A connection with the current role of its person. */
export type ConnectionHolder = ConnectionTable & { readonly role: Role };

const held = (db: SystemDb) =>
  db
    .selectFrom("connections as c")
    .innerJoin("members as m", (join) => join.onRef("m.user_id", "=", "c.user_id").onRef("m.firm_id", "=", "c.firm_id"))
    .selectAll("c")
    .select("m.role");

/** The connection of a personal token. That of a person who has left the firm is not found. */
export const connectionByHash = preparedUnscoped<{ hash: string }, ConnectionHolder>((db, value) =>
  held(db).where("c.hash", "=", value("hash")),
);

/** The same by id, as given in an access token. */
export const connectionById = preparedUnscoped<{ id: string }, ConnectionHolder>((db, value) =>
  held(db).where("c.id", "=", value("id")),
);

/** A refresh token with its connection. Unscoped, because its owner is only known from the result. */
export const connectionTokenByHash = (db: SystemDb, hash: string) =>
  db
    .selectFrom("connection_tokens as t")
    .innerJoin("connections as c", "c.id", "t.connection_id")
    .innerJoin("members as m", (join) => join.onRef("m.user_id", "=", "c.user_id").onRef("m.firm_id", "=", "c.firm_id"))
    .selectAll("c")
    .select(["t.generation", "t.used_at"])
    .where("t.hash", "=", hash)
    .executeTakeFirst();

/** A connection's used refresh tokens of this and later generations. */
export const usedConnectionTokens = (
  db: Db,
  connection_id: string,
  generation: number,
): Promise<ConnectionTokenTable[]> =>
  db
    .selectFrom("connection_tokens")
    .selectAll()
    .where("connection_id", "=", connection_id)
    .where("generation", ">=", generation)
    .where("used_at", "is not", null)
    .execute();

/** Records when a token was first used. */
export const markConnectionTokenUsed = (db: Db, hash: string, used_at: number) =>
  db.updateTable("connection_tokens").set({ used_at }).where("hash", "=", hash).execute();

/** Deletes a connection's tokens that were first used before then. */
export const deleteOldConnectionTokens = (db: Db, connection_id: string, usedBefore: number) =>
  db
    .deleteFrom("connection_tokens")
    .where("connection_id", "=", connection_id)
    .where("used_at", "<", usedBefore)
    .execute();

/** Records when a connection was last used. */
export const touchConnection = (db: Db, firm_id: string, id: string, last_used_at: number) =>
  db.updateTable("connections").set({ last_used_at }).where("id", "=", id).where("firm_id", "=", firm_id).execute();

/** Revokes a connection. Returns whether the firm had such a connection that was not yet revoked. */
export async function revokeConnection(db: Db, firm_id: string, id: string, revoked_at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("connections")
    .set({ revoked_at })
    .where("id", "=", id)
    .where("firm_id", "=", firm_id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Revokes all connections of a client, for every user, and returns how many were revoked. */
export async function revokeConnectionsOfClient(db: SystemDb, client_id: string, revoked_at: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("connections")
    .set({ revoked_at })
    .where("client_id", "=", client_id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A person's connections in the firm, newest first. */
export const connectionsOfUser = (db: Db, firm_id: string, user_id: string): Promise<ConnectionTable[]> =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("user_id", "=", user_id)
    .orderBy("id", "desc")
    .execute();

/** All connections in the firm with their owners' addresses, newest first. */
export const connectionsOfFirm = (db: Db, firm_id: string) =>
  db
    .selectFrom("connections as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .selectAll("c")
    .select("u.email")
    .where("c.firm_id", "=", firm_id)
    .orderBy("c.id", "desc")
    .execute();

/** Deletes a person's connections, and their tokens, that were revoked or whose tokens were last used before then. */
export const deleteOldConnections = (db: Db, user_id: string, before: number) =>
  db
    .deleteFrom("connections")
    .where("user_id", "=", user_id)
    .where((eb) =>
      eb.or([
        eb("revoked_at", "<", before),
        eb.and([eb("kind", "=", "oauth"), eb(eb.fn.coalesce("last_used_at", "created_at"), "<", before)]),
      ]),
    )
    .execute();
