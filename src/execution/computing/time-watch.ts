import type { Clock } from "../../platform/clock.ts";

/** A job is terminated after this multiple of its budget in wall-clock time, even if it used less CPU time. */
const patience = 10;
/** Minimum interval between two checks, in milliseconds. */
const look = 50;

/**
 * Calls `spent` once a job has used up its budget. CPU time of its thread counts, so that an input costs no more on a
 * busy machine than on an idle one; where it is unknown, wall-clock time counts. `computed` returns the thread's CPU
 * time in milliseconds, or `null`. The returned function stops the watch.
 */
export function watchTime(
  { after }: Pick<Clock, "after">,
  budgetMs: number,
  computed: () => number | null,
  spent: () => void,
): () => void {
  const began = computed() ?? 0;
  const longest = budgetMs * patience;
  let passed = 0;
  let cancel = () => {};
  const wait = (ms: number) => {
    cancel = after(ms, () => {
      passed += ms;
      const now = computed();
      const left = now === null ? 0 : budgetMs - (now - began);
      if (left <= 0 || passed >= longest) spent();
      else wait(Math.min(Math.max(left, look), longest - passed));
    });
  };
  wait(budgetMs);
  return () => cancel();
}
