import { minute } from "../../platform/clock.ts";
import { randomBase62, sha256, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Lifetime of a one-time code. */
export const codeLifetime = minute;
/** Maximum number of codes at once; the oldest are dropped first. */
const codeLimit = 10_000;

/** A person who signed in with the provider, to be exchanged for a session. */
export interface SignedIn {
  readonly user_id: string;
  readonly provider: string;
  /** When they authenticated there; null if the provider does not say. */
  readonly authenticated_at: number | null;
}

export interface OneTimeCodes {
  /** Issues a code for one exchange, bound to the PKCE challenge if there is one. */
  issue(person: SignedIn, challenge: string | null): string;
  /** Consumes a code, valid or not. Returns undefined if it is unknown, used, expired or bound to another verifier. */
  redeem(code: string, verifier: string | undefined): SignedIn | undefined;
}

interface Issued extends SignedIn {
  readonly challenge: string | null;
  readonly expires_at: number;
}

/** Rejects a challenge without its verifier, and a verifier without a challenge (RFC 9700, 4.8.2). */
function isBoundTo(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return sha256(verifier).toString("base64url") === challenge;
}

/** Creates the code store, in memory only: after a restart within a code's minute, people sign in again. */
export function createOneTimeCodes(runtime: Runtime): OneTimeCodes {
  const issued = new Map<string, Issued>();
  return {
    issue(person, challenge) {
      const now = runtime.now();
      for (const [hash, { expires_at }] of issued) {
        if (expires_at > now && issued.size < codeLimit) break;
        issued.delete(hash);
      }
      const code = `assay_oc_${randomBase62(runtime, 43)}`;
      issued.set(sha256Hex(code), { ...person, challenge, expires_at: now + codeLifetime });
      return code;
    },
    redeem(code, verifier) {
      const hash = sha256Hex(code);
      const found = issued.get(hash);
      issued.delete(hash);
      if (!found || found.expires_at <= runtime.now() || !isBoundTo(found.challenge, verifier)) return undefined;
      const { user_id, provider, authenticated_at } = found;
      return { user_id, provider, authenticated_at };
    },
  };
}
