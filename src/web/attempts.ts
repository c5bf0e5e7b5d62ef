import { minute } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import type { Runtime } from "../platform/runtime.ts";

/** A rate limit: counts failed attempts in a window of a minute, and refuses further ones above the bound. */
export interface AttemptGuard {
  /** Throws `rate_limit_exceeded` when there were too many. `excused`: so many of them do not count here. */
  check(subject: string, excused?: number): void;
  /** Whether there were too many. */
  isExhausted(subject: string): boolean;
  /** How many there were. */
  failures(subject: string): number;
  /** Counts a failed one. */
  count(subject: string): void;
}

/** So many subjects at most are remembered: an attacker with many addresses must not fill the memory. */
const subjectLimit = 100_000;

/**
 * Makes one for whatever limits attempts. `most`: failures that one subject may have in a minute. Its windows follow the
 * clock that never runs backwards, so that setting the machine's clock holds nobody up.
 */
export function createAttemptGuard({ elapsed }: Pick<Runtime, "elapsed">, most: number): AttemptGuard {
  let windowStart = elapsed();
  const counts = new Map<string, number>();

  function failures(subject: string): number {
    if (elapsed() - windowStart >= minute) {
      counts.clear();
      windowStart = elapsed();
    }
    return counts.get(subject) ?? 0;
  }

  return {
    failures,
    isExhausted: (subject) => failures(subject) >= most,
    check(subject, excused = 0) {
      if (failures(subject) - excused >= most) throw failure("rate_limit_exceeded");
    },
    count(subject) {
      const before = failures(subject);
      if (counts.size < subjectLimit || before > 0) counts.set(subject, before + 1);
    },
  };
}
