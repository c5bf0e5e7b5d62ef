import type { Role } from "./tables.ts";

/** The tables of sign-in, invitations and mail. See `tables.ts` for the conventions of their columns. */

export type OneTimePurpose = "confirm" | "reset";

/** A person's sign-in. It issues access tokens until it is revoked or unused for too long. */
export interface SessionTable {
  id: string;
  user_id: string;
  /** How the person signed in: `email`, the external provider's name, or `cli` if they authorised a program. */
  provider: string;
  user_agent: string | null;
  created_at: number;
  /** When it was opened or last refreshed. */
  last_used_at: number;
  revoked_at: number | null;
  /**
   * When the person proved their identity: by password, at the external provider, or by the link that completes a new
   * account. `null` if they did not, as when authorising a program. A refresh does not change it.
   */
  authenticated_at: number | null;
}

/** A refresh token within its family; see `src/accounts/auth/refresh-family.ts`. `hash` is its SHA-256. */
export interface FamilyToken {
  hash: string;
  /** Number of exchanges before it. */
  generation: number;
  /** When it was first exchanged, or `null`. */
  used_at: number | null;
}

/** A session's refresh token. */
export interface RefreshTokenTable extends FamilyToken {
  session_id: string;
}

/** An origin that a person has signed in from: the SHA-256 of their id with an address, or with a browser's mark. */
export interface KnownOriginTable {
  user_id: string;
  hash: string;
  last_seen_at: number;
}

/** A link in a mail. Its first use deletes it. `email` is the address that it was sent to. */
export interface OneTimeTokenTable {
  hash: string;
  user_id: string;
  purpose: OneTimePurpose;
  email: string;
  expires_at: number;
}

/** A person as an OpenID provider knows them. The subject never changes, whereas an e-mail address may. */
export interface ExternalIdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

export interface InvitationTable {
  id: string;
  firm_id: string;
  hash: string;
  email: string;
  role: Role;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
  accepted_by: string | null;
  /** 0 if the link was handed to someone other than the address's owner, so that following it proves nothing. */
  proves_address: number;
  /** The member of the firm who sent the invitation; `null` for the operator. */
  invited_by: string | null;
}

/** A message in the outbox. Its text is kept only until it is sent, because it may contain a one-time link. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  /** Time of the next attempt; `null` once it was sent or given up. */
  due_at: number | null;
  attempts: number;
  last_error: string | null;
  sent_at: number | null;
}

/** An operator's change of credits, by its idempotency key. */
export interface OperatorClaimTable {
  key: string;
  /** SHA-256 of the request, in hexadecimal. */
  body_sha256: string;
  claimed_at: number;
}
