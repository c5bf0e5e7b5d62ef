import type { Role } from "../../db/schema/tables.ts";
import type { Scope } from "../contracts/scopes.ts";
import type { Identity, Principal } from "../identity/principal.ts";
import { assert } from "../platform/assert.ts";
import { failure, insufficient, lacksEntitlements, lacksScopes } from "../platform/errors.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import type { AttemptGuard } from "./attempts.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./request-context.ts";

/**
 * Who may call a route. `none`: anyone. Key: API key. Platform and Bearer: API key or access token. Session and Token:
 * access token. Wherever an access token is accepted, so is a browser session's cookie. MCP: whichever credential
 * `/mcp` takes, which checks it itself and sends MCP's challenge. Operator: only a browser session's cookies, of a
 * person who runs the installation; no credential that a program could hold.
 */
export type Credential = "none" | "Key" | "Platform" | "Session" | "Token" | "Bearer" | "MCP" | "Operator";

export interface Access {
  readonly credential: Credential;
  /** Scopes that the caller needs, all of them. */
  readonly scopes?: readonly Scope[];
  /** Scopes of which the caller needs one. */
  readonly anyScope?: readonly Scope[];
  /** Roles that may call, if scopes do not decide it. */
  readonly roles?: readonly Role[];
  /** Returns the entitlements that the caller's firm needs, given the path's parameters. */
  readonly entitlements?: (params: Readonly<Record<string, string>>) => readonly string[];
  /** The route also answers without a credential. */
  readonly optional?: true;
  /** The handler checks a token that signs no one in, such as that of `/metrics`. Only with `none`. */
  readonly ownToken?: true;
  /** The sign-in must be recent, as a sign that the person is present. Only with `Operator`. */
  readonly recentSignIn?: true;
}

/** Checks whether a caller runs the installation. */
export interface OperatorCheck {
  /**
   * Throws `missing_scope` for any other person, `invalid_api_key` for a program's session, and
   * `recent_sign_in_required` if the route needs a recent sign-in and it is not.
   */
  permit(principal: Principal, recentSignIn: boolean): Promise<void>;
}

/** Identifies a caller by a browser session's cookies. */
export interface CookieReader {
  /**
   * Returns undefined if there is no session, or if the request may not be authenticated by a cookie. Throws
   * `validation_error` if the page that sent the request was shown to another person.
   */
  identify(request: Request): Promise<Principal | undefined>;
}

/** Returns whether a route accepts API keys. */
export const takesKeys = (credential: Credential): boolean =>
  credential !== "Session" && credential !== "Token" && credential !== "Operator";
/** Returns whether a route accepts access tokens. */
export const takesTokens = (credential: Credential): boolean => credential !== "Key" && credential !== "Operator";
/** Returns whether a route accepts a browser session's cookies. */
const takesCookies = (credential: Credential): boolean => takesTokens(credential) || credential === "Operator";

function permit(need: Access, principal: Principal): void {
  const { scopes, anyScope, roles } = need;
  if (scopes?.some((scope) => !principal.scopes.has(scope)))
    throw lacksScopes(scopes.filter((scope) => !principal.scopes.has(scope)));
  if (anyScope?.every((scope) => !principal.scopes.has(scope)))
    throw insufficient([`needs the scope ${anyScope.join(" or ")}`], anyScope);
  if (roles && !roles.includes(principal.role))
    throw insufficient([`needs a person with the role ${roles.join(" or ")}`]);
}

/** Checks the caller before anything else of a request is read. */
export interface AccessControl {
  /**
   * Called by the adapter before validation, so that credential (401) and scope (403) errors come before input errors
   * (422). Afterwards the handler calls `callerOf(request)`. Synchronous for a cached key, which nearly every request
   * has. Throws `invalid_api_key`, `missing_scope` or `rate_limit_exceeded`.
   */
  authorize(request: Request, params: Readonly<Record<string, string>>, need: Access): MaybePromise<void>;
}

/** Creates the access control, for `app.ts`. */
export function accessControl(
  identity: Identity,
  attempts: AttemptGuard,
  cookies: CookieReader,
  operators: OperatorCheck,
): AccessControl {
  function identify(request: Request, need: Access): MaybePromise<Principal | undefined> {
    const header = request.headers.get("authorization");
    if (header === null) return takesCookies(need.credential) ? cookies.identify(request) : undefined;
    // The scheme is case-insensitive (RFC 9110, 11.1).
    if (header.slice(0, 7).toLowerCase() !== "bearer ") throw failure("invalid_api_key");
    const given = header.slice(7);
    const isKey = given.startsWith("assay_sk_");
    const found =
      isKey && takesKeys(need.credential)
        ? identity.byApiKey(given)
        : !isKey && takesTokens(need.credential)
          ? identity.byAccessToken(given)
          : undefined;
    return chain(found, (caller) => {
      // A valid credential is never blocked by wrong ones sent from the same address.
      if (caller) return caller;
      const address = clientAddress(request);
      attempts.check(address);
      attempts.count(address);
      throw failure("invalid_api_key");
    });
  }

  const entitled = (wanted: readonly string[], { firm_id }: Principal): MaybePromise<void> =>
    chain(identity.entitlements(firm_id), (held) => {
      const lacking = wanted.filter((name) => !held.includes(name));
      if (lacking.length > 0) throw lacksEntitlements(lacking);
    });

  function besides(
    principal: Principal,
    params: Readonly<Record<string, string>>,
    { credential, entitlements, recentSignIn }: Access,
  ): MaybePromise<void> {
    if (credential === "Operator") return operators.permit(principal, recentSignIn === true);
    const wanted = entitlements?.(params) ?? [];
    return wanted.length > 0 ? entitled(wanted, principal) : undefined;
  }

  return {
    authorize(request, params, need) {
      if (need.credential === "none") return;
      return chain(identify(request, need), (principal) => {
        if (!principal) {
          if (need.optional) return;
          throw failure("invalid_api_key");
        }
        permit(need, principal);
        return chain(besides(principal, params, need), () => {
          contextOf(request).principal = principal;
        });
      });
    },
  };
}

/** Returns the caller, in the handler of a route that requires a credential. */
export function callerOf(request: Request): Principal {
  const { principal } = contextOf(request);
  assert(principal, "the route asks for a credential");
  return principal;
}

/** Returns the caller, if any, in the handler of a route with an optional credential. */
export const callerIfAny = (request: Request): Principal | undefined => contextOf(request).principal;
