import { hkdfSync } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { type Clock, minute, second } from "../../platform/clock.ts";

/** How long a person has to come back from the provider. */
export const stateLifetime = 10 * minute;

/** What an external sign-in has to remember until the person is back. It stays in the browser that began it. */
export interface SignInState {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the one who redeems its code began the sign-in (PKCE). */
  readonly verifier: string;
  readonly redirect_to: string;
  /** What our own one-time code will be bound to (S256); null: to nothing. */
  readonly challenge: string | null;
}

export interface StateSeal {
  seal(state: SignInState): Promise<string>;
  /** Undefined for what is not ours, changed, or too old. */
  open(sealed: string): Promise<SignInState | undefined>;
}

const purpose = "assay external sign-in";
const isText = (value: unknown): value is string => typeof value === "string";

/** Seals the state into a cookie's value (JWE, AES-256-GCM), under a key that comes from the master key. */
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
