import { deleteOneTimeTokens, insertOneTimeToken, oneTimeToken } from "../../../db/queries/one-time-tokens.ts";
import type { OneTimePurpose, OneTimeTokenTable } from "../../../db/schema/auth-tables.ts";
import type { Db } from "../../../db/store.ts";
import { day, hour } from "../../platform/clock.ts";
import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** How long a link in a mail is good for. */
const oneTimeLifetimes: Readonly<Record<OneTimePurpose, number>> = { confirm: day, reset: hour };

const prefix = "assay_ot_";

/** A new token for a link to `email`, in place of those before. Only its hash is stored. */
export async function issueOneTimeToken(
  tx: Db,
  runtime: Pick<Runtime, "randomBytes">,
  at: number,
  given: { readonly user_id: string; readonly purpose: OneTimePurpose; readonly email: string },
): Promise<string> {
  const token = prefix + randomBase62(runtime, 43);
  await deleteOneTimeTokens(tx, given.user_id, given.purpose);
  await insertOneTimeToken(tx, { ...given, hash: sha256Hex(token), expires_at: at + oneTimeLifetimes[given.purpose] });
  return token;
}

/** What a token was issued for, if it is valid for the purpose. */
export async function readOneTimeToken(
  db: Db,
  at: number,
  token: string,
  purpose: OneTimePurpose,
): Promise<OneTimeTokenTable | undefined> {
  const found = await oneTimeToken(db, sha256Hex(token));
  return found?.purpose === purpose && found.expires_at > at ? found : undefined;
}

/** The same, and it is used up. */
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
