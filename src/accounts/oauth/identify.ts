import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { mcpScopes } from "./scopes.ts";

/** Authentication for `/mcp`: identifies the caller, and challenges those without access. */
export interface McpAccess {
  /**
   * Returns the caller by an API key, an OAuth access token for `/mcp`, or a personal connection (`?token=` or as
   * bearer). If undefined, answer 401 with `challenge(request)`. Throws `rate_limit_exceeded` after too many wrong
   * credentials.
   */
  identifyMcp(request: Request): Promise<Principal | undefined>;
  /**
   * Returns the value of `WWW-Authenticate` (RFC 6750, 3; RFC 9728, 5.1). Without `lacking`, for a 401: all scopes that
   * are useful here, which consent narrows. With it, for a 403: the scopes that the caller has and those that were
   * missing.
   */
  challenge(request: Request, lacking?: Lacking): string;
}

export interface Lacking {
  readonly principal: Principal;
  /** The scopes that the request needed. */
  readonly scopes: readonly Scope[];
}

/** A credential, as sent to `/mcp`. */
export type Credential =
  | { readonly kind: "key" | "personal" | "token"; readonly value: string }
  | { readonly kind: "unknown" };

const classOf = (value: string): Credential => {
  if (value.startsWith("assay_sk_")) return { kind: "key", value };
  return { kind: value.startsWith("assay_pc_") ? "personal" : "token", value };
};

/**
 * Returns the effective credential: the header's, otherwise a personal connection's from the query; undefined if there
 * is none.
 */
export function credentialOf(request: Request): Credential | undefined {
  const header = request.headers.get("authorization");
  if (header !== null) {
    // The scheme is case-insensitive (RFC 9110, 11.1).
    if (header.slice(0, 7).toLowerCase() !== "bearer ") return { kind: "unknown" };
    return classOf(header.slice(7).trim());
  }
  const token = new URL(request.url).searchParams.get("token");
  if (token === null) return undefined;
  // Only a personal connection's token may be in a URL; other credentials must not be exposed there.
  return token.startsWith("assay_pc_") ? { kind: "personal", value: token } : { kind: "unknown" };
}

/** Creates the challenge. `metadataUrl` is the URL of the protected resource's metadata. */
export const createChallenge =
  (metadataUrl: string): McpAccess["challenge"] =>
  (request, lacking) => {
    const error = lacking ? "insufficient_scope" : credentialOf(request) ? "invalid_token" : undefined;
    // Only those of the caller's scopes that can be requested: a key may have more, and a personal connection has its
    // marker scope.
    const had = mcpScopes.filter((scope) => !lacking || lacking.principal.scopes.has(scope));
    const scope = [...new Set([...had, ...(lacking?.scopes ?? [])])].join(" ");
    const members = { ...(error && { error }), scope, resource_metadata: metadataUrl };
    const told = Object.entries(members).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${told.join(", ")}`;
  };
