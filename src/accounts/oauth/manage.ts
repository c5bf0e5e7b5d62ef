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

/** A connection by OAuth whose tokens were not used for so long is over; a revoked one is shown for so long. */
export const connectionIdleLimit = 30 * day;

/** Keeps a connection that a person allowed. Called in the transaction of its code or of its request. */
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
  /** The address with its secret: shown once, stored nowhere. */
  readonly url: string;
}

/**
 * Makes a personal connection: an address of `/mcp` that is credential enough. Throws `not_found` for a workspace that is
 * not the firm's, and `validation_error` for a name without a letter and for somebody who is not of the firm.
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
    throw invalid("/body/user_id", "must be a person of the firm");
  const { secret, hash } = mintPersonalToken(act.runtime);
  const scopes_json = JSON.stringify(personalScopes);
  const owner = { firm_id, user_id, workspace_id };
  const connection = await openConnection(tx, act, {
    ...owner,
    ...{ kind: "personal", client_id: null, name, hash, scopes_json },
  });
  return { connection, url: `${baseUrl}/mcp?token=${secret}` };
}

/** Ends a connection from the next request on. False: the firm has none such that still stands. */
export async function endConnection(tx: Db, act: AuditContext, firm_id: string, id: string): Promise<boolean> {
  const ended = await revokeConnection(tx, firm_id, id, act.at);
  if (ended) await record(tx, act, "connection.revoked", id, firm_id);
  return ended;
}

/** Revokes a connection of the caller's own; again, nothing changes. `not_found` for any other. */
export const revokeOwnConnection = (store: Store, caller: Principal, id: string, at: number): Promise<void> =>
  store.write(async (tx) => {
    const { firm_id, user_id } = caller;
    const own = await connectionsOfUser(tx, firm_id, user_id);
    if (!own.some((connection) => connection.id === id)) throw failure("not_found");
    await endConnection(tx, { actor: actorOf(caller), at }, firm_id, id);
  });

/** Forgets a registered client and ends its connections. Undefined: there is none such; else how many it ended. */
export async function removeClient(tx: Db, act: AuditContext, id: string): Promise<number | undefined> {
  if (!(await deleteOAuthClient(tx, id))) return undefined;
  const connections = await revokeConnectionsOfClient(unscoped(tx), id, act.at);
  await record(tx, act, "oauth_client.removed", id, null, { connections });
  return connections;
}
