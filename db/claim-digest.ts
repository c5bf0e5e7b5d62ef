import type { Claim } from "./transition.ts";

const whole = new Uint8Array(32);

/**
 * Returns the digest that an idempotency key is looked up by: the first 16 bytes of the SHA-256 of firm, operation and
 * key. Every run touches this index at a random position, and 16 bytes instead of about a hundred keep it small.
 */
export function claimDigest({ firm_id, operation, key }: Pick<Claim, "firm_id" | "operation" | "key">): Uint8Array {
  Bun.SHA256.hash(`${firm_id}\n${operation}\n${key}`, whole);
  return whole.slice(0, 16);
}
