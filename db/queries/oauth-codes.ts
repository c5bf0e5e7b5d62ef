import type { OAuthCodeTable } from "../schema/oauth-tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export const insertOAuthCode = (db: Db, code: OAuthCodeTable) => db.insertInto("oauth_codes").values(code).execute();

/** A code's grant, whether it is valid, expired or used. */
export const oauthCode = (db: Db, hash: string): Promise<OAuthCodeTable | undefined> =>
  db.selectFrom("oauth_codes").selectAll().where("hash", "=", hash).executeTakeFirst();

/** Records the use or replay of a code. */
export const updateOAuthCode = (
  db: Db,
  hash: string,
  change: Partial<Pick<OAuthCodeTable, "used_at" | "replayed_at" | "connection_id" | "session_id">>,
) => db.updateTable("oauth_codes").set(change).where("hash", "=", hash).execute();

/** Deletes a person's codes, so that none can be exchanged any more. */
export const deleteOAuthCodesOf = (db: Db, user_id: string) =>
  db.deleteFrom("oauth_codes").where("user_id", "=", user_id).execute();

/** Deletes codes that expired before then. */
export const deleteOldOAuthCodes = (db: SystemDb, expiredBefore: number) =>
  db.deleteFrom("oauth_codes").where("expires_at", "<", expiredBefore).execute();
