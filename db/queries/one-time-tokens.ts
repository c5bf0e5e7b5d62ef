import type { OneTimePurpose, OneTimeTokenTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

export const insertOneTimeToken = (db: Db, token: OneTimeTokenTable) =>
  db.insertInto("one_time_tokens").values(token).execute();

/** What a token grants, expired or not. */
export const oneTimeToken = (db: Db, hash: string): Promise<OneTimeTokenTable | undefined> =>
  db.selectFrom("one_time_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();

/** Takes every token of a purpose from a person: one was used, or a newer one replaces them. */
export const deleteOneTimeTokens = (db: Db, user_id: string, purpose: OneTimePurpose) =>
  db.deleteFrom("one_time_tokens").where("user_id", "=", user_id).where("purpose", "=", purpose).execute();

/** Forgets a person's tokens that had expired by then. */
export const deleteExpiredOneTimeTokens = (db: Db, user_id: string, at: number) =>
  db.deleteFrom("one_time_tokens").where("user_id", "=", user_id).where("expires_at", "<=", at).execute();

/** How many tokens of a purpose a person has that are good at that time. */
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
