import { touchOAuthClient } from "../../../db/queries/oauth-clients.ts";
import { deleteOldOAuthCodes, insertOAuthCode, oauthCode, updateOAuthCode } from "../../../db/queries/oauth-codes.ts";
import { revokeConnection } from "../../../db/queries/oauth-connections.ts";
import { revokeSession } from "../../../db/queries/sessions.ts";
import type { OAuthCodeTable } from "../../../db/schema/oauth-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { day, second } from "../../platform/clock.ts";
import { randomBase62, sha256, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { record } from "../admin/audit-context.ts";
import { OAuthError } from "./errors.ts";
import type { AuthorizationRequest } from "./request.ts";

/** Lifetime of a code. */
export const codeLifetime = 60 * second;
/** How long a used or expired code is kept, to distinguish reuse from an unknown code. */
const remembered = day;

const prefix = "assay_ac_";

/** A person's decision: for which firm and workspace, and which scopes. */
export interface Consent {
  readonly user_id: string;
  readonly firm_id: string;
  /** Null for a sign-in. */
  readonly workspace_id: string | null;
  readonly scopes: readonly string[];
  /** As shown to the person. */
  readonly client_name: string;
}

/** Issues a code for what the person has allowed. */
export async function issueCode(
  store: Store,
  runtime: Runtime,
  { client, redirect_uri, challenge, resource }: AuthorizationRequest,
  { user_id, firm_id, workspace_id, scopes, client_name }: Consent,
): Promise<string> {
  const code = prefix + randomBase62(runtime, 43);
  const now = runtime.now();
  await store.write(async (tx) => {
    await deleteOldOAuthCodes(unscoped(tx), now - remembered);
    await touchOAuthClient(tx, client.id, now);
    await insertOAuthCode(tx, {
      ...{ hash: sha256Hex(code), client_id: client.id, client_name, user_id, firm_id, workspace_id },
      ...{ redirect_uri, challenge, resource, scopes_json: JSON.stringify(scopes) },
      ...{ expires_at: now + codeLifetime, used_at: null, replayed_at: null, connection_id: null, session_id: null },
    });
  });
  return code;
}

/** A client's request to exchange a code. */
export interface Exchange {
  readonly code: string;
  readonly client_id: string;
  readonly redirect_uri: string | undefined;
  readonly verifier: string;
}

const refuse = (why: string): OAuthError => new OAuthError("invalid_grant", why);

/** Revokes what a code was exchanged for, after the code was sent again (OAuth 2.1, 4.1.3). */
async function replayed(tx: Db, code: OAuthCodeTable, at: number): Promise<void> {
  await updateOAuthCode(tx, code.hash, { replayed_at: at });
  const act = { actor: `user:${code.user_id}`, at };
  if (code.connection_id !== null && (await revokeConnection(tx, code.firm_id, code.connection_id, at)))
    await record(tx, act, "connection.code_replayed", code.connection_id, code.firm_id);
  if (code.session_id !== null && (await revokeSession(tx, code.session_id, at)))
    await record(tx, act, "session.code_replayed", code.session_id, code.firm_id);
}

const isVerified = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && sha256(verifier).toString("base64url") === challenge;

/**
 * Consumes a code, in the transaction of its exchange. Returns an error instead of throwing it if something must be
 * committed nevertheless: that the code was used, or reused.
 */
export async function useCode(tx: Db, at: number, given: Exchange): Promise<OAuthCodeTable | OAuthError> {
  const code = await oauthCode(tx, sha256Hex(given.code));
  // Another client's code is not consumed; otherwise one client could break the sign-ins of others.
  if (!code || code.client_id !== given.client_id) return refuse("The code is not valid for this client.");
  if (code.used_at !== null) {
    await replayed(tx, code, at);
    return refuse("The code was already used. The tokens issued for it have been revoked.");
  }
  await updateOAuthCode(tx, code.hash, { used_at: at });
  if (code.expires_at <= at) return refuse("The code has expired.");
  if (given.redirect_uri !== undefined && given.redirect_uri !== code.redirect_uri)
    return refuse("The redirect_uri differs from the one in the authorization request.");
  if (!isVerified(given.verifier, code.challenge)) return refuse("The code_verifier does not match.");
  return code;
}
