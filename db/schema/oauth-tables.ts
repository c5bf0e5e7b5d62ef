import type { FamilyToken } from "./auth-tables.ts";

/** The tables of OAuth and connections: see `tables.ts` for what their columns have in common. */

/** A program that registered itself (RFC 7591). `id` is its client id. All that it says of itself is unproved. */
export interface OAuthClientTable {
  id: string;
  name: string | null;
  client_uri: string | null;
  redirect_uris_json: string;
  created_at: number;
  /** When a person last let it in; null: nobody ever did. */
  last_used_at: number | null;
}

/**
 * A program that a person let in at `/mcp`, for one workspace. `oauth`: one consent, with tokens of its own; `personal`:
 * an address that holds a secret, of which `hash` is the SHA-256.
 */
export interface ConnectionTable {
  id: string;
  firm_id: string;
  user_id: string;
  workspace_id: string;
  kind: "oauth" | "personal";
  client_id: string | null;
  /** The client's name at the consent, or what the person calls it. */
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

/** An authorization code, kept for a while after its use: when it comes again, it was stolen from one of the two. */
export interface OAuthCodeTable {
  hash: string;
  client_id: string;
  client_name: string;
  user_id: string;
  firm_id: string;
  /** Null for a sign-in, which is bound to no workspace. */
  workspace_id: string | null;
  redirect_uri: string;
  /** PKCE's, always S256. */
  challenge: string;
  scopes_json: string;
  resource: string;
  expires_at: number;
  used_at: number | null;
  replayed_at: number | null;
  /** What it was exchanged for. */
  connection_id: string | null;
  session_id: string | null;
}
