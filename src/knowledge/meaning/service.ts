import type { Meaning, ReadFor, Reading, TextKind } from "../../contracts/meaning.ts";
import { type Clock, second } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Thread } from "../../platform/threads.ts";
import type { Done, FromThread, Task, ToThread } from "./messages.ts";
import { Waiting } from "./waiting.ts";
import type { WeightFiles } from "./weights.ts";

/** Niceness of the loaded thread: it must not slow down the event loop or computations that callers await. */
const nice = 10;
/** Maximum wait per task, after which results depend on words alone; `loading` is added while the models load. */
const patience = { vector: 3 * second, reading: 20 * second, loading: 12 * second };
/** Idle time after which the thread is stopped, which frees some 300 MB. */
const idleFor = 60 * second;
/** Pause after a failure before the models are loaded again. */
const pause = 300 * second;
/** Free memory required to load the models, in bytes: twice what they take. */
export const memoryNeeded = 600 * 2 ** 20;

export interface MeaningOptions {
  readonly runtime: Pick<Runtime, "thread" | "elapsed"> & Pick<Clock, "after">;
  readonly log: Log;
  /** Null if the executable was built without the models. */
  readonly files: WeightFiles | null;
  /** Bytes of memory that the process may still allocate. */
  readonly available: () => number;
}

/** The caller of a task. */
interface Asked extends ReadFor {
  /** Maximum wait in milliseconds; absent if no caller waits, as for passages at import. */
  readonly waits?: number;
}

interface Job {
  readonly task: Task;
  settle(done: Done | null): void;
}

/** The firm of shared texts: questions to the assistant, and passages that are read ahead. */
const everybody = "";

/** The models in a worker thread: loaded on first use, stopped when idle, one task at a time. */
class ThreadedMeaning implements Meaning {
  readonly isBuiltIn: boolean;
  #thread: Thread | undefined;
  #isLoaded = false;
  #current: { readonly id: number; readonly job: Job } | undefined;
  #next = 0;
  readonly #waiting = new Waiting<Job>();
  #cancelIdle = () => {};
  #notBefore = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(private readonly options: MeaningOptions) {
    this.isBuiltIn = options.files !== null;
  }

  async vectorOf(text: string, kind: TextKind, signal?: AbortSignal): Promise<Float32Array | null> {
    const isUrgent = kind === "query" || signal !== undefined;
    const asked = { firm: everybody, ...(isUrgent && { waits: patience.vector }), ...(signal && { signal }) };
    const done = await this.#ask({ text: `${kind}: ${text}` }, asked);
    return done instanceof Float32Array ? done : null;
  }

  async read(text: string, passage: string, asked: ReadFor): Promise<Reading | null> {
    const done = await this.#ask({ text, passage }, { ...asked, waits: patience.reading });
    return done instanceof Float32Array ? null : done;
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  #ask(task: Task, { firm, signal, waits }: Asked): Promise<Done | null> {
    if (signal?.aborted || !this.#start()) return Promise.resolve(null);
    const wait = waits === undefined || this.#isLoaded ? waits : waits + patience.loading;
    const { promise, resolve } = Promise.withResolvers<Done | null>();
    const giveUp = () => job.settle(null);
    const cancel = wait === undefined ? () => {} : this.options.runtime.after(wait, giveUp);
    const job: Job = {
      task,
      settle: (done) => {
        cancel();
        signal?.removeEventListener("abort", giveUp);
        this.#waiting.remove(job);
        resolve(done);
      },
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    if (!this.#waiting.add(job, firm, waits !== undefined)) job.settle(null);
    // If nothing keeps the event loop alive, awaiting a promise makes it spin without a pause, which slows the thread
    // down.
    this.#thread?.keepAlive(true);
    this.#proceed();
    return promise;
  }

  /** Returns whether there is a thread, starting one if needed. */
  #start(): boolean {
    const { files, runtime, log, available } = this.options;
    if (this.#thread) return true;
    if (files === null || this.#isStopped || runtime.elapsed() < this.#notBefore) return false;
    if (available() < memoryNeeded) {
      this.#notBefore = runtime.elapsed() + pause;
      log.warn("not enough memory: the meaning models are not loaded", { available: available() });
      return false;
    }
    this.#thread = runtime.thread("meaning", {
      message: (data) => this.#receive(data as FromThread),
      ended: (cause) => this.#fail(cause),
    });
    this.#thread.post({ load: files, nice } satisfies ToThread);
    return true;
  }

  #receive(message: FromThread): void {
    if ("failed" in message) {
      this.#fail(message.failed);
      return;
    }
    if ("loaded" in message) this.#isLoaded = true;
    else {
      const current = this.#current;
      this.#current = undefined;
      if (current?.id === message.id) current.job.settle(message.done);
    }
    this.#proceed();
  }

  #proceed(): void {
    if (!this.#thread || !this.#isLoaded || this.#current) return;
    this.#cancelIdle();
    const job = this.#waiting.take();
    if (!job) {
      this.#thread.keepAlive(false);
      this.#cancelIdle = this.options.runtime.after(idleFor, () => this.#end());
      return;
    }
    this.#next += 1;
    this.#current = { id: this.#next, job };
    this.#thread.post({ id: this.#next, task: job.task } satisfies ToThread);
  }

  #fail(cause: unknown): void {
    this.#notBefore = this.options.runtime.elapsed() + pause;
    this.options.log.warn("the meaning models failed: texts are compared by words only", { cause });
    this.#end();
  }

  #end(): void {
    this.#cancelIdle();
    this.#thread?.end();
    this.#thread = undefined;
    this.#isLoaded = false;
    const left = [...(this.#current ? [this.#current.job] : []), ...this.#waiting.all()];
    this.#current = undefined;
    for (const job of left) job.settle(null);
  }
}

/** Creates the models' service. Nothing is loaded before the first use. Used by `src/cli/services.ts`. */
export const createMeaning = (options: MeaningOptions): Meaning => new ThreadedMeaning(options);
