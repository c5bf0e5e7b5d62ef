import { apiKeysOfUser } from "../../../db/queries/api-keys.ts";
import { membershipsOf, updateUser } from "../../../db/queries/firms.ts";
import { forgetOrigins } from "../../../db/queries/known-origins.ts";
import { deleteOAuthCodesOf } from "../../../db/queries/oauth-codes.ts";
import { connectionsOfUser } from "../../../db/queries/oauth-connections.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import type { AuditContext } from "../admin/audit-context.ts";
import { withdrawInvitationsBy } from "../admin/invitations.ts";
import { revokeKey } from "../admin/keys.ts";
import { endConnection } from "../oauth/manage.ts";
import { endSignIns, voidLinks } from "./voiding.ts";

/** Number of API keys and connections, which give access besides the password and sessions. */
export interface StandingAccess {
  readonly api_keys: number;
  readonly connections: number;
}

async function standing(db: Db, firm_id: string, user_id: string, at: number) {
  const keys = await apiKeysOfUser(db, firm_id, user_id);
  const connections = await connectionsOfUser(db, firm_id, user_id);
  return {
    keys: keys.filter((key) => key.revoked_at === null && (key.expires_at === null || key.expires_at > at)),
    connections: connections.filter((connection) => connection.revoked_at === null),
  };
}

/** Returns the number of a person's valid keys and connections, in all their firms. */
export async function accessOf(db: Db, user_id: string, at: number): Promise<StandingAccess> {
  let [api_keys, connections] = [0, 0];
  for (const { firm_id } of await membershipsOf.all(db, { user_id })) {
    const found = await standing(db, firm_id, user_id, at);
    api_keys += found.keys.length;
    connections += found.connections.length;
  }
  return { api_keys, connections };
}

/**
 * Revokes a person's access in a firm: keys, OAuth and personal connections, unused authorization codes, and open
 * invitations. Returns how many keys and connections were valid until now.
 */
export async function revokeAccessIn(
  tx: Db,
  audit: AuditContext,
  firm_id: string,
  user_id: string,
): Promise<StandingAccess> {
  const found = await standing(tx, firm_id, user_id, audit.at);
  for (const { id } of found.keys) await revokeKey(tx, audit, firm_id, id);
  for (const { id } of found.connections) await endConnection(tx, audit, firm_id, id);
  await deleteOAuthCodesOf(tx, user_id);
  await withdrawInvitationsBy(tx, audit, firm_id, user_id);
  return { api_keys: found.keys.length, connections: found.connections.length };
}

/** Revokes a person's access in all their firms. */
export async function revokeAccess(tx: Db, audit: AuditContext, user_id: string): Promise<void> {
  for (const { firm_id } of await membershipsOf.all(tx, { user_id })) await revokeAccessIn(tx, audit, firm_id, user_id);
}

/**
 * Revokes everything that was created before the person's address was verified, since someone else may have created it.
 * Runs in the transaction that verifies the address. Also removes the password, unless the proof is a link that was
 * sent for it.
 */
export async function discardUnproved(
  tx: Db,
  at: number,
  { id, email_confirmed_at }: UserTable,
  { keepsPassword = false } = {},
): Promise<void> {
  if (email_confirmed_at !== null) return;
  await updateUser(tx, id, { ...(!keepsPassword && { password_hash: null }), updated_at: at });
  await endSignIns(tx, at, id);
  await voidLinks(tx, id);
  await forgetOrigins(tx, id);
  await revokeAccess(tx, { actor: `user:${id}`, at }, id);
}
