import { deleteOAuthCodesOf } from "../../../db/queries/oauth-codes.ts";
import { deleteOneTimeTokens } from "../../../db/queries/one-time-tokens.ts";
import { revokeSessionsOf } from "../../../db/queries/sessions.ts";
import type { Db } from "../../../db/store.ts";

/**
 * Ends all of a person's sessions, optionally except one, and their unused authorization codes. Runs in the transaction
 * that changes a password or address or removes them from a firm. Returns how many sessions were active.
 */
export async function endSignIns(tx: Db, at: number, user_id: string, except?: string | null): Promise<number> {
  await deleteOAuthCodesOf(tx, user_id);
  return revokeSessionsOf(tx, user_id, at, except);
}

/**
 * Invalidates every link in a person's mail. Called when the password or the address that it was sent for changes, and
 * when they leave a firm, because someone else may have requested the link.
 */
export async function voidLinks(tx: Db, user_id: string): Promise<void> {
  for (const purpose of ["confirm", "reset"] as const) await deleteOneTimeTokens(tx, user_id, purpose);
}
