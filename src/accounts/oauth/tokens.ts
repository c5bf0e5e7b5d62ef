import { decodeJwt } from "jose";
import { oauthCode, updateOAuthCode } from "../../../db/queries/oauth-codes.ts";
import {
  connectionById,
  connectionTokenByHash,
  deleteOldConnectionTokens,
  insertConnectionToken,
  markConnectionTokenUsed,
  revokeConnection,
  touchConnection,
  usedConnectionTokens,
} from "../../../db/queries/oauth-connections.ts";
import { revokeSession } from "../../../db/queries/sessions.ts";
import type { ConnectionTable, OAuthCodeTable } from "../../../db/schema/oauth-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { accessTokenLifetime } from "../../identity/access-token.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { accessTokenType } from "../../identity/principal.ts";
import { second } from "../../platform/clock.ts";
import { Failure } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { record } from "../admin/audit-context.ts";
import { firstToken, nextToken, type TokenFamily } from "../auth/refresh-family.ts";
import { programProvider, type Session } from "../auth/schema.ts";
import { refreshTokenPrefix, type Sessions } from "../auth/sessions.ts";
import { commandLine } from "./client.ts";
import { type Exchange, useCode } from "./codes.ts";
import { OAuthError } from "./errors.ts";
import { connectionIdleLimit, endConnection, openConnection } from "./manage.ts";
import { type Resources, resourceOf } from "./request.ts";
import { accountScope, offlineAccess } from "./scopes.ts";

const refreshPrefix = "assay_or_";

/** The token endpoint's response (RFC 6749, 5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** A command-line sign-in: the native session, with the members that the protocol requires. */
export type SignedIn = Omit<Session, "token_type"> & Tokens;

export interface RefreshRequest {
  readonly refresh_token: string;
  readonly client_id: string;
  readonly scope: string | undefined;
  readonly resource: string | undefined;
}

export interface TokensOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly keyring: Keyring;
  readonly sessions: Sessions;
  readonly baseUrl: string;
  readonly resources: Resources;
}

export interface TokenService {
  /** Exchanges a code. Throws `invalid_grant` or `invalid_target`. */
  exchange(given: Exchange, resource: string | undefined, userAgent: string | null): Promise<Tokens | SignedIn>;
  /**
   * Exchanges a refresh token, by the same rules as a sign-in's. Throws `invalid_grant`, `invalid_scope` or
   * `invalid_target`.
   */
  refresh(given: RefreshRequest): Promise<Tokens | SignedIn>;
  /** Revokes the token's connection or session, if it is the client's (RFC 7009). Ignores any other token. */
  revoke(token: string, client_id: string): Promise<void>;
}

const refuse = () =>
  new OAuthError("invalid_grant", "The refresh token is invalid, expired or revoked. Start a new authorization.");
/**
 * Returns whether a refresh token is that of a native session, which the command line may refresh here or at the native
 * endpoint.
 */
const isNative = (token: string): boolean => token.startsWith(refreshTokenPrefix);

/** Returns the scopes of the next access token: those requested, which must all be granted, or all. */
function narrowed(scope: string | undefined, held: readonly string[]): readonly string[] | undefined {
  const wanted = scope?.split(" ").filter((name) => name !== "" && name !== offlineAccess) ?? [];
  if (wanted.length === 0) return held;
  return wanted.every((name) => held.includes(name)) ? wanted : undefined;
}

/** A transaction's result, for which tokens are signed after the commit. */
interface Granted {
  readonly connection: ConnectionTable;
  readonly scopes: readonly string[];
  readonly refresh_token: string;
}

const signedIn = (session: Session): SignedIn => ({ ...session, token_type: "Bearer", scope: accountScope });

/** Returns a connection's tokens as a token family. */
const familyOf = (tx: Db, connection_id: string): TokenFamily => ({
  prefix: refreshPrefix,
  used: (generation) => usedConnectionTokens(tx, connection_id, generation),
  add: (token) => insertConnectionToken(tx, { ...token, connection_id }),
  markUsed: (hash, at) => markConnectionTokenUsed(tx, hash, at),
  forget: (usedBefore) => deleteOldConnectionTokens(tx, connection_id, usedBefore),
});

/** Issues tokens for codes and refresh tokens, and revokes them. */
class TokenIssuer implements TokenService {
  constructor(private readonly options: TokensOptions) {}

  async exchange(given: Exchange, resource: string | undefined, userAgent: string | null): Promise<Tokens | SignedIn> {
    const { store, runtime, resources } = this.options;
    const used = await store.write(async (tx) => {
      const code = await useCode(tx, runtime.now(), given);
      if (code instanceof OAuthError) return code;
      if (resource !== undefined && resourceOf(resource, given.client_id, resources) !== code.resource)
        return new OAuthError("invalid_target", "The resource differs from the one that the code was issued for.");
      return code.resource === resources.api ? code : this.connect(tx, runtime.now(), code);
    });
    if (used instanceof OAuthError) throw used;
    return "challenge" in used ? this.signIn(used, userAgent) : this.signed(used);
  }

  async refresh(given: RefreshRequest): Promise<Tokens | SignedIn> {
    const { store, runtime, resources } = this.options;
    const { client_id, refresh_token, resource } = given;
    const native = client_id === commandLine.id && isNative(refresh_token);
    const meant = native ? resources.api : resources.mcp;
    if (resource !== undefined && resourceOf(resource, client_id, resources) !== meant)
      throw new OAuthError("invalid_target", "The resource differs from the one that the token was issued for.");
    if (native) return this.refreshNative(refresh_token);
    const granted = await store.write((tx) => this.rotate(tx, runtime.now(), given));
    if (granted instanceof OAuthError) throw granted;
    return this.signed(granted);
  }

  async revoke(token: string, client_id: string): Promise<void> {
    const { store, runtime, keyring, sessions, resources } = this.options;
    if (client_id === commandLine.id && isNative(token)) return sessions.revokeByRefreshToken(token);
    const claims = await keyring.verifyToken(token, accessTokenType, resources.mcp);
    await store.write(async (tx) => {
      const host = unscoped(tx);
      const found =
        typeof claims?.connection_id === "string"
          ? await connectionById.first(host, { id: claims.connection_id })
          : await connectionTokenByHash(host, sha256Hex(token));
      if (!found || found.client_id !== client_id) return;
      await endConnection(tx, { actor: `connection:${found.id}`, at: runtime.now() }, found.firm_id, found.id);
    });
  }

  private signed({ connection, scopes, refresh_token }: Granted): Tokens {
    const { runtime, keyring, baseUrl, resources } = this.options;
    const iat = Math.floor(runtime.now() / second);
    const scope = scopes.join(" ");
    const claims = {
      ...{ iss: baseUrl, aud: resources.mcp, sub: connection.user_id, client_id: connection.client_id, scope },
      ...{ iat, exp: iat + accessTokenLifetime / second, jti: runtime.id(), connection_id: connection.id },
    };
    const access_token = keyring.sign(JSON.stringify(claims), accessTokenType);
    return { access_token, token_type: "Bearer", expires_in: accessTokenLifetime / second, refresh_token, scope };
  }

  /** Opens the connection that a code is for. */
  private async connect(tx: Db, at: number, code: OAuthCodeTable): Promise<Granted | OAuthError> {
    const { runtime } = this.options;
    const { hash, user_id, firm_id, workspace_id, client_id, client_name, scopes_json } = code;
    if (workspace_id === null) return new OAuthError("invalid_grant", "The code is for a sign-in.");
    const given = { firm_id, user_id, workspace_id, kind: "oauth" as const, client_id, name: client_name };
    const act = { actor: `user:${user_id}`, at, runtime };
    const connection = await openConnection(tx, act, { ...given, hash: null, scopes_json });
    await updateOAuthCode(tx, hash, { connection_id: connection.id });
    const scopes = JSON.parse(scopes_json) as string[];
    return { connection, scopes, refresh_token: await firstToken(familyOf(tx, connection.id), runtime) };
  }

  /** Opens the native session of a consumed code. If the code was replayed meanwhile, opens none. */
  private async signIn(code: OAuthCodeTable, userAgent: string | null): Promise<SignedIn> {
    const { store, runtime, sessions } = this.options;
    const session = await sessions.open(code.user_id, programProvider, { user_agent: userAgent });
    const session_id = String(decodeJwt(session.access_token).sid);
    const isReplayed = await store.write(async (tx) => {
      await updateOAuthCode(tx, code.hash, { session_id });
      const { replayed_at } = (await oauthCode(tx, code.hash)) ?? { replayed_at: 0 };
      if (replayed_at !== null) await revokeSession(tx, session_id, runtime.now());
      return replayed_at !== null;
    });
    if (isReplayed) throw new OAuthError("invalid_grant", "The code was used twice.");
    return signedIn(session);
  }

  /**
   * Exchanges a token, or revokes the connection of a reused one. Errors are returned, not thrown, so that the
   * revocation is committed.
   */
  private async rotate(tx: Db, at: number, given: RefreshRequest): Promise<Granted | OAuthError> {
    const { refresh_token, client_id } = given;
    const hash = sha256Hex(refresh_token);
    const found = await connectionTokenByHash(unscoped(tx), hash);
    if (!found || found.client_id !== client_id || found.revoked_at !== null) return refuse();
    if (at - (found.last_used_at ?? found.created_at) > connectionIdleLimit) return refuse();
    const scopes = narrowed(given.scope, JSON.parse(found.scopes_json) as string[]);
    if (!scopes) return new OAuthError("invalid_scope", "The request includes a scope that was not granted.");
    const { generation, used_at } = found;
    const presented = { hash, generation, used_at };
    const when = { at, remembered: connectionIdleLimit };
    const token = await nextToken(familyOf(tx, found.id), this.options.runtime, presented, when);
    if (token === undefined) {
      await revokeConnection(tx, found.firm_id, found.id, at);
      const act = { actor: `user:${found.user_id}`, at };
      await record(tx, act, "connection.reuse_detected", found.id, found.firm_id);
      return refuse();
    }
    await touchConnection(tx, found.firm_id, found.id, at);
    return { connection: found, scopes, refresh_token: token };
  }

  private async refreshNative(refresh_token: string): Promise<SignedIn> {
    try {
      return signedIn(await this.options.sessions.refresh(refresh_token));
    } catch (error) {
      if (error instanceof Failure && error.code === "invalid_credentials") throw refuse();
      throw error;
    }
  }
}

/** Creates the token service, once per installation in `src/app.ts`. */
export const createTokens = (options: TokensOptions): TokenService => new TokenIssuer(options);
