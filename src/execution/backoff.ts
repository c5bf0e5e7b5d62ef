import { second } from "../platform/clock.ts";

const base = second;
const cap = 60 * second;

/**
 * How long to wait before an attempt, the second one being the first repeat, in milliseconds. Full jitter: anywhere up
 * to a bound that doubles with each attempt, so that many that failed together do not come back together.
 * `random`: uniform in [0, 1).
 */
export const backoff = (attempt: number, random: () => number): number =>
  Math.round(random() * Math.min(cap, base * 2 ** (attempt - 2)));
