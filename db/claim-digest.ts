import type { Claim } from "./transition.ts";

const whole = new Uint8Array(32);

/**
 * What an idempotency key is found by: the first 16 bytes of the SHA-256 of firm, operation and key. Sixteen bytes instead
 * of a hundred keep the index narrow: it is what a run touches at a random place.
 */
export function claimDigest({ firm_id, operation, key }: Pick<Claim, "firm_id" | "operation" | "key">): Uint8Array {
  Bun.SHA256.hash(`${firm_id}\n${operation}\n${key}`, whole);
  return whole.slice(0, 16);
}
