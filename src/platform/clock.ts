import { writable } from "./dates.ts";

/** The product's source of time, injected so that tests can control it. All instants are milliseconds UTC. */
export interface Clock {
  now(): number;
  /** Calls `callback` once, after at least `ms`. The returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

/**
 * Formats an instant as RFC 3339 UTC with milliseconds, the format of every time in the API. Times before year 0000 or
 * after 9999 are clamped to that range, so that rows holding one can still be listed.
 */
export const rfc3339 = (at: number): string => new Date(writable(at)).toISOString();
/** Like `rfc3339`, but passes null through. */
export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
