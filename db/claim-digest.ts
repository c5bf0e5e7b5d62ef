import type { Claim } from "./transition.ts";

const whole = new Uint8Array(32);

/**
 * Returns the digest that an idempotency key is looked up by: the first 16 bytes of the SHA-256 of firm, operation and
 * key. Sixteen bytes instead of about a hundred keep the index small, because every run touches it at a random
 * position.
 */
export function claimDigest({ firm_id, operation, key }: Pick<Claim, "firm_id" | "operation" | "key">): Uint8Array {
  Bun.SHA256.hash(`${firm_id}\n${operation}\n${key}`, whole);
  return whole.slice(0, 16);
}
