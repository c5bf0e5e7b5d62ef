import type { FamilyToken } from "./auth-tables.ts";

/** The tables of OAuth and connections. See `tables.ts` for the conventions of their columns. */

/** A program that registered itself (RFC 7591). `id` is its client id. Its other metadata is unverified. */
export interface OAuthClientTable {
  id: string;
  name: string | null;
  client_uri: string | null;
  redirect_uris_json: string;
  created_at: number;
  /** When a person last authorised it; `null` if no one ever did. */
  last_used_at: number | null;
}

/**
 * A program's access to `/mcp` that a person authorised, for one workspace. `oauth`: by consent, with its own tokens.
 * `personal`: by an address that contains a secret; `hash` is its SHA-256.
 */
export interface ConnectionTable {
  id: string;
  firm_id: string;
  user_id: string;
  workspace_id: string;
  kind: "oauth" | "personal";
  client_id: string | null;
  /** The client's name at the time of consent, or the person's name for it. */
  name: string;
  hash: string | null;
  scopes_json: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** A connection's refresh token. */
export interface ConnectionTokenTable extends FamilyToken {
  connection_id: string;
}

/** An authorization code. It is kept for a while after its use: a second use means that one of the two was a theft. */
export interface OAuthCodeTable {
  hash: string;
  client_id: string;
  client_name: string;
  user_id: string;
  firm_id: string;
  /** `null` for a sign-in, which is not bound to a workspace. */
  workspace_id: string | null;
  redirect_uri: string;
  /** The PKCE challenge, always S256. */
  challenge: string;
  scopes_json: string;
  resource: string;
  expires_at: number;
  used_at: number | null;
  replayed_at: number | null;
  /** The connection or session that it was exchanged for. */
  connection_id: string | null;
  session_id: string | null;
}
