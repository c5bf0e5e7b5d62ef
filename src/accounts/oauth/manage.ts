import { membershipsOf, workspacesOf } from "../../../db/queries/firms.ts";
import { deleteOAuthClient } from "../../../db/queries/oauth-clients.ts";
import {
  connectionsOfUser,
  deleteOldConnections,
  insertConnection,
  revokeConnection,
  revokeConnectionsOfClient,
} from "../../../db/queries/oauth-connections.ts";
import type { ConnectionTable } from "../../../db/schema/oauth-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { day } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { checkedName } from "../../platform/names.ts";
import { type AuditContext, type Creation, record } from "../admin/audit-context.ts";
import { mintPersonalToken } from "./personal-token.ts";
import { personalScopes } from "./scopes.ts";

/** Idle time after which an OAuth connection ends, and how long a revoked one is still listed. */
export const connectionIdleLimit = 30 * day;

/** Stores a connection that a person allowed. Runs in the transaction of its code or its request. */
export async function openConnection(
  tx: Db,
  act: Creation,
  given: Omit<ConnectionTable, "id" | "created_at" | "last_used_at" | "revoked_at">,
): Promise<ConnectionTable> {
  await deleteOldConnections(tx, given.user_id, act.at - connectionIdleLimit);
  const connection = { ...given, id: act.runtime.id(), created_at: act.at, last_used_at: null, revoked_at: null };
  await insertConnection(tx, connection);
  const { kind, client_id, scopes_json } = connection;
  const told = { kind, client_id, workspace_id: given.workspace_id, scopes: JSON.parse(scopes_json) as string[] };
  await record(tx, act, "connection.opened", connection.id, given.firm_id, told);
  return connection;
}

export interface NewPersonalConnection {
  readonly firm_id: string;
  readonly user_id: string;
  readonly workspace_id: string;
  readonly name: string;
}

export interface PersonalConnection {
  readonly connection: ConnectionTable;
  /** The URL with its secret: shown once, not stored. */
  readonly url: string;
}

/**
 * Creates a personal connection: a URL of `/mcp` that is itself the credential. Throws `not_found` for a workspace of
 * another firm, and `validation_error` for an empty name or a person who is not in the firm.
 */
export async function createPersonalConnection(
  tx: Db,
  act: Creation,
  baseUrl: string,
  { firm_id, user_id, workspace_id, name: given }: NewPersonalConnection,
): Promise<PersonalConnection> {
  const name = checkedName(given, "/body/name", 80);
  const workspaces = await workspacesOf.all(tx, { firm_id });
  if (!workspaces.some(({ id }) => id === workspace_id)) throw failure("not_found");
  const memberships = await membershipsOf.all(tx, { user_id });
  if (!memberships.some((member) => member.firm_id === firm_id))
    throw invalid("/body/user_id", "must be a member of the firm");
  const { secret, hash } = mintPersonalToken(act.runtime);
  const scopes_json = JSON.stringify(personalScopes);
  const owner = { firm_id, user_id, workspace_id };
  const connection = await openConnection(tx, act, {
    ...owner,
    ...{ kind: "personal", client_id: null, name, hash, scopes_json },
  });
  return { connection, url: `${baseUrl}/mcp?token=${secret}` };
}

/** Revokes a connection, from the next request on. Returns false if the firm has no such active connection. */
export async function endConnection(tx: Db, act: AuditContext, firm_id: string, id: string): Promise<boolean> {
  const ended = await revokeConnection(tx, firm_id, id, act.at);
  if (ended) await record(tx, act, "connection.revoked", id, firm_id);
  return ended;
}

/** Revokes a connection of the caller's own. Idempotent. Throws `not_found` for any other. */
export const revokeOwnConnection = (store: Store, caller: Principal, id: string, at: number): Promise<void> =>
  store.write(async (tx) => {
    const { firm_id, user_id } = caller;
    const own = await connectionsOfUser(tx, firm_id, user_id);
    if (!own.some((connection) => connection.id === id)) throw failure("not_found");
    await endConnection(tx, { actor: actorOf(caller), at }, firm_id, id);
  });

/**
 * Deletes a registered client and revokes its connections. Returns how many, or undefined if there is no such client.
 */
export async function removeClient(tx: Db, act: AuditContext, id: string): Promise<number | undefined> {
  if (!(await deleteOAuthClient(tx, id))) return undefined;
  const connections = await revokeConnectionsOfClient(unscoped(tx), id, act.at);
  await record(tx, act, "oauth_client.removed", id, null, { connections });
  return connections;
}
