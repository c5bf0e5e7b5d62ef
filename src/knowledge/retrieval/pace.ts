/** Milliseconds that a build holds the event loop at a time, so that a server goes on answering meanwhile. */
const slice = 10;

/** Lets others have a turn when the slice is used up, and ends a build that nobody waits for. */
export type Pace = () => Promise<void> | undefined;

/** A pace for one build. `signal` ends it with the signal's reason. */
export function createPace(signal?: AbortSignal): Pace {
  let since = performance.now();
  return () => {
    if (performance.now() - since < slice) return undefined;
    return new Promise((resolve, reject) =>
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      }),
    );
  };
}

/** Work that yields wherever others may have a turn. */
export type Interruptible<T> = Generator<undefined, T>;

/** Does the work, with turns for others in between. */
export async function paced<T>(work: Interruptible<T>, pace = createPace()): Promise<T> {
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
