import type { Runtime } from "../../platform/runtime.ts";

/** The clock that times a slice, and the scheduling of the next one. */
export type Turns = Pick<Runtime, "elapsed" | "soon">;

/** Milliseconds that work may hold the event loop at once, so that a server stays responsive. */
const slice = 10;

/** Yields to the event loop when the slice is used up, and rejects if the work was aborted. */
export type CooperativeYield = () => Promise<void> | undefined;

/** Creates a yield for one piece of work, such as an index build. Once `signal` is aborted, it rejects. */
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
