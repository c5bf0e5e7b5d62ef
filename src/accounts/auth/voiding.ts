import { deleteOAuthCodesOf } from "../../../db/queries/oauth-codes.ts";
import { deleteOneTimeTokens } from "../../../db/queries/one-time-tokens.ts";
import { revokeSessionsOf } from "../../../db/queries/sessions.ts";
import type { Db } from "../../../db/store.ts";

/**
 * Ends a person's sessions, all or all but one, with the codes that would give more. Called in the transaction that
 * changes a password or an address, or takes them out of a firm. Returns how many sessions stood until now.
 */
export async function endSignIns(tx: Db, at: number, user_id: string, except?: string | null): Promise<number> {
  await deleteOAuthCodesOf(tx, user_id);
  return revokeSessionsOf(tx, user_id, at, except);
}

/**
 * Makes every link in a person's mail void. Called when the password or the address that it was sent for changes, and when
 * they leave a firm: somebody else may have asked for the link.
 */
export async function voidLinks(tx: Db, user_id: string): Promise<void> {
  for (const purpose of ["confirm", "reset"] as const) await deleteOneTimeTokens(tx, user_id, purpose);
}
