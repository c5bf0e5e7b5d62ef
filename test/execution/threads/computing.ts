import type { FromThread, ToThread } from "../../../src/execution/computing/messages.ts";

/** A thread of the pool that does what a test names: answer, loop with and without a look at the flag, fail. */
declare const self: Worker;

let flag = new Int32Array(new SharedArrayBuffer(4));
const answer = (message: FromThread) => postMessage(message);

const works: Readonly<Record<string, (input: unknown) => FromThread>> = {
  echo: (input) => ({ output: input }),
  endless: () => {
    for (;;);
  },
  /** Instead of the product's: a check that never ends. */
  faithfulness: () => {
    for (;;);
  },
  yielding: () => {
    while (Atomics.load(flag, 0) === 0);
    return { aborted: true };
  },
  refusing: () => ({ failed: { code: "input_too_costly", message: "too many sentences", retryable: false } }),
  failing: () => ({ error: "it fell over" }),
};

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if ("nice" in data) flag = new Int32Array(data.abort);
  else answer(works[data.computation]?.(data.input) ?? { error: "unknown" });
};
