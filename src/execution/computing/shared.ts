import { heapSize } from "bun:jsc";
import { readlinkSync } from "node:fs";

/**
 * Numbers that a pool and one of its threads share, since a thread that computes reads no messages. The pool asks how much
 * memory the thread's own heap has; the thread answers at its next look, if it looks at all. The thread says which one it
 * is, by which the system counts its time.
 */
const places = { abort: 0, asked: 1, answered: 2, heapKib: 3, thread: 4, begun: 5 } as const;

/** This thread's number, as Linux says it (`PID/task/NUMBER`); 0 elsewhere. */
function currentThread(): number {
  if (process.platform !== "linux") return 0;
  try {
    return Number(/\d+$/.exec(readlinkSync("/proc/thread-self"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

/** Memory for the numbers of a thread. */
export const sharedMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4 * Object.keys(places).length);

/** What the pool sees of a thread. */
export class PoolSide {
  private readonly numbers: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.numbers = new Int32Array(memory);
  }

  /** Whether the computation under way is to end. */
  setAbort(isAborted: boolean): void {
    Atomics.store(this.numbers, places.abort, isAborted ? 1 : 0);
  }

  /** A computation is on its way to the thread. */
  send(): void {
    Atomics.store(this.numbers, places.begun, 0);
  }

  /** Whether the thread computes it: before that it starts, and loads our own code. */
  hasBegun(): boolean {
    return Atomics.load(this.numbers, places.begun) === 1;
  }

  /** Asks for the heap's size. */
  ask(): void {
    Atomics.add(this.numbers, places.asked, 1);
  }

  /** Whether the thread has answered the last question. */
  hasAnswered(): boolean {
    return Atomics.load(this.numbers, places.asked) === Atomics.load(this.numbers, places.answered);
  }

  /** The thread's number in the system; 0 as long as it is not known. */
  thread(): number {
    return Atomics.load(this.numbers, places.thread);
  }

  /** Bytes of the thread's own heap, as it answered last. */
  heap(): number {
    return Atomics.load(this.numbers, places.heapKib) * 2 ** 10;
  }
}

/** What a thread sees of its pool. */
export class ThreadSide {
  private readonly numbers: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.numbers = new Int32Array(memory);
    Atomics.store(this.numbers, places.thread, currentThread());
  }

  /** From now on the computation answers for memory. */
  begin(): void {
    Atomics.store(this.numbers, places.begun, 1);
  }

  /** Answers what the pool asks. True: nobody waits for the computation under way any more. */
  look(): boolean {
    const asked = Atomics.load(this.numbers, places.asked);
    // Only where it is asked for: to count a heap takes tens of microseconds.
    if (asked !== Atomics.load(this.numbers, places.answered)) {
      Atomics.store(this.numbers, places.heapKib, heapSize() >>> 10);
      Atomics.store(this.numbers, places.answered, asked);
    }
    return Atomics.load(this.numbers, places.abort) === 1;
  }
}
