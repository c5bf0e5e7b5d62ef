import { apiKeyOfUser } from "../../../db/queries/api-keys.ts";
import { workspacesOf } from "../../../db/queries/firms.ts";
import type { ApiKeyTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { Failure, failure, invalid } from "../../platform/errors.ts";
import { checkedName } from "../../platform/names.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type CreatedKey, createApiKey, grantableTo, renameKey, revokeKey } from "../admin/keys.ts";
import type { DeveloperApiKey, DeveloperApiKeyChange, DeveloperApiKeyCreateRequest } from "./schema.ts";

/** Returns a key's row as the API shows it. */
export const keyRecord = (key: ApiKeyTable): DeveloperApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: JSON.parse(key.scopes_json) as string[],
  workspace_id: key.workspace_id,
  created_at: rfc3339(key.created_at),
  expires_at: rfc3339OrNull(key.expires_at),
  last_used_at: rfc3339OrNull(key.last_used_at),
  revoked_at: rfc3339OrNull(key.revoked_at),
});

/**
 * Creates a key of the caller's own. Throws `validation_error` for a scope that the caller may not grant and for an
 * expiry in the past, `not_found` for a workspace of another firm.
 */
export async function createOwnKey(
  store: Store,
  caller: Principal,
  { name, scopes, workspace_id, expires_at }: DeveloperApiKeyCreateRequest,
  runtime: Runtime,
): Promise<CreatedKey> {
  const now = runtime.now();
  const { firm_id, user_id } = caller;
  const expires = expires_at === undefined ? null : Date.parse(expires_at);
  if (expires !== null && expires <= now) throw invalid("/body/expires_at", "must be in the future");
  return store.write(async (tx) => {
    const allowed = await grantableTo(tx, firm_id, user_id);
    const refused = scopes.flatMap((scope, i) =>
      allowed.has(scope)
        ? []
        : [{ path: `/body/scopes/${i}`, message: "is not a scope that your role and firm allow you to grant" }],
    );
    if (refused.length > 0) throw new Failure("validation_error", refused);
    const workspaces = await workspacesOf.all(tx, { firm_id });
    if (!workspaces.some((workspace) => workspace.id === workspace_id)) throw failure("not_found");
    const key = {
      firm_id,
      user_id,
      workspace_id,
      name: checkedName(name, "/body/name", 80),
      scopes,
      expires_at: expires,
    };
    return createApiKey(tx, { actor: actorOf(caller), at: now, runtime }, key);
  });
}

/** Returns a key of the caller's own. Throws `not_found` for any other. */
export async function ownKey(db: Db, { firm_id, user_id }: Principal, id: string): Promise<ApiKeyTable> {
  const key = await apiKeyOfUser(db, firm_id, user_id, id);
  if (!key) throw failure("not_found");
  return key;
}

/** Renames a key of the caller's own, even one that no longer works. Throws `not_found` for any other. */
export const renameOwnKey = (
  store: Store,
  caller: Principal,
  id: string,
  { name }: DeveloperApiKeyChange,
  now: number,
): Promise<ApiKeyTable> =>
  store.write(async (tx) => renameKey(tx, { actor: actorOf(caller), at: now }, await ownKey(tx, caller, id), name));

/** Revokes a key of the caller's own, from the next request on. Idempotent. Throws `not_found` for any other. */
export const revokeOwnKey = (store: Store, caller: Principal, id: string, now: number): Promise<void> =>
  store.write(async (tx) => {
    const { firm_id } = await ownKey(tx, caller, id);
    await revokeKey(tx, { actor: actorOf(caller), at: now }, firm_id, id);
  });
