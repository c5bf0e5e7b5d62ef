import { useSyncExternalStore } from "react";
import { keep, kept } from "../../shared/browser.ts";
import { useMe } from "../../shared/session.ts";
import { createSignal } from "../../shared/signal.ts";

/** A solution and the newest token that opens it. */
interface KeptSolution {
  readonly solution_id: string;
  readonly token: string;
}

/** Maximum number of solutions kept. Each expires after seven days. */
const atMost = 20;
const { subscribe, publish } = createSignal();

/**
 * Returns the solutions that can be resumed by a link, newest first. The API opens a solution for anyone with its token
 * but has no list, so this browser stores the tokens for the person who received them.
 */
export function useKeptSolutions() {
  const name = `solutions_${useMe().user.id}`;
  const stored = useSyncExternalStore(subscribe, () => kept(name));
  const solutions: readonly KeptSolution[] = JSON.parse(stored ?? "[]");
  const others = (id: string) => solutions.filter(({ solution_id }) => solution_id !== id);
  const set = (next: readonly KeptSolution[]): void => {
    keep(name, next.length === 0 ? null : JSON.stringify(next.slice(0, atMost)));
    publish();
  };
  return {
    solutions,
    add: (solution: KeptSolution) => set([solution, ...others(solution.solution_id)]),
    remove: ({ solution_id }: KeptSolution) => set(others(solution_id)),
  };
}
