import type { Scope } from "../../contracts/scopes.ts";
import { OAuthError } from "./errors.ts";

/** The scopes that make sense at `/mcp`, the widest use first: what the first challenge names, and consent narrows. */
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
 * What a personal connection may do. `validator:mcp:access` is its mark and means the validator's group of tools;
 * the documentation's group costs nothing and is what a client needs to find its way.
 */
export const personalScopes: readonly Scope[] = [
  "validator:mcp:access",
  "docs:read",
  "validator:read",
  "validator:run",
];

/** Asks for a refresh token, which is always given (OpenID Connect Core, 11). */
export const offlineAccess = "offline_access";
/** The one scope of a sign-in of the command line: to act as the person. */
export const accountScope = "account";

/**
 * The scopes of a `scope` parameter that can be granted, each once; all of them where none is named. Unknown ones, such as
 * `openid`, and those that open nothing at `/mcp` are left out, as RFC 6749, 3.3 allows: the token says what was granted.
 * Throws `invalid_scope` where nothing is left.
 */
export function wantedScopes(text: string | undefined): readonly Scope[] {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== offlineAccess);
  if (names.length === 0) return mcpScopes;
  const wanted = mcpScopes.filter((scope) => names.includes(scope));
  if (wanted.length === 0) throw new OAuthError("invalid_scope", "None of the scopes opens anything at this resource.");
  return wanted;
}
