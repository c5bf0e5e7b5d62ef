import { readFileSync } from "node:fs";
import type { Clock } from "./clock.ts";
import { isCompiled } from "./compiled.ts";
import { type Thread, type ThreadListener, type ThreadName, threadFiles } from "./threads.ts";

/**
 * The one source of time, ids, chance, yielding, threads and look-ups of names. It is passed in, so that a test or a simulator decides all
 * of them by a seed; nothing else in the product asks the machine for any. None of its functions needs its `this`.
 */
export interface Runtime extends Clock {
  /** A UUIDv7 of this moment, or of another one (milliseconds UTC): ordered by time, so new rows end an index. */
  id(at?: number): string;
  /** Uniform in [0, 1). No secret is made from it. */
  random(): number;
  /** Good enough for secrets. */
  randomBytes(length: number): Uint8Array;
  /** Calls back in the next turn of the event loop, after the input and output that waits. */
  soon(callback: () => void): void;
  /** Yields to the event loop. */
  nextTurn(): Promise<void>;
  /** Resolves after at least so many milliseconds; keeps the process alive. Rejects with the signal's reason once it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborts with a `TimeoutError` after so many milliseconds. */
  deadline(ms: number): AbortSignal;
  /** Milliseconds with fractions that never run backwards, from an arbitrary start: for durations and rate limits. */
  elapsed(): number;
  /** All addresses of a host's name. Throws the resolver's error, with its `code`. */
  resolveHost(name: string): Promise<readonly string[]>;
  /** Bytes of memory that the process has, all its threads together. */
  resident(): number;
  /** Milliseconds that a thread of this process has computed for, by its number in the system; null where nobody tells. */
  threadCpu(thread: number): number | null;
  /** Starts the thread's program. A program that can't be started is reported as ended. */
  thread(name: ThreadName, listener: ThreadListener): Thread;
}

/** What a runtime is made of; the rest follows from it. */
export interface Sources
  extends Pick<
    Runtime,
    "now" | "id" | "random" | "randomBytes" | "soon" | "elapsed" | "resolveHost" | "resident" | "threadCpu" | "thread"
  > {
  /** `Clock.after`, where `keepsAlive` says whether the process waits for it. */
  timer(ms: number, callback: () => void, keepsAlive: boolean): () => void;
}

/** Used by `systemRuntime`, and by tests with sources of their own. */
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

/** setTimeout's own limit. A longer wait is cut: its callback finds that it is early, and asks again. */
const longestTimer = 2 ** 31 - 1;

/** In the executable a thread's code is found by its path below the repository. */
const entryOf = (name: ThreadName): string =>
  isCompiled() ? `./${threadFiles[name]}` : new URL(`../../${threadFiles[name]}`, import.meta.url).href;

/** Starts a thread from a file: `systemRuntime` those of the product, tests their own. */
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

/** Linux counts a thread's time in hundredths of a second: what it computed itself, and the kernel for it. */
function threadCpu(thread: number): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The second field is a name in brackets that may hold blanks. The 14th and 15th are the times: see proc(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ms = (Number(fields[11]) + Number(fields[12])) * 10;
    return Number.isFinite(ms) ? ms : null;
  } catch {
    return null;
  }
}

/** The machine itself. Only the places that start the product pass it in. */
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
