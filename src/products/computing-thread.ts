import { setPriority } from "node:os";
import type { Work } from "../contracts/computing.ts";
import { EngineError } from "../contracts/engine.ts";
import type { Compute, FromThread, Start, ToThread } from "../execution/computing/messages.ts";
import { sharedMemory, ThreadSide } from "../execution/computing/shared.ts";
import { computations } from "./computations.ts";

/**
 * A worker thread of the pool: it computes its requests one after another and answers each once. Started by
 * `src/execution/computing/pool.ts`, which terminates it if it takes too long.
 */

declare const self: Worker;

/** Thrown by `check` when no caller is waiting. */
class Aborted extends Error {}

const byName = new Map(computations.map((one) => [one.name, one]));

class ComputingThread {
  private shared = new ThreadSide(sharedMemory());

  private readonly work: Work = {
    check: () => {
      if (this.shared.look()) throw new Aborted();
    },
    progress: (completed, total) => this.answer({ completed, total }),
  };

  start({ nice, shared }: Start): void {
    this.shared = new ThreadSide(shared);
    // Only Linux has thread priorities; elsewhere this would change the whole process's.
    if (process.platform === "linux") setPriority(0, nice);
  }

  async compute({ computation, input }: Compute): Promise<void> {
    try {
      this.shared.look();
      const known = byName.get(computation);
      if (!known) throw new Error(`there is no computation ${computation}`);
      const done = await known.load();
      this.shared.begin();
      this.answer({ output: await done(input as never, this.work) });
    } catch (error) {
      this.answer(failureOf(error));
    }
  }

  private answer(message: FromThread): void {
    postMessage(message);
  }
}

function failureOf(error: unknown): FromThread {
  if (error instanceof Aborted) return { aborted: true };
  if (error instanceof EngineError) {
    const { code, message, retryable } = error;
    return { failed: { code, message, retryable } };
  }
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const thread = new ComputingThread();
self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if ("nice" in data) thread.start(data);
  else void thread.compute(data);
};
