import type { Role } from "./tables.ts";

/** The tables of sign-in, invitations and mail: see `tables.ts` for what their columns have in common. */

export type OneTimePurpose = "confirm" | "reset";

/** A person's sign-in, from which access tokens come until it is revoked or left unused for too long. */
export interface SessionTable {
  id: string;
  user_id: string;
  /** How the person signed in: `email`, or the external provider's name; `cli`: they let a program in. */
  provider: string;
  user_agent: string | null;
  created_at: number;
  /** When it was opened or last refreshed. */
  last_used_at: number;
  revoked_at: number | null;
  /**
   * When the person proved who they are: by their password, at the external provider, or by the link that completes a
   * new account. Null: nothing did, as where a program was let in. A refresh leaves it as it is.
   */
  authenticated_at: number | null;
}

/** A refresh token among those of its family: see `src/accounts/auth/refresh-family.ts`. `hash` is its SHA-256. */
export interface FamilyToken {
  hash: string;
  /** How many exchanges came before it. */
  generation: number;
  /** When it was first exchanged; null: it never was. */
  used_at: number | null;
}

/** A sign-in's refresh token. */
export interface RefreshTokenTable extends FamilyToken {
  session_id: string;
}

/** Where a person has signed in from: the SHA-256 of their id with an address, or with a browser's mark. */
export interface KnownOriginTable {
  user_id: string;
  hash: string;
  last_seen_at: number;
}

/** A link in a mail. It goes with its first use. `email` is the address that it was sent to. */
export interface OneTimeTokenTable {
  hash: string;
  user_id: string;
  purpose: OneTimePurpose;
  email: string;
  expires_at: number;
}

/** A person as an OpenID provider knows them: the subject never changes, while an e-mail address may. */
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
  /** 0: somebody else was handed the link, so that following it says nothing about the address. */
  proves_address: number;
  /** The person of the firm who invited; null: the operator. */
  invited_by: string | null;
}

/** A message on its way. Its text is kept until it is sent: it may hold a one-time link. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  /** When it is tried next; null: it was sent, or given up. */
  due_at: number | null;
  attempts: number;
  last_error: string | null;
  sent_at: number | null;
}

/** An operator's change of credits, by the idempotency key that it was asked for with. */
export interface OperatorClaimTable {
  key: string;
  /** SHA-256 of what was asked, in hexadecimal. */
  body_sha256: string;
  claimed_at: number;
}
