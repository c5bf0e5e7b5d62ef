import { type Clock, minute } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import type { Keyring } from "./keyring.ts";
import { accessTokenType } from "./principal.ts";

/** How long an access token is good for. */
export const accessTokenLifetime = 15 * minute;

export interface AccessToken {
  readonly token: string;
  /** Milliseconds UTC. */
  readonly expires_at: number;
}

/** Signs an access token (RFC 9068) for a person. `issuer` is the base URL, the audience too. */
export function issueAccessToken(keyring: Keyring, issuer: string, user_id: string, clock: Clock): AccessToken {
  const issued = Math.floor(clock.now() / 1000);
  const expires = issued + accessTokenLifetime / 1000;
  const claims = { iss: issuer, aud: issuer, sub: user_id, iat: issued, exp: expires, jti: newId() };
  return { token: keyring.sign(JSON.stringify(claims), accessTokenType), expires_at: expires * 1000 };
}
