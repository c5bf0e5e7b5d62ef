import type { FromThread, ToThread } from "../../../src/execution/computing/messages.ts";
import { sharedMemory, ThreadSide } from "../../../src/execution/computing/shared.ts";

/** A thread of the pool that does what a test names: answer, loop with and without a look at what the pool asks, fail. */
declare const self: Worker;

let memory = sharedMemory();
let pool = new ThreadSide(memory);
const held: Uint8Array[] = [];
const answer = (message: FromThread) => postMessage(message);

/** Until it is given up. Tells that it waits, and whenever it has answered the pool. */
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
  /** Instead of the product's: a check that never ends. */
  faithfulness: () => {
    for (;;);
  },
  yielding: wait,
  /** Its code is loaded for ever: it never begins. */
  loading: wait,
  /** Takes so many mebibytes, then waits as `yielding` does. */
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
