import {
  countOneTimeTokens,
  deleteExpiredOneTimeTokens,
  deleteOneTimeTokens,
  insertOneTimeToken,
  oneTimeToken,
} from "../../../db/queries/one-time-tokens.ts";
import type { OneTimePurpose, OneTimeTokenTable } from "../../../db/schema/auth-tables.ts";
import type { Db } from "../../../db/store.ts";
import { day, hour } from "../../platform/clock.ts";
import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Lifetime of links in mails. */
const oneTimeLifetimes: Readonly<Record<OneTimePurpose, number>> = { confirm: day, reset: hour };

const prefix = "assay_ot_";

/** Maximum number of valid reset links per person, since anyone may request them. */
export const resetLinksAtMost = 10;

/** Returns the number of valid reset links. */
export const openResetLinks = (db: Db, at: number, user_id: string): Promise<number> =>
  countOneTimeTokens(db, user_id, "reset", at);

/**
 * Issues a token for a link to `email`. Only its hash is stored. A confirmation link replaces earlier ones, since the
 * newest sign-up's password counts; reset links stay valid until one is used.
 */
export async function issueOneTimeToken(
  tx: Db,
  runtime: Pick<Runtime, "randomBytes">,
  at: number,
  given: { readonly user_id: string; readonly purpose: OneTimePurpose; readonly email: string },
): Promise<string> {
  const token = prefix + randomBase62(runtime, 43);
  if (given.purpose === "confirm") await deleteOneTimeTokens(tx, given.user_id, given.purpose);
  else await deleteExpiredOneTimeTokens(tx, given.user_id, at);
  await insertOneTimeToken(tx, { ...given, hash: sha256Hex(token), expires_at: at + oneTimeLifetimes[given.purpose] });
  return token;
}

/** Returns what a token was issued for, if it is valid for the purpose. */
export async function readOneTimeToken(
  db: Db,
  at: number,
  token: string,
  purpose: OneTimePurpose,
): Promise<OneTimeTokenTable | undefined> {
  const found = await oneTimeToken(db, sha256Hex(token));
  return found?.purpose === purpose && found.expires_at > at ? found : undefined;
}

/** Like `readOneTimeToken`, and consumes the token. */
export async function useOneTimeToken(
  tx: Db,
  at: number,
  token: string,
  purpose: OneTimePurpose,
): Promise<OneTimeTokenTable | undefined> {
  const found = await readOneTimeToken(tx, at, token, purpose);
  if (found) await deleteOneTimeTokens(tx, found.user_id, purpose);
  return found;
}
