import type { CacheByAccessVersion } from "../../../db/queries/access-version.ts";
import {
  type ConnectionHolder,
  connectionByHash,
  connectionById,
  touchConnection,
} from "../../../db/queries/oauth-connections.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { isScope, type Scope, scopesOf } from "../../contracts/scopes.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { createLastUsed } from "../../identity/last-used.ts";
import { accessTokenType, type Identity, type Principal } from "../../identity/principal.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import type { MaybePromise } from "../../platform/maybe-promise.ts";
import type { AttemptGuard } from "../../web/attempts.ts";
import { clientAddress } from "../../web/client-address.ts";
import { createChallenge, credentialOf, type McpAccess } from "./identify.ts";
import { personalTokenHash } from "./personal-token.ts";

/** Lifetime of the session that a personal token is exchanged for, the same as an access token's. */
const sessionLifetime = 15 * minute;
const sessionsAtMost = 10_000;

/** The short session that a personal token was exchanged for. */
interface PersonalSession {
  readonly connection_id: string;
  readonly expires_at: number;
}

export interface ConnectionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly keyring: Keyring;
  readonly attempts: AttemptGuard;
  readonly cacheByAccessVersion: CacheByAccessVersion;
  /** The MCP endpoint, which is the tokens' audience. */
  readonly resource: string;
  readonly metadataUrl: string;
}

const scopesIn = (text: string): Scope[] => (JSON.parse(text) as string[]).filter(isScope);

/** Exchanges personal tokens for sessions of fifteen minutes, so that each token is looked up once per session. */
function createPersonalSessions(clock: Clock, byHash: (hash: string) => MaybePromise<ConnectionHolder | null>) {
  const sessions = new Map<string, PersonalSession>();
  return async (hash: string): Promise<PersonalSession | undefined> => {
    const known = sessions.get(hash);
    if (known && known.expires_at > clock.now()) return known;
    sessions.delete(hash);
    const connection = await byHash(hash);
    if (!connection) return undefined;
    const [oldest] = sessions.keys();
    if (sessions.size >= sessionsAtMost && oldest !== undefined) sessions.delete(oldest);
    const session = { connection_id: connection.id, expires_at: clock.now() + sessionLifetime };
    sessions.set(hash, session);
    return session;
  };
}

/** Creates the authentication of `/mcp`. Look-ups are cached until anything about access changes. */
export function createConnections(options: ConnectionsOptions): McpAccess {
  const { store, clock, identity, keyring, attempts, cacheByAccessVersion, resource, metadataUrl } = options;
  const host = unscoped(store.read);
  const active = (row: ConnectionHolder | undefined) => (row && row.revoked_at === null ? row : null);
  const byId = cacheByAccessVersion(async (id) => active(await connectionById.first(host, { id })));
  const byHash = cacheByAccessVersion(async (hash) => active(await connectionByHash.first(host, { hash })));
  const personalSession = createPersonalSessions(clock, byHash);

  const touch = createLastUsed(clock, ({ id, firm_id }, at) =>
    store.write((tx) => touchConnection(tx, firm_id, id, at)),
  );

  /**
   * Returns the connection's principal, with at most the `granted` scopes and those of the person's current role and
   * firm.
   */
  async function principalOf(connection: ConnectionHolder, granted: readonly Scope[]): Promise<Principal> {
    const { id, firm_id, user_id, workspace_id, role } = connection;
    const held = scopesOf(role, await identity.entitlements(firm_id));
    const scopes = granted.filter((scope) => held.has(scope) || scope === "validator:mcp:access");
    touch(connection);
    return {
      kind: "connection",
      ...{ user_id, firm_id, role, workspace_id, scopes: new Set(scopes) },
      ...{ key_id: null, session_id: null, connection_id: id },
    };
  }

  async function byAccessToken(token: string): Promise<Principal | undefined> {
    const claims = await keyring.verifyToken(token, accessTokenType, resource);
    if (typeof claims?.connection_id !== "string" || typeof claims.scope !== "string") return undefined;
    const connection = await byId(claims.connection_id);
    if (connection?.kind !== "oauth" || connection.user_id !== claims.sub) return undefined;
    const claimed = claims.scope.split(" ");
    const granted = scopesIn(connection.scopes_json).filter((scope) => claimed.includes(scope));
    return principalOf(connection, granted);
  }

  async function byPersonalToken(token: string): Promise<Principal | undefined> {
    const hash = personalTokenHash(token);
    const session = hash === undefined ? undefined : await personalSession(hash);
    const connection = session && (await byId(session.connection_id));
    return connection ? principalOf(connection, scopesIn(connection.scopes_json)) : undefined;
  }

  async function find(request: Request): Promise<Principal | undefined> {
    const credential = credentialOf(request);
    if (credential?.kind === "key") return identity.byApiKey(credential.value);
    if (credential?.kind === "personal") return byPersonalToken(credential.value);
    return credential?.kind === "token" ? byAccessToken(credential.value) : undefined;
  }

  return {
    challenge: createChallenge(metadataUrl),
    async identifyMcp(request) {
      if (credentialOf(request) === undefined) return undefined;
      const caller = await find(request);
      if (caller) return caller;
      const address = clientAddress(request);
      attempts.check(address);
      attempts.count(address);
      return undefined;
    },
  };
}
