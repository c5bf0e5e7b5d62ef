import { insertApiKey, renameApiKey, revokeApiKey } from "../../../db/queries/api-keys.ts";
import { entitlementsOf } from "../../../db/queries/entitlements.ts";
import { membershipsOf, workspacesOf } from "../../../db/queries/firms.ts";
import type { ApiKeyTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { isScope, type Scope, scopesOf } from "../../contracts/scopes.ts";
import { mintApiKey } from "../../identity/api-key.ts";
import { invalid } from "../../platform/errors.ts";
import { checkedName } from "../../platform/names.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";

export interface NewKey {
  readonly firm_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Milliseconds UTC; null: never expires. */
  readonly expires_at: number | null;
  /** `test`: left out of lists for people. */
  readonly purpose?: "test";
}

export interface CreatedKey {
  readonly key: ApiKeyTable;
  /** Shown once, not stored. */
  readonly secret: string;
}

/**
 * Returns the scopes that a person may grant to a key: those of their role in a firm with these entitlements. Empty for
 * a non-member.
 */
export async function grantableTo(db: Db, firm_id: string, user_id: string): Promise<ReadonlySet<Scope>> {
  const membership = (await membershipsOf.all(db, { user_id })).find((member) => member.firm_id === firm_id);
  if (!membership) return new Set();
  const held = await entitlementsOf.all(db, { firm_id });
  return scopesOf(
    membership.role,
    held.map((entitlement) => entitlement.name),
  );
}

/**
 * Creates a key, with no more scopes than its owner may grant. Throws `validation_error` pointing at what is not
 * allowed.
 */
export async function createApiKey(tx: Db, audit: Creation, given: NewKey): Promise<CreatedKey> {
  const name = checkedName(given.name, "/name", 80);
  const workspaces = await workspacesOf.all(tx, { firm_id: given.firm_id });
  if (!workspaces.some((workspace) => workspace.id === given.workspace_id))
    throw invalid("/workspace_id", "must be a workspace of the firm");
  const allowed = await grantableTo(tx, given.firm_id, given.user_id);
  if (allowed.size === 0) throw invalid("/user_id", "must be a member of the firm");
  const scopes = [...new Set(given.scopes)];
  const refused = scopes.filter((scope) => !isScope(scope) || !allowed.has(scope));
  if (scopes.length === 0 || refused.length > 0)
    throw invalid("/scopes", `must be one of those that the user may grant: ${[...allowed].join(", ")}`);
  const { secret, prefix, hash } = mintApiKey(audit.runtime);
  const key: ApiKeyTable = {
    id: audit.runtime.id(),
    firm_id: given.firm_id,
    workspace_id: given.workspace_id,
    user_id: given.user_id,
    name,
    prefix,
    hash,
    scopes_json: JSON.stringify(scopes),
    created_at: audit.at,
    expires_at: given.expires_at,
    last_used_at: null,
    revoked_at: null,
    purpose: given.purpose ?? null,
  };
  await insertApiKey(tx, key);
  await record(tx, audit, "key.created", key.id, key.firm_id, { scopes, expires_at: key.expires_at });
  return { key, secret };
}

/** Renames a key. */
export async function renameKey(tx: Db, audit: AuditContext, key: ApiKeyTable, given: string): Promise<ApiKeyTable> {
  const name = checkedName(given, "/body/name", 80);
  await renameApiKey(tx, key.firm_id, key.id, name);
  await record(tx, audit, "key.renamed", key.id, key.firm_id, { name });
  return { ...key, name };
}

/** Revokes a key, from the next request on. Returns false if the firm has no such key or it was already revoked. */
export async function revokeKey(tx: Db, audit: AuditContext, firm_id: string, id: string): Promise<boolean> {
  const revoked = await revokeApiKey(tx, firm_id, id, audit.at);
  if (revoked) await record(tx, audit, "key.revoked", id, firm_id);
  return revoked;
}
