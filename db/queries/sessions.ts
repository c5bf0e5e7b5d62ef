import { prepared } from "../prepared.ts";
import type { RefreshTokenTable, SessionTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

export const insertSession = (db: Db, session: SessionTable) => db.insertInto("sessions").values(session).execute();

export const insertRefreshToken = (db: Db, token: RefreshTokenTable) =>
  db.insertInto("refresh_tokens").values(token).execute();

export const sessionById = prepared<{ id: string }, SessionTable>((db, value) =>
  db.selectFrom("sessions").selectAll().where("id", "=", value("id")),
);

/** A refresh token with its session. */
export const refreshTokenByHash = (db: Db, hash: string) =>
  db
    .selectFrom("refresh_tokens as t")
    .innerJoin("sessions as s", "s.id", "t.session_id")
    .select([
      "t.hash",
      "t.generation",
      "t.used_at",
      "s.id",
      "s.user_id",
      "s.provider",
      "s.last_used_at",
      "s.revoked_at",
      "s.created_at",
    ])
    .where("t.hash", "=", hash)
    .executeTakeFirst();

/** A session's used refresh tokens of this and later generations. */
export const usedRefreshTokens = (db: Db, session_id: string, generation: number): Promise<RefreshTokenTable[]> =>
  db
    .selectFrom("refresh_tokens")
    .selectAll()
    .where("session_id", "=", session_id)
    .where("generation", ">=", generation)
    .where("used_at", "is not", null)
    .execute();

/** Records when a token was first used. */
export const markRefreshTokenUsed = (db: Db, hash: string, used_at: number) =>
  db.updateTable("refresh_tokens").set({ used_at }).where("hash", "=", hash).execute();

/** Deletes a session's refresh tokens that were first used before then. */
export const deleteOldRefreshTokens = (db: Db, session_id: string, usedBefore: number) =>
  db.deleteFrom("refresh_tokens").where("session_id", "=", session_id).where("used_at", "<", usedBefore).execute();

export const touchSession = (db: Db, id: string, last_used_at: number) =>
  db.updateTable("sessions").set({ last_used_at }).where("id", "=", id).execute();

/** Revokes a session. Returns whether it was active. */
export async function revokeSession(db: Db, id: string, revoked_at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ revoked_at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Revokes all of a person's sessions, or all but one, and returns how many were active. */
export async function revokeSessionsOf(
  db: Db,
  user_id: string,
  revoked_at: number,
  except?: string | null,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ revoked_at })
    .where("user_id", "=", user_id)
    .where("revoked_at", "is", null)
    .$if(typeof except === "string", (q) => q.where("id", "!=", except ?? ""))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The person's active sessions used since then, newest first. */
export const sessionsOf = (db: Db, user_id: string, usedSince: number): Promise<SessionTable[]> =>
  db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", user_id)
    .where("revoked_at", "is", null)
    .where("last_used_at", ">=", usedSince)
    .orderBy("id", "desc")
    .execute();

/** Deletes the person's sessions last used before then, with their tokens. */
export const deleteOldSessions = (db: Db, user_id: string, usedBefore: number) =>
  db.deleteFrom("sessions").where("user_id", "=", user_id).where("last_used_at", "<", usedBefore).execute();
