import { type KeyHolder, keyByHash, touchApiKey } from "../../db/api-keys.ts";
import type { Store } from "../../db/connection.ts";
import { entitlementsOf } from "../../db/entitlements.ts";
import { membershipsOf, workspacesOf } from "../../db/firms.ts";
import type { Role } from "../../db/tables.ts";
import { type Clock, minute } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import { apiKeyHash } from "./api-key.ts";
import type { Keyring } from "./keyring.ts";
import { type Scope, scopesOf } from "./scopes.ts";

/** Who calls, resolved from a credential. Everything that a request may touch follows from it. */
export interface Principal {
  readonly kind: "key" | "person";
  readonly user_id: string;
  readonly firm_id: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<Scope>;
  /** A key is bound to one workspace; a person to none. */
  readonly workspace_id: string | null;
  readonly key_id: string | null;
}

/** `key:<id>` or `user:<id>`, as the audit log names an actor. */
export const actorOf = (principal: Principal): string =>
  principal.kind === "key" ? `key:${principal.key_id}` : `user:${principal.user_id}`;

export interface Identity {
  /** The caller by an API key; undefined when it is none of ours, expired or revoked. */
  byApiKey(secret: string): Promise<Principal | undefined>;
  /** The caller by an access token. */
  byAccessToken(token: string): Promise<Principal | undefined>;
  /** The workspaces that the caller may use: a key's own, a person's firm's, the first one in front. */
  workspaces(principal: Principal): Promise<readonly string[]>;
  /** What the firm holds besides what every firm may do. */
  entitlements(firm_id: string): Promise<readonly string[]>;
}

/** `typ` of the access tokens of RFC 9068. */
export const accessTokenType = "at+jwt";

const parsed = new Map<string, ReadonlySet<Scope>>();
/** Few keys have scopes of their own making, so each list is parsed once. */
function scopeSet(json: string): ReadonlySet<Scope> {
  let known = parsed.get(json);
  if (!known) {
    known = new Set(JSON.parse(json) as Scope[]);
    if (parsed.size > 1_000) parsed.clear();
    parsed.set(json, known);
  }
  return known;
}

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

export function createIdentity(store: Store, keyring: Keyring, clock: Clock): Identity {
  /** When a key was used is told to the minute, so that reading does not become writing. */
  function touch(key: KeyHolder): void {
    const now = clock.now();
    if (key.last_used_at !== null && now - key.last_used_at < minute) return;
    const last = touched.get(key.id) ?? 0;
    if (now - last < minute) return;
    if (touched.size > 10_000) touched.clear();
    touched.set(key.id, now);
    store.write((tx) => touchApiKey(tx, key.id, now)).catch(() => touched.delete(key.id));
  }
  const touched = new Map<string, number>();

  return {
    async byApiKey(secret) {
      const hash = apiKeyHash(secret);
      if (hash === undefined) return undefined;
      const key = await keyByHash.first(store.read, { hash });
      if (!key || key.revoked_at !== null) return undefined;
      if (key.expires_at !== null && key.expires_at <= clock.now()) return undefined;
      touch(key);
      return {
        kind: "key",
        user_id: key.user_id,
        firm_id: key.firm_id,
        role: key.role,
        scopes: within(key.role, scopeSet(key.scopes_json)),
        workspace_id: key.workspace_id,
        key_id: key.id,
      };
    },
    async byAccessToken(token) {
      const claims = await keyring.verifyToken(token, accessTokenType);
      if (typeof claims?.sub !== "string") return undefined;
      const [membership] = await membershipsOf.all(store.read, { user_id: claims.sub });
      if (!membership) return undefined;
      const held = await entitlementsOf.all(store.read, { firm_id: membership.firm_id });
      return {
        kind: "person",
        user_id: claims.sub,
        firm_id: membership.firm_id,
        role: membership.role,
        scopes: scopesOf(
          membership.role,
          held.map((entitlement) => entitlement.name),
        ),
        workspace_id: null,
        key_id: null,
      };
    },
    async workspaces(principal) {
      if (principal.workspace_id !== null) return [principal.workspace_id];
      return (await workspacesOf.all(store.read, { firm_id: principal.firm_id })).map((workspace) => workspace.id);
    },
    async entitlements(firm_id) {
      return (await entitlementsOf.all(store.read, { firm_id })).map((entitlement) => entitlement.name);
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
