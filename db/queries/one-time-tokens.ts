import type { OneTimePurpose, OneTimeTokenTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

export const insertOneTimeToken = (db: Db, token: OneTimeTokenTable) =>
  db.insertInto("one_time_tokens").values(token).execute();

/** A token's grant, expired or not. */
export const oneTimeToken = (db: Db, hash: string): Promise<OneTimeTokenTable | undefined> =>
  db.selectFrom("one_time_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();

/** Deletes a person's tokens of one purpose, after one was used or before a newer one replaces them. */
export const deleteOneTimeTokens = (db: Db, user_id: string, purpose: OneTimePurpose) =>
  db.deleteFrom("one_time_tokens").where("user_id", "=", user_id).where("purpose", "=", purpose).execute();

/** Deletes a person's tokens that had expired by then. */
export const deleteExpiredOneTimeTokens = (db: Db, user_id: string, at: number) =>
  db.deleteFrom("one_time_tokens").where("user_id", "=", user_id).where("expires_at", "<=", at).execute();

/** Returns how many of a person's tokens of one purpose are valid at that time. */
export async function countOneTimeTokens(
  db: Db,
  user_id: string,
  purpose: OneTimePurpose,
  at: number,
): Promise<number> {
  const rows = await db
    .selectFrom("one_time_tokens")
    .select("hash")
    .where("user_id", "=", user_id)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", at)
    .execute();
  return rows.length;
}
