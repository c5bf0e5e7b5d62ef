import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { type KeyHolder, keyByHash, touchApiKey } from "../../db/queries/api-keys.ts";
import { entitlementsOf } from "../../db/queries/entitlements.ts";
import { membershipsOf, workspacesOf } from "../../db/queries/firms.ts";
import { sessionById } from "../../db/queries/sessions.ts";
import type { Role } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Scope, scopesOf } from "../contracts/scopes.ts";
import type { Clock } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import { apiKeyHash } from "./api-key.ts";
import type { Keyring } from "./keyring.ts";
import { createLastUsed } from "./last-used.ts";

/** Who calls, resolved from a credential. Everything that a request may touch follows from it. */
export interface Principal {
  /** A connection is a program that a person let in at `/mcp`: by OAuth, or by the address of a personal connection. */
  readonly kind: "key" | "person" | "connection";
  readonly user_id: string;
  readonly firm_id: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<Scope>;
  /** A key and a connection are bound to one workspace; a person to none. */
  readonly workspace_id: string | null;
  readonly key_id: string | null;
  /** The sign-in that a person's token comes from; null for a key, and for a token of the administrator's. */
  readonly session_id: string | null;
  readonly connection_id: string | null;
}

/** `key:<id>`, `connection:<id>` or `user:<id>`, as the audit log names an actor. */
export function actorOf({ kind, key_id, connection_id, user_id }: Principal): string {
  if (kind === "key") return `key:${key_id}`;
  return kind === "connection" ? `connection:${connection_id}` : `user:${user_id}`;
}

export interface Identity {
  /**
   * The caller by an API key; undefined when it is none of ours, expired or revoked. Without a promise where the key is
   * remembered, for every request asks.
   */
  byApiKey(secret: string): Promise<Principal | undefined> | Principal | undefined;
  /** The caller by an access token. */
  byAccessToken(token: string): Promise<Principal | undefined>;
  /** The workspaces that the caller may use: a key's own, a person's firm's, the default one first. */
  workspaces(principal: Principal): Promise<readonly string[]> | readonly string[];
  /** What the firm holds besides what every firm may do. */
  entitlements(firm_id: string): Promise<readonly string[]> | readonly string[];
}

/** `typ` of the access tokens of RFC 9068. */
export const accessTokenType = "at+jwt";

/** What a role may do in a firm with every entitlement: a key reaches no further than its creator's present role. */
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

/** A key as it was found, and the caller that it gives. */
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

export interface IdentityOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly cacheByAccessVersion: CacheByAccessVersion;
}

/** Finds who calls, for `app.ts`. */
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
   * The person of a session; null where it was revoked. A token is signed after the commit of its session, so that a
   * missing one was never there or is forgotten.
   */
  const sessionHolder = cacheByAccessVersion(async (id) => {
    const session = await sessionById.first(store.read, { id });
    return session?.revoked_at === null ? session.user_id : null;
  });

  const touch = createLastUsed(clock, ({ id, firm_id }, at) => store.write((tx) => touchApiKey(tx, firm_id, id, at)));

  /** The caller that a key gives at this moment. */
  function holderOf(found: FoundKey | null): Principal | undefined {
    if (!found || (found.key.expires_at !== null && found.key.expires_at <= clock.now())) return undefined;
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
    workspaces(principal) {
      return principal.workspace_id === null ? firmWorkspaces(principal.firm_id) : [principal.workspace_id];
    },
  };
}

/** The workspace that a run goes to: the one asked for if the caller may use it (else `not_found`), or the first. */
export async function workspaceFor(identity: Identity, principal: Principal, asked?: string): Promise<string> {
  if (principal.workspace_id !== null && (asked === undefined || asked === principal.workspace_id))
    return principal.workspace_id;
  const usable = await identity.workspaces(principal);
  const chosen = asked === undefined ? usable[0] : usable.find((id) => id === asked);
  if (chosen === undefined) throw failure("not_found");
  return chosen;
}
