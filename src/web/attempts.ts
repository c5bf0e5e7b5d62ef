import { minute } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import type { Runtime } from "../platform/runtime.ts";

/** A rate limit on failed attempts: counts them in one-minute windows and rejects further ones above the limit. */
export interface AttemptGuard {
  /** Throws `rate_limit_exceeded` above the limit. `excused` failures are not counted here. */
  check(subject: string, excused?: number): void;
  /** Returns whether the limit is reached. */
  isExhausted(subject: string): boolean;
  /** Returns the number of failures. */
  failures(subject: string): number;
  /** Counts a failure. */
  count(subject: string): void;
}

/** Maximum number of subjects tracked, so that an attacker with many addresses cannot fill the memory. */
const subjectLimit = 100_000;

/**
 * Creates a guard that allows `most` failures per subject and minute. Its windows use monotonic time, so that setting
 * the machine's clock blocks no one.
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
