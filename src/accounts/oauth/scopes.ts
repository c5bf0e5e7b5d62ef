import type { Scope } from "../../contracts/scopes.ts";
import { OAuthError } from "./errors.ts";

/**
 * The scopes that are useful at `/mcp`, most common first. The first challenge names them, and consent narrows them.
 */
export const mcpScopes: readonly Scope[] = [
  "docs:read",
  "account:read",
  "runs:read",
  "capabilities:run",
  "use-cases:run",
  "validator:read",
  "validator:run",
  "insurance:ask",
  "afa:validate",
  "exa:validate",
  "eu-data:aggregate",
  "distribution:read",
  "market-intelligence:read",
];

/**
 * The scopes of a personal connection. `validator:mcp:access` is its marker and enables the validator's tools; the
 * documentation tools are free, and clients need them to find their way.
 */
export const personalScopes: readonly Scope[] = [
  "validator:mcp:access",
  "docs:read",
  "validator:read",
  "validator:run",
];

/** Requests a refresh token, which is always issued (OpenID Connect Core, 11). */
export const offlineAccess = "offline_access";
/** The only scope of a command-line sign-in: to act as the person. */
export const accountScope = "account";

/**
 * Returns the grantable scopes of a `scope` parameter, without duplicates; all of them if none is named. Unknown ones,
 * such as `openid`, and those not used at `/mcp` are dropped, as RFC 6749, 3.3 allows: the token says what was granted.
 * Throws `invalid_scope` if none is left.
 */
export function wantedScopes(text: string | undefined): readonly Scope[] {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== offlineAccess);
  if (names.length === 0) return mcpScopes;
  const wanted = mcpScopes.filter((scope) => names.includes(scope));
  if (wanted.length === 0)
    throw new OAuthError("invalid_scope", "None of the requested scopes is valid for this resource.");
  return wanted;
}
