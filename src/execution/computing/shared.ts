import { heapSize } from "bun:jsc";
import { readlinkSync } from "node:fs";

/**
 * Indexes of the numbers that the pool and one of its threads share, because a computing thread reads no messages. The
 * pool requests the size of the thread's heap, and the thread answers at its next check-in, if there is one. `thread`
 * is the operating system's id of the thread, under which its CPU time is counted.
 */
const places = { abort: 0, asked: 1, answered: 2, heapKib: 3, thread: 4, begun: 5 } as const;

/** Returns this thread's id on Linux (from `PID/task/NUMBER`), or 0 elsewhere. */
function currentThread(): number {
  if (process.platform !== "linux") return 0;
  try {
    return Number(/\d+$/.exec(readlinkSync("/proc/thread-self"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

/** Allocates the shared numbers of one thread. */
export const sharedMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4 * Object.keys(places).length);

/** The pool's view of a thread. */
export class PoolSide {
  private readonly numbers: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.numbers = new Int32Array(memory);
  }

  /** Sets whether the current computation should abort. */
  setAbort(isAborted: boolean): void {
    Atomics.store(this.numbers, places.abort, isAborted ? 1 : 0);
  }

  /** Marks a computation as sent to the thread. */
  send(): void {
    Atomics.store(this.numbers, places.begun, 0);
  }

  /** Whether the thread has begun the computation. Until then it is starting and loading our own code. */
  hasBegun(): boolean {
    return Atomics.load(this.numbers, places.begun) === 1;
  }

  /** Requests the size of the heap. */
  ask(): void {
    Atomics.add(this.numbers, places.asked, 1);
  }

  /** Whether the thread has answered the last request. */
  hasAnswered(): boolean {
    return Atomics.load(this.numbers, places.asked) === Atomics.load(this.numbers, places.answered);
  }

  /** The operating system's id of the thread; 0 while unknown. */
  thread(): number {
    return Atomics.load(this.numbers, places.thread);
  }

  /** Size of the thread's heap in bytes, as last reported. */
  heap(): number {
    return Atomics.load(this.numbers, places.heapKib) * 2 ** 10;
  }
}

/** The thread's view of the pool. */
export class ThreadSide {
  private readonly numbers: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.numbers = new Int32Array(memory);
    Atomics.store(this.numbers, places.thread, currentThread());
  }

  /** From here on, memory growth is attributed to the computation. */
  begin(): void {
    Atomics.store(this.numbers, places.begun, 1);
  }

  /** Answers the pool's pending request. Returns true if the current computation should abort. */
  look(): boolean {
    const asked = Atomics.load(this.numbers, places.asked);
    // Only on request: measuring the heap takes tens of microseconds.
    if (asked !== Atomics.load(this.numbers, places.answered)) {
      Atomics.store(this.numbers, places.heapKib, heapSize() >>> 10);
      Atomics.store(this.numbers, places.answered, asked);
    }
    return Atomics.load(this.numbers, places.abort) === 1;
  }
}
