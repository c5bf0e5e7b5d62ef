import type { Db } from "./connection.ts";
import type { OneTimePurpose, OneTimeTokenTable } from "./tables.ts";

export const insertOneTimeToken = (db: Db, token: OneTimeTokenTable) =>
  db.insertInto("one_time_tokens").values(token).execute();

export const oneTimeToken = (db: Db, hash: string): Promise<OneTimeTokenTable | undefined> =>
  db.selectFrom("one_time_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();

/** The person's tokens of a purpose that still hold, the newest first. */
export const oneTimeTokensOf = (
  db: Db,
  user_id: string,
  purpose: OneTimePurpose,
  at: number,
): Promise<OneTimeTokenTable[]> =>
  db
    .selectFrom("one_time_tokens")
    .selectAll()
    .where("user_id", "=", user_id)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", at)
    .orderBy("expires_at", "desc")
    .execute();

/** Takes every token of a purpose from a person: one was used, or a newer one replaces them. */
export const deleteOneTimeTokens = (db: Db, user_id: string, purpose: OneTimePurpose) =>
  db.deleteFrom("one_time_tokens").where("user_id", "=", user_id).where("purpose", "=", purpose).execute();
