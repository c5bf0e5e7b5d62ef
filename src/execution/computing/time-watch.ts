import type { Clock } from "../../platform/clock.ts";

/** So many times its budget may pass on the clock before a job is ended that has computed for less. */
const patience = 10;
/** Milliseconds between two looks at the least. */
const look = 50;

/**
 * Calls `spent` once a job has computed for its budget. What counts is the time that its thread had a processor: on a busy
 * machine an input costs no more than on an idle one. Where that can't be told, the time that passes counts.
 * `computed`: milliseconds of the thread, or null. Returns what ends the watch.
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
