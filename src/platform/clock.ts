/** Time as the product sees it. It is handed in, so that a test can move it. All instants are milliseconds UTC. */
export interface Clock {
  now(): number;
  /** Calls back once after at least that long; the return value takes the call back. */
  after(ms: number, callback: () => void): () => void;
}

/** setTimeout's own limit: a longer wait is cut and asked for again by whoever waits. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestTimer));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

let lastAt = 0;
let lastText = new Date(lastAt).toISOString();

/** RFC 3339 UTC with milliseconds, as every time on the wire. The last one is remembered: times come in runs of the same. */
export function rfc3339(at: number): string {
  if (at !== lastAt) {
    lastText = new Date(at).toISOString();
    lastAt = at;
  }
  return lastText;
}
export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
