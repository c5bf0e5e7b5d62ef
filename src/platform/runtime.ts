import { readFileSync } from "node:fs";
import type { Clock } from "./clock.ts";
import { isCompiled } from "./compiled.ts";
import { type Thread, type ThreadListener, type ThreadName, threadFiles } from "./threads.ts";

/**
 * The one source of time, ids, randomness, scheduling, threads and name look-ups. It is injected, so that a test or a
 * simulator can drive all of them from a seed; no other code asks the machine for them. Its functions do not use
 * `this`.
 */
export interface Runtime extends Clock {
  /**
   * Returns a UUIDv7 for the current or the given time (milliseconds UTC). Ids sort by time, so new rows go to the end of
   * an index.
   */
  id(at?: number): string;
  /** Uniform in [0, 1). Not for secrets. */
  random(): number;
  /** Cryptographically secure random bytes. */
  randomBytes(length: number): Uint8Array;
  /** Calls `callback` in the next turn of the event loop, after pending I/O. */
  soon(callback: () => void): void;
  /** Yields to the event loop. */
  nextTurn(): Promise<void>;
  /**
   * Resolves after at least `ms`, and keeps the process alive until then. Rejects with the signal's reason if it
   * aborts.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a signal that aborts with a `TimeoutError` after `ms`. */
  deadline(ms: number): AbortSignal;
  /** Monotonic time in fractional milliseconds from an arbitrary start, for durations and rate limits. */
  elapsed(): number;
  /** Returns all addresses of a host name. Throws the resolver's error, with its `code`. */
  resolveHost(name: string): Promise<readonly string[]>;
  /** Resident memory of the process, all threads included, in bytes. */
  resident(): number;
  /**
   * CPU time of one of the process's threads, by system thread id, in milliseconds; null if the system does not report
   * it.
   */
  threadCpu(thread: number): number | null;
  /** Starts the thread's program. A program that cannot be started is reported through `ended`. */
  thread(name: ThreadName, listener: ThreadListener): Thread;
}

/** The primitives of a runtime, from which the rest is derived. */
export interface Sources
  extends Pick<
    Runtime,
    "now" | "id" | "random" | "randomBytes" | "soon" | "elapsed" | "resolveHost" | "resident" | "threadCpu" | "thread"
  > {
  /** `Clock.after`, with `keepsAlive` saying whether the timer keeps the process alive. */
  timer(ms: number, callback: () => void, keepsAlive: boolean): () => void;
}

/** Creates a runtime: `systemRuntime`, or a test's with its own sources. */
export function createRuntime({ timer, ...sources }: Sources): Runtime {
  const after: Clock["after"] = (ms, callback) => timer(ms, callback, false);
  return {
    ...sources,
    after,
    nextTurn: () => new Promise((resolve) => sources.soon(resolve)),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const abort = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = timer(
          ms,
          () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
          true,
        );
        signal?.addEventListener("abort", abort, { once: true });
      }),
    deadline(ms) {
      const controller = new AbortController();
      after(ms, () => controller.abort(new DOMException("The deadline has passed.", "TimeoutError")));
      return controller.signal;
    },
  };
}

/**
 * setTimeout's limit, in milliseconds. A longer wait fires early; its callback must check the time and set the timer
 * again.
 */
const longestTimer = 2 ** 31 - 1;

/** In the executable, a thread's code is found by its path in the repository. */
const entryOf = (name: ThreadName): string =>
  isCompiled() ? `./${threadFiles[name]}` : new URL(`../../${threadFiles[name]}`, import.meta.url).href;

/** Starts a thread from a file: `systemRuntime` uses it for the product's threads, tests for theirs. */
export function startThread(entry: string, listener: ThreadListener): Thread {
  const worker = new Worker(entry, { smol: true });
  let isOver = false;
  const over = (cause: unknown) => {
    if (isOver) return;
    isOver = true;
    listener.ended(cause);
  };
  worker.unref();
  worker.addEventListener("open", () => listener.ready?.());
  worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => !isOver && listener.message(data));
  worker.addEventListener("error", (event) => over(event.message));
  worker.addEventListener("close", () => over("closed"));
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    end() {
      isOver = true;
      worker.terminate();
    },
  };
}

/** Linux counts a thread's CPU time, user and system, in hundredths of a second. */
function threadCpu(thread: number): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The second field is a name in parentheses that may contain spaces. Fields 14 and 15 are the times: see proc(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ms = (Number(fields[11]) + Number(fields[12])) * 10;
    return Number.isFinite(ms) ? ms : null;
  } catch {
    return null;
  }
}

/** The machine's runtime, passed in only by the entry points. */
export const systemRuntime: Runtime = createRuntime({
  now: Date.now,
  elapsed: () => performance.now(),
  timer(ms, callback, keepsAlive) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestTimer));
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
  id: (at) => (at === undefined ? Bun.randomUUIDv7() : Bun.randomUUIDv7("hex", at)),
  random: Math.random,
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  async resolveHost(name) {
    const { lookup } = await import("node:dns/promises");
    return (await lookup(name, { all: true })).map(({ address }) => address);
  },
  resident: () => process.memoryUsage.rss(),
  threadCpu,
  thread: (name, listener) => startThread(entryOf(name), listener),
});
