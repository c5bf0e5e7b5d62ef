import { sha256 } from "./ids.ts";

/**
 * Returns a generator of uniform numbers in [0, 1) determined by the seed. xoshiro128** by Blackman and Vigna, public
 * domain.
 */
export function seededRandom(seed: string): () => number {
  let seeded: Uint32Array | undefined;
  const rotate = (x: number, k: number) => (x << k) | (x >>> (32 - k));
  return () => {
    // Most steps draw nothing, so the seed is hashed at the first draw.
    seeded ??= new Uint32Array(new Uint8Array(sha256(seed)).slice(0, 16).buffer);
    const state = seeded;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const c1 = c ^ a;
    const d1 = d ^ b;
    state[1] = b ^ c1;
    state[0] = a ^ d1;
    state[2] = c1 ^ (b << 9);
    state[3] = rotate(d1, 11);
    return result / 2 ** 32;
  };
}
