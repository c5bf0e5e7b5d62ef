import { second } from "../platform/clock.ts";

const base = second;
const cap = 60 * second;

/**
 * Returns how long to wait before an attempt, in milliseconds; the first retry is attempt 2. Full jitter: uniform up to
 * a bound that doubles with each attempt, so that attempts that failed together do not all retry together. `random`
 * returns a number in [0, 1).
 */
export const backoff = (attempt: number, random: () => number): number =>
  Math.round(random() * Math.min(cap, base * 2 ** (attempt - 2)));
