import { writable } from "./dates.ts";

/** Time as the product sees it. It is handed in, so that a test can move it. All instants are milliseconds UTC. */
export interface Clock {
  now(): number;
  /** Calls back once after at least that long; the return value takes the call back. */
  after(ms: number, callback: () => void): () => void;
}

/**
 * RFC 3339 UTC with milliseconds, as every time on the wire. Of a time before the year 0000 or after 9999 it is the
 * nearest within, so that a row that holds one can be listed.
 */
export const rfc3339 = (at: number): string => new Date(writable(at)).toISOString();
/** The same for a time that may be missing. */
export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
