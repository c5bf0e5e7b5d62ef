import type { FromThread, ToThread } from "../../../src/execution/computing/messages.ts";
import { sharedMemory, ThreadSide } from "../../../src/execution/computing/shared.ts";

/** A pool thread that does what the test names: return, loop with or without polling the pool, or fail. */
declare const self: Worker;

let memory = sharedMemory();
let pool = new ThreadSide(memory);
const held: Uint8Array[] = [];
const answer = (message: FromThread) => postMessage(message);

/** Runs until aborted. Reports when it starts waiting and after each answer to the pool. */
function wait(): FromThread {
  const answered = () => Atomics.load(new Int32Array(memory), 2);
  for (let before = answered(), answers = 0; ; ) {
    if (answers === 0) answer({ completed: answers++, total: 0 });
    if (pool.look()) return { aborted: true };
    if (answered() === before) continue;
    before = answered();
    answer({ completed: answers++, total: 0 });
  }
}

const works: Readonly<Record<string, (input: unknown) => FromThread>> = {
  echo: (input) => ({ output: input }),
  endless: () => {
    answer({ completed: 0, total: 0 });
    for (;;);
  },
  /** Replaces the product's check with one that never finishes. */
  faithfulness: () => {
    for (;;);
  },
  yielding: wait,
  /** Never finishes loading, so the computation never starts. */
  loading: wait,
  /** Allocates `mib` mebibytes, then waits as `yielding` does. */
  hoarding: (mib) => {
    for (let i = 0; i < Number(mib); i++) held.push(new Uint8Array(2 ** 20));
    return wait();
  },
  refusing: () => ({ failed: { code: "input_too_costly", message: "too many sentences", retryable: false } }),
  failing: () => ({ error: "it fell over" }),
};

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if ("nice" in data) [memory, pool] = [data.shared, new ThreadSide(data.shared)];
  else {
    pool.look();
    if (data.computation !== "loading") pool.begin();
    answer(works[data.computation]?.(data.input) ?? { error: "unknown" });
  }
};
