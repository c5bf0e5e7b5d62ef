/**
 * A seeded source of numbers from 0 to 1 (mulberry32): the same corpus gives the same index, byte by byte. Apart from the
 * ground floor's source, since stored indexes and shipped weights were made with these very numbers.
 */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
