import type { Runtime } from "../../platform/runtime.ts";

/** What says when a slice is used up, and gives other work a turn. */
export type Turns = Pick<Runtime, "elapsed" | "soon">;

/** Milliseconds that a piece of work holds the event loop at a time, so that a server goes on answering meanwhile. */
const slice = 10;

/** Yields to the event loop when the slice is used up, and ends work that nobody waits for. */
export type CooperativeYield = () => Promise<void> | undefined;

/** A yield for one piece of work, such as the build of an index. `signal` ends it with the signal's reason. */
export function cooperativeYield(runtime: Turns, signal?: AbortSignal): CooperativeYield {
  let since = runtime.elapsed();
  return () => {
    if (runtime.elapsed() - since < slice) return undefined;
    return new Promise((resolve, reject) =>
      runtime.soon(() => {
        since = runtime.elapsed();
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      }),
    );
  };
}
