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
 * Who may call a route. `none`: anybody. Key: API keys. Platform and Bearer: API key or access token. Session and
 * Token: access token. Wherever an access token is taken, so is a browser session's cookie. MCP: whatever opens `/mcp`,
 * which checks it itself and challenges as MCP asks. Operator: a browser session's cookies alone, of a person who runs the
 * installation; no credential that a program could carry.
 */
export type Credential = "none" | "Key" | "Platform" | "Session" | "Token" | "Bearer" | "MCP" | "Operator";

export interface Access {
  readonly credential: Credential;
  /** The caller needs all of them. */
  readonly scopes?: readonly Scope[];
  /** The caller needs one of them. */
  readonly anyScope?: readonly Scope[];
  /** Roles that may call, where scopes do not say it. */
  readonly roles?: readonly Role[];
  /** What the caller's firm must hold, by the values in the path. */
  readonly entitlements?: (params: Readonly<Record<string, string>>) => readonly string[];
  /** Without a credential the route answers too. */
  readonly optional?: true;
  /** The session's sign-in has to be so recent that the person is taken to sit there. With `Operator` alone. */
  readonly recentSignIn?: true;
}

/** Says whether a caller runs the installation. */
export interface OperatorCheck {
  /**
   * Throws `missing_scope` for anybody else, `invalid_api_key` for a program's session, and `recent_sign_in_required`
   * where a recent sign-in is asked for.
   */
  permit(principal: Principal, recentSignIn: boolean): Promise<void>;
}

/** Finds a caller by the cookies of a browser's session. */
export interface CookieReader {
  /**
   * Undefined: there is no session, or the request is none that a cookie may vouch for. Throws `validation_error` where
   * the page that sends it was shown to somebody else.
   */
  identify(request: Request): Promise<Principal | undefined>;
}

/** Whether API keys open it. */
export const takesKeys = (credential: Credential): boolean =>
  credential !== "Session" && credential !== "Token" && credential !== "Operator";
/** Whether access tokens open it. */
export const takesTokens = (credential: Credential): boolean => credential !== "Key" && credential !== "Operator";
/** Whether a browser session's cookies open it. */
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

/** Checks who calls before anything else of a request is looked at. */
export interface AccessControl {
  /**
   * For the adapter, before validation, so that credential (401) and scope (403) come before the input (422). After it
   * the handler asks `callerOf(request)`. Without a promise for a key that is remembered, as nearly every request has
   * one. Throws `invalid_api_key`, `missing_scope` and `rate_limit_exceeded`.
   */
  authorize(request: Request, params: Readonly<Record<string, string>>, need: Access): MaybePromise<void>;
}

/** Makes it, for `app.ts`. */
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
      // A good one is never held up by the wrong ones that others send from the same address.
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

/** Who called, for the handler of a route that asks for a credential. */
export function callerOf(request: Request): Principal {
  const { principal } = contextOf(request);
  assert(principal, "the route asks for a credential");
  return principal;
}

/** Who called, where the credential is optional. */
export const callerIfAny = (request: Request): Principal | undefined => contextOf(request).principal;
