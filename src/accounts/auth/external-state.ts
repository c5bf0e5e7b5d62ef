import { hkdfSync } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { type Clock, minute, second } from "../../platform/clock.ts";

/** Time that a person has to return from the provider. */
export const stateLifetime = 10 * minute;

/** What an external sign-in must remember until the person returns. It is stored in the browser that started it. */
export interface SignInState {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by the party that started the sign-in (PKCE). */
  readonly verifier: string;
  readonly redirect_to: string;
  /** The challenge that the one-time code will be bound to (S256); null for none. */
  readonly challenge: string | null;
}

export interface StateSeal {
  seal(state: SignInState): Promise<string>;
  /** Returns undefined if the value is foreign, modified or expired. */
  open(sealed: string): Promise<SignInState | undefined>;
}

const purpose = "assay external sign-in";
const isText = (value: unknown): value is string => typeof value === "string";

/**
 * Creates the seal that encrypts the state into a cookie (JWE, AES-256-GCM), with a key derived from the master key.
 */
export function createStateSeal(masterKey: Uint8Array, clock: Clock): StateSeal {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", purpose, 32));
  return {
    seal: (state) =>
      new EncryptJWT({ ...state })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(Math.floor((clock.now() + stateLifetime) / second))
        .encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          currentDate: new Date(clock.now()),
        });
        const { state, nonce, verifier, redirect_to, challenge } = payload;
        if (!isText(state) || !isText(nonce) || !isText(verifier) || !isText(redirect_to)) return undefined;
        return { state, nonce, verifier, redirect_to, challenge: isText(challenge) ? challenge : null };
      } catch {
        return undefined;
      }
    },
  };
}
