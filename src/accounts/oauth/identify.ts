import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { mcpScopes } from "./scopes.ts";

/** What `/mcp` asks of this room: who calls, and how to answer those who may not. */
export interface McpAccess {
  /**
   * The caller by an API key, an OAuth access token for `/mcp`, or a personal connection (`?token=` or as bearer).
   * Undefined: answer 401 with `challenge(request)`. Throws `rate_limit_exceeded` behind too many wrong credentials.
   */
  identifyMcp(request: Request): Promise<Principal | undefined>;
  /**
   * The value of `WWW-Authenticate` (RFC 6750, 3; RFC 9728, 5.1). Without `lacking` for a 401: all scopes that make sense,
   * which consent narrows. With it for a 403: those that the caller has and those that were lacking.
   */
  challenge(request: Request, lacking?: Lacking): string;
}

export interface Lacking {
  readonly principal: Principal;
  /** What the request needed. */
  readonly scopes: readonly Scope[];
}

/** A credential as a request to `/mcp` brings it. */
export type Credential =
  | { readonly kind: "key" | "personal" | "token"; readonly value: string }
  | { readonly kind: "unknown" };

const classOf = (value: string): Credential => {
  if (value.startsWith("assay_sk_")) return { kind: "key", value };
  return { kind: value.startsWith("assay_pc_") ? "personal" : "token", value };
};

/** The credential that counts: the header's, else a personal connection's in the query. Undefined: there is none. */
export function credentialOf(request: Request): Credential | undefined {
  const header = request.headers.get("authorization");
  if (header !== null) {
    // The scheme is case-insensitive (RFC 9110, 11.1).
    if (header.slice(0, 7).toLowerCase() !== "bearer ") return { kind: "unknown" };
    return classOf(header.slice(7).trim());
  }
  const token = new URL(request.url).searchParams.get("token");
  if (token === null) return undefined;
  // Nothing but a personal connection's token may stand in an address: others are not meant to be written down there.
  return token.startsWith("assay_pc_") ? { kind: "personal", value: token } : { kind: "unknown" };
}

/** Makes the challenges. `metadataUrl` is where the protected resource's metadata is. */
export const createChallenge =
  (metadataUrl: string): McpAccess["challenge"] =>
  (request, lacking) => {
    const error = lacking ? "insufficient_scope" : credentialOf(request) ? "invalid_token" : undefined;
    // Of what the caller has, only what can be asked for: a key may carry more, and a personal connection has its mark.
    const had = mcpScopes.filter((scope) => !lacking || lacking.principal.scopes.has(scope));
    const scope = [...new Set([...had, ...(lacking?.scopes ?? [])])].join(" ");
    const members = { ...(error && { error }), scope, resource_metadata: metadataUrl };
    const told = Object.entries(members).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${told.join(", ")}`;
  };
