import type { Runtime } from "../../platform/runtime.ts";
/** What says when a slice is used up, and gives others a turn. */
export type Turns = Pick<Runtime, "elapsed" | "soon">;

/** Milliseconds that a build holds the event loop at a time, so that a server goes on answering meanwhile. */
const slice = 10;

/** Lets others have a turn when the slice is used up, and ends a build that nobody waits for. */
export type Pace = () => Promise<void> | undefined;

/** A pace for one build. `signal` ends it with the signal's reason. */
export function createPace(runtime: Turns, signal?: AbortSignal): Pace {
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

/** Work that yields wherever others may have a turn. */
export type Interruptible<T> = Generator<undefined, T>;

/** Does the work, with turns for others in between. */
export async function paced<T>(work: Interruptible<T>, runtime: Turns): Promise<T> {
  const pace = createPace(runtime);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pace();
  }
}

/** Does the work without a pause, where it is known to be short. */
export function atOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** A seeded source of numbers from 0 to 1 (mulberry32): the same corpus gives the same index. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
