import { minute } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Keyring } from "./keyring.ts";
import { accessTokenType } from "./principal.ts";

/** Lifetime of an access token, in milliseconds. */
export const accessTokenLifetime = 15 * minute;

export interface AccessToken {
  readonly token: string;
  /** Milliseconds UTC. */
  readonly expires_at: number;
}

/** The token's time and id. */
type Sources = Pick<Runtime, "now" | "id">;

/** Returns the claims of RFC 9068. */
function claimsFor(issuer: string, user_id: string, runtime: Sources) {
  const iat = Math.floor(runtime.now() / 1000);
  return { iss: issuer, aud: issuer, sub: user_id, iat, exp: iat + accessTokenLifetime / 1000, jti: runtime.id() };
}

/**
 * Signs an access token for a person that is bound to no session, with which an administrator acts as them. `issuer` is
 * the base URL, which is also the audience.
 */
export function issueAccessToken(keyring: Keyring, issuer: string, user_id: string, runtime: Sources): AccessToken {
  const claims = claimsFor(issuer, user_id, runtime);
  return { token: keyring.sign(JSON.stringify(claims), accessTokenType), expires_at: claims.exp * 1000 };
}

/**
 * Signs an access token that is bound to a session, named by `sid`, and ends with it. `role` and `aal` are expected by
 * GoTrue clients and have no meaning here.
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
