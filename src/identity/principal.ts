import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { type KeyHolder, keyByHash, keyById, touchApiKey } from "../../db/queries/api-keys.ts";
import { entitlementsOf } from "../../db/queries/entitlements.ts";
import { membershipsOf, workspacesOf } from "../../db/queries/firms.ts";
import { connectionById } from "../../db/queries/oauth-connections.ts";
import { sessionById } from "../../db/queries/sessions.ts";
import type { Role } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Scope, scopesOf } from "../contracts/scopes.ts";
import type { Clock } from "../platform/clock.ts";
import { Failure, failure } from "../platform/errors.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { apiKeyHash } from "./api-key.ts";
import type { Keyring } from "./keyring.ts";
import { createLastUsed } from "./last-used.ts";

/** The caller, resolved from a credential. It determines everything that a request may access. */
export interface Principal {
  /** A connection is a program that a person authorised at `/mcp`, by OAuth or by a personal connection's address. */
  readonly kind: "key" | "person" | "connection";
  readonly user_id: string;
  readonly firm_id: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<Scope>;
  /** A key and a connection are bound to one workspace; a person is not. */
  readonly workspace_id: string | null;
  readonly key_id: string | null;
  /** The session that a person's token belongs to; null for a key, and for a token issued by the administrator. */
  readonly session_id: string | null;
  readonly connection_id: string | null;
}

/** Returns `key:<id>`, `connection:<id>` or `user:<id>`, the actor in the audit log. */
export function actorOf({ kind, key_id, connection_id, user_id }: Principal): string {
  if (kind === "key") return `key:${key_id}`;
  return kind === "connection" ? `connection:${connection_id}` : `user:${user_id}`;
}

export interface Identity {
  /**
   * Returns the caller for an API key, or undefined if it is unknown, expired or revoked. Synchronous if the key is
   * cached, since every request needs it.
   */
  byApiKey(secret: string): Promise<Principal | undefined> | Principal | undefined;
  /** Returns the caller for an access token. */
  byAccessToken(token: string): Promise<Principal | undefined>;
  /** Returns whether the credential that the caller came with is still valid. For a request that waited. */
  isValid(
    caller: Pick<Principal, "firm_id" | "user_id" | "key_id" | "session_id" | "connection_id">,
  ): MaybePromise<boolean>;
  /** Returns the workspaces that the caller may use: a key's own, or all of a person's firm, the default one first. */
  workspaces(principal: Principal): Promise<readonly string[]> | readonly string[];
  /** Returns what the firm is entitled to beyond what every firm may use. */
  entitlements(firm_id: string): Promise<readonly string[]> | readonly string[];
}

/** `typ` of access tokens (RFC 9068). */
export const accessTokenType = "at+jwt";

/** The most that a role may do, in a firm with every entitlement. A key never exceeds its creator's current role. */
const everything = ["market-intelligence:read", "distribution:read"];
const bounds = new Map<Role, ReadonlySet<Scope>>();
function within(role: Role, scopes: ReadonlySet<Scope>): ReadonlySet<Scope> {
  let bound = bounds.get(role);
  if (!bound) {
    bound = scopesOf(role, everything);
    bounds.set(role, bound);
  }
  return role === "owner" || role === "admin" ? scopes : scopes.intersection(bound);
}

/** A key as read from the database, with the caller that it identifies. */
interface FoundKey {
  readonly principal: Principal;
  readonly key: KeyHolder;
}

const foundKey = (key: KeyHolder): FoundKey => ({
  principal: {
    kind: "key",
    user_id: key.user_id,
    firm_id: key.firm_id,
    role: key.role,
    scopes: within(key.role, new Set(JSON.parse(key.scopes_json) as Scope[])),
    workspace_id: key.workspace_id,
    key_id: key.id,
    session_id: null,
    connection_id: null,
  },
  key,
});

const isUnexpired = ({ expires_at }: KeyHolder, now: number): boolean => expires_at === null || expires_at > now;

export interface IdentityOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly cacheByAccessVersion: CacheByAccessVersion;
}

/** Creates the check of the credential that a caller came with. */
function createValidity(
  { store, clock, cacheByAccessVersion }: Omit<IdentityOptions, "keyring">,
  sessionHolder: (id: string) => MaybePromise<string | null>,
  membership: (user_id: string) => MaybePromise<{ readonly firm_id: string } | null>,
): Identity["isValid"] {
  const heldKey = cacheByAccessVersion(async (id) => {
    const key = await keyById.first(unscoped(store.read), { id });
    return key?.revoked_at === null ? key : null;
  });
  const isConnected = cacheByAccessVersion(async (id) => {
    const connection = await connectionById.first(unscoped(store.read), { id });
    return connection?.revoked_at === null;
  });
  return async ({ firm_id, user_id, key_id, session_id, connection_id }) => {
    if (key_id !== null) {
      const key = await heldKey(key_id);
      return key !== null && isUnexpired(key, clock.now());
    }
    if (connection_id !== null) return isConnected(connection_id);
    if (session_id !== null && (await sessionHolder(session_id)) !== user_id) return false;
    return (await membership(user_id))?.firm_id === firm_id;
  };
}

/** Creates the resolver of callers, for `app.ts`. */
export function createIdentity({ store, keyring, clock, cacheByAccessVersion }: IdentityOptions): Identity {
  const findKey = cacheByAccessVersion(async (hash) => {
    const key = await keyByHash.first(unscoped(store.read), { hash });
    return key && key.revoked_at === null ? foundKey(key) : null;
  });
  const entitlements = cacheByAccessVersion(async (firm_id) =>
    (await entitlementsOf.all(store.read, { firm_id })).map((entitlement) => entitlement.name),
  );
  const firmWorkspaces = cacheByAccessVersion(async (firm_id) =>
    (await workspacesOf.all(store.read, { firm_id })).map((workspace) => workspace.id),
  );
  const membership = cacheByAccessVersion(async (user_id) => {
    const [first] = await membershipsOf.all(store.read, { user_id });
    return first ?? null;
  });
  /**
   * Returns the person of a session; null if it was revoked. A token is signed after its session is committed, so a
   * session that is missing either never existed or was deleted.
   */
  const sessionHolder = cacheByAccessVersion(async (id) => {
    const session = await sessionById.first(store.read, { id });
    return session?.revoked_at === null ? session.user_id : null;
  });

  const touch = createLastUsed(clock, ({ id, firm_id }, at) => store.write((tx) => touchApiKey(tx, firm_id, id, at)));

  /** Returns the caller that a key identifies now, or undefined if it has expired. */
  function holderOf(found: FoundKey | null): Principal | undefined {
    if (!found || !isUnexpired(found.key, clock.now())) return undefined;
    touch(found.key);
    return found.principal;
  }

  return {
    entitlements,
    byApiKey(secret) {
      const hash = apiKeyHash(secret);
      const found = hash === undefined ? null : findKey(hash);
      return found instanceof Promise ? found.then(holderOf) : holderOf(found);
    },
    async byAccessToken(token) {
      const claims = await keyring.verifyToken(token, accessTokenType);
      if (typeof claims?.sub !== "string") return undefined;
      const session_id = typeof claims.sid === "string" ? claims.sid : null;
      if (session_id !== null && (await sessionHolder(session_id)) !== claims.sub) return undefined;
      const member = await membership(claims.sub);
      if (!member) return undefined;
      return {
        kind: "person",
        user_id: claims.sub,
        firm_id: member.firm_id,
        role: member.role,
        scopes: scopesOf(member.role, await entitlements(member.firm_id)),
        workspace_id: null,
        key_id: null,
        session_id,
        connection_id: null,
      };
    },
    isValid: createValidity({ store, clock, cacheByAccessVersion }, sessionHolder, membership),
    workspaces(principal) {
      return principal.workspace_id === null ? firmWorkspaces(principal.firm_id) : [principal.workspace_id];
    },
  };
}

/** Creates the 404 for a workspace that does not exist or that the caller may not use: the two look the same. */
export const unusable = (path: string): Failure =>
  new Failure("not_found", [{ path, message: "is not a workspace that this credential may use" }]);

/**
 * Returns the workspace of a run: the requested one if the caller may use it (otherwise throws `not_found`), or the
 * default.
 */
export async function workspaceFor(identity: Identity, principal: Principal, asked?: string): Promise<string> {
  if (principal.workspace_id !== null && (asked === undefined || asked === principal.workspace_id))
    return principal.workspace_id;
  const usable = await identity.workspaces(principal);
  const chosen = asked === undefined ? usable[0] : usable.find((id) => id === asked);
  if (chosen !== undefined) return chosen;
  throw asked === undefined ? failure("not_found") : unusable("/body/workspace_id");
}
