import { minute } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Keyring } from "./keyring.ts";
import { accessTokenType } from "./principal.ts";

/** How long an access token is good for. */
export const accessTokenLifetime = 15 * minute;

export interface AccessToken {
  readonly token: string;
  /** Milliseconds UTC. */
  readonly expires_at: number;
}

/** When a token is made, and its id. */
type Sources = Pick<Runtime, "now" | "id">;

/** The claims of RFC 9068. */
function claimsFor(issuer: string, user_id: string, runtime: Sources) {
  const iat = Math.floor(runtime.now() / 1000);
  return { iss: issuer, aud: issuer, sub: user_id, iat, exp: iat + accessTokenLifetime / 1000, jti: runtime.id() };
}

/**
 * Signs an access token for a person, bound to no session: the administrator's way to act as them. `issuer` is the base
 * URL, the audience too.
 */
export function issueAccessToken(keyring: Keyring, issuer: string, user_id: string, runtime: Sources): AccessToken {
  const claims = claimsFor(issuer, user_id, runtime);
  return { token: keyring.sign(JSON.stringify(claims), accessTokenType), expires_at: claims.exp * 1000 };
}

/**
 * The same for a session, so that it stops with it: `sid` names the session. `role` and `aal` are what GoTrue's clients
 * look for, and say nothing here.
 */
export async function issueSessionToken(
  keyring: Keyring,
  issuer: string,
  { user_id, session_id }: { readonly user_id: string; readonly session_id: string },
  runtime: Sources,
): Promise<AccessToken> {
  const claims = claimsFor(issuer, user_id, runtime);
  const told = { ...claims, sid: session_id, role: "authenticated", aal: "aal1" };
  return { token: keyring.sign(JSON.stringify(told), accessTokenType), expires_at: claims.exp * 1000 };
}
