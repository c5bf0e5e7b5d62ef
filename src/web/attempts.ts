import { type Clock, minute } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";

/** A rate limit: counts failed attempts in a window of a minute, and refuses further ones above the bound. */
export interface AttemptGuard {
  /** Throws `rate_limit_exceeded` when there were too many. Who asks is looked up only where anybody failed lately. */
  check(subject: () => string): void;
  /** Whether there were too many. */
  isExhausted(subject: string): boolean;
  /** Counts a failed one. */
  count(subject: string): void;
}

/** So many subjects at most are remembered: an attacker with many addresses must not fill the memory. */
const subjectLimit = 100_000;

/** Makes one for whatever limits attempts. `most`: failures that one subject may have in a minute. */
export function createAttemptGuard(clock: Clock, most: number): AttemptGuard {
  let windowStart = clock.now();
  const counts = new Map<string, number>();

  function roll(): void {
    if (clock.now() - windowStart < minute) return;
    counts.clear();
    windowStart = clock.now();
  }

  function isExhausted(subject: string): boolean {
    roll();
    return (counts.get(subject) ?? 0) >= most;
  }

  return {
    check(subject) {
      if (counts.size > 0 && isExhausted(subject())) throw failure("rate_limit_exceeded");
    },
    isExhausted,
    count(subject) {
      roll();
      if (counts.size < subjectLimit) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    },
  };
}
