import { membershipsOf, updateUser, userById } from "../../../db/queries/firms.ts";
import {
  deleteOldRefreshTokens,
  deleteOldSessions,
  insertRefreshToken,
  insertSession,
  markRefreshTokenUsed,
  refreshTokenByHash,
  revokeSession,
  revokeSessionsOf,
  sessionById,
  sessionsOf,
  touchSession,
  usedRefreshTokens,
} from "../../../db/queries/sessions.ts";
import type { SessionTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { accessTokenLifetime, issueSessionToken } from "../../identity/access-token.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { present } from "../../platform/assert.ts";
import { day, rfc3339, second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { record } from "../admin/audit-context.ts";
import { isInAFirm } from "../admin/users.ts";
import { firstToken, nextToken, type TokenFamily } from "./refresh-family.ts";
import { type Session, type SessionSummary, userRecord } from "./schema.ts";

/** Time without a refresh after which a session ends. */
export const sessionIdleLimit = 30 * day;

/** Prefix of a sign-in's refresh tokens. */
export const refreshTokenPrefix = "assay_rt_";

/** Further data about a sign-in. */
export interface Opening {
  readonly user_agent?: string | null;
  /**
   * When the person authenticated; if absent or null they did not, and operations that need a recent sign-in are
   * refused.
   */
  readonly authenticated_at?: number | null;
}

export interface Sessions {
  /**
   * Opens a session for an already authenticated person, and returns its first tokens. Throws `invalid_credentials` for
   * a person in no firm.
   */
  open(user_id: string, provider: string, opening?: Opening): Promise<Session>;
  /** Exchanges a refresh token. Throws `invalid_credentials` if it is invalid; a reused one ends the session. */
  refresh(refresh_token: string): Promise<Session>;
  /** Ends the token's session. Does nothing if there is none or it has ended. */
  revokeByRefreshToken(refresh_token: string): Promise<void>;
  /** Ends one of a person's sessions. Returns false if the person has no such session. */
  revoke(user_id: string, session_id: string): Promise<boolean>;
  /** Ends all of a person's sessions, optionally except one. Returns how many it ended. */
  revokeOf(user_id: string, except?: string | null): Promise<number>;
  /** Lists a person's active sessions, newest first. */
  list(user_id: string, current?: string | null): Promise<SessionSummary[]>;
}

/** Returns a session's tokens as a token family. */
const familyOf = (tx: Db, session_id: string): TokenFamily => ({
  prefix: refreshTokenPrefix,
  used: (generation) => usedRefreshTokens(tx, session_id, generation),
  add: (token) => insertRefreshToken(tx, { ...token, session_id }),
  markUsed: (hash, at) => markRefreshTokenUsed(tx, hash, at),
  forget: (usedBefore) => deleteOldRefreshTokens(tx, session_id, usedBefore),
});

const summary = (session: SessionTable, current?: string | null): SessionSummary => ({
  id: session.id,
  provider: session.provider,
  user_agent: session.user_agent,
  created_at: rfc3339(session.created_at),
  last_used_at: rfc3339(session.last_used_at),
  current: session.id === current,
});

/** Records a session's change in the audit log, under its person's firm. */
async function recordChange(tx: Db, at: number, user_id: string, action: string, session_id: string): Promise<void> {
  const member = await membershipsOf.first(tx, { user_id });
  await record(tx, { actor: `user:${user_id}`, at }, action, session_id, member?.firm_id ?? null);
}

/** A transaction's result, for which tokens are signed after the commit. */
interface Opened {
  readonly session_id: string;
  readonly provider: string;
  readonly user: UserTable;
  readonly refresh_token: string;
}

/** Exchanges a token, or revokes the family of a stolen one. Returns undefined if the token is invalid. */
async function exchange(tx: Db, runtime: Runtime, hash: string, at: number): Promise<Opened | undefined> {
  const found = await refreshTokenByHash(tx, hash);
  if (!found || found.revoked_at !== null || at - found.last_used_at > sessionIdleLimit) return undefined;
  const refresh_token = await nextToken(familyOf(tx, found.id), runtime, found, { at, remembered: sessionIdleLimit });
  if (refresh_token === undefined) {
    await revokeSession(tx, found.id, at);
    await recordChange(tx, at, found.user_id, "session.reuse_detected", found.id);
    return undefined;
  }
  await touchSession(tx, found.id, at);
  const user = present(await userById(tx, found.user_id), "the session's person");
  return { session_id: found.id, provider: found.provider, user, refresh_token };
}

/**
 * Creates the sessions of the native sign-in, however the person signed in. `baseUrl` is the tokens' issuer and
 * audience.
 */
export function createSessions(store: Store, keyring: Keyring, runtime: Runtime, baseUrl: string): Sessions {
  async function signed({ session_id, provider, user, refresh_token }: Opened): Promise<Session> {
    const { token, expires_at } = await issueSessionToken(keyring, baseUrl, { user_id: user.id, session_id }, runtime);
    return {
      access_token: token,
      token_type: "bearer",
      expires_in: accessTokenLifetime / second,
      expires_at: expires_at / second,
      refresh_token,
      user: userRecord(user, provider),
    };
  }

  return {
    async open(user_id, provider, { user_agent = null, authenticated_at = null } = {}) {
      const opened = await store.write(async (tx): Promise<Opened> => {
        const at = runtime.now();
        const session_id = runtime.id();
        if (!(await isInAFirm(tx, user_id))) throw failure("invalid_credentials");
        const agent = user_agent?.slice(0, 300) ?? null;
        await deleteOldSessions(tx, user_id, at - sessionIdleLimit);
        const times = { created_at: at, last_used_at: at, revoked_at: null, authenticated_at };
        await insertSession(tx, { id: session_id, user_id, provider, user_agent: agent, ...times });
        await updateUser(tx, user_id, { last_sign_in_at: at });
        const user = present(await userById(tx, user_id), "the person who signs in");
        await recordChange(tx, at, user_id, "session.opened", session_id);
        return { session_id, provider, user, refresh_token: await firstToken(familyOf(tx, session_id), runtime) };
      });
      return signed(opened);
    },
    async refresh(refresh_token) {
      const hash = sha256Hex(refresh_token);
      const opened = await store.write((tx) => exchange(tx, runtime, hash, runtime.now()));
      if (!opened) throw failure("invalid_credentials");
      return signed(opened);
    },
    async revokeByRefreshToken(refresh_token) {
      const hash = sha256Hex(refresh_token);
      await store.write(async (tx) => {
        const at = runtime.now();
        const found = await refreshTokenByHash(tx, hash);
        if (found && (await revokeSession(tx, found.id, at)))
          await recordChange(tx, at, found.user_id, "session.revoked", found.id);
      });
    },
    revoke(user_id, session_id) {
      return store.write(async (tx) => {
        const at = runtime.now();
        const found = await sessionById.first(tx, { id: session_id });
        if (found?.user_id !== user_id || !(await revokeSession(tx, session_id, at))) return false;
        await recordChange(tx, at, user_id, "session.revoked", session_id);
        return true;
      });
    },
    revokeOf(user_id, except) {
      return store.write(async (tx) => {
        const at = runtime.now();
        const revoked = await revokeSessionsOf(tx, user_id, at, except);
        if (revoked > 0) await recordChange(tx, at, user_id, "sessions.revoked", user_id);
        return revoked;
      });
    },
    async list(user_id, current) {
      const active = await sessionsOf(store.read, user_id, runtime.now() - sessionIdleLimit);
      return active.map((session) => summary(session, current));
    },
  };
}
