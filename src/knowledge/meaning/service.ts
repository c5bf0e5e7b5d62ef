import type { Meaning, TextKind } from "../../contracts/meaning.ts";
import { type Clock, second } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Thread } from "../../platform/threads.ts";
import type { FromThread, ToThread } from "./messages.ts";
import type { WeightFiles } from "./weights.ts";

/** The thread gives way to the event loop and to what is computed for others. */
const nice = 10;
/** Longer than that nobody waits: the words alone then decide. Loading is part of it, at the first use. */
const patience = 3 * second;
/** Without work for so long the thread ends, and with it some 300 MB. */
const idleFor = 60 * second;
/** After a failure nothing is tried for so long. */
const pause = 300 * second;
/** Free memory that loading asks for: twice what the models take. */
const memoryNeeded = 600 * 2 ** 20;
/** Asked at once at most; further callers go without. */
const mostWaiting = 64;

export interface MeaningOptions {
  readonly runtime: Pick<Runtime, "thread" | "elapsed"> & Pick<Clock, "after">;
  readonly log: Log;
  /** Null: built without. */
  readonly files: WeightFiles | null;
  /** Bytes of memory that the process may still take. */
  readonly available: () => number;
}

interface Waiting {
  readonly text: string;
  readonly isUrgent: boolean;
  settle(vector: Float32Array | null): void;
}

/** The models in a thread of their own: loaded at the first use, ended when idle. One text is read at a time. */
class ThreadedMeaning implements Meaning {
  readonly isBuiltIn: boolean;
  #thread: Thread | undefined;
  #isLoaded = false;
  #current: { readonly id: number; readonly one: Waiting } | undefined;
  #next = 0;
  readonly #waiting: Waiting[] = [];
  #cancelIdle = () => {};
  #notBefore = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(private readonly options: MeaningOptions) {
    this.isBuiltIn = options.files !== null;
  }

  vectorOf(text: string, kind: TextKind): Promise<Float32Array | null> {
    return this.#ask(`${kind}: ${text}`, kind === "query");
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  #ask(text: string, isUrgent: boolean): Promise<Float32Array | null> {
    if (!this.#start() || this.#waiting.length >= mostWaiting) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Float32Array | null>();
    // What waits for nobody, passages at import, has no deadline.
    const cancel = isUrgent ? this.options.runtime.after(patience, () => one.settle(null)) : () => {};
    const one: Waiting = {
      text,
      isUrgent,
      settle: (vector) => {
        cancel();
        const at = this.#waiting.indexOf(one);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(vector);
      },
    };
    this.#waiting.push(one);
    this.#proceed();
    return promise;
  }

  /** Whether there is a thread, started if need be. */
  #start(): boolean {
    const { files, runtime, log, available } = this.options;
    if (this.#thread) return true;
    if (files === null || this.#isStopped || runtime.elapsed() < this.#notBefore) return false;
    if (available() < memoryNeeded) {
      this.#notBefore = runtime.elapsed() + pause;
      log.warn("memory is short: the models of meaning are not loaded", { available: available() });
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
      if (current?.id === message.id) current.one.settle(message.vector);
    }
    this.#proceed();
  }

  /** Sends the next one: callers who wait for an answer come before passages that are read ahead. */
  #proceed(): void {
    if (!this.#thread || !this.#isLoaded || this.#current) return;
    this.#cancelIdle();
    const at = Math.max(
      0,
      this.#waiting.findIndex(({ isUrgent }) => isUrgent),
    );
    const [one] = this.#waiting.splice(at, 1);
    if (!one) {
      this.#cancelIdle = this.options.runtime.after(idleFor, () => this.#end());
      return;
    }
    this.#next += 1;
    this.#current = { id: this.#next, one };
    this.#thread.post({ id: this.#next, text: one.text } satisfies ToThread);
  }

  #fail(cause: unknown): void {
    this.#notBefore = this.options.runtime.elapsed() + pause;
    this.options.log.warn("the models of meaning failed: texts are compared by their words alone", { cause });
    this.#end();
  }

  #end(): void {
    this.#cancelIdle();
    this.#thread?.end();
    this.#thread = undefined;
    this.#isLoaded = false;
    const left = [...(this.#current ? [this.#current.one] : []), ...this.#waiting];
    this.#current = undefined;
    for (const one of left) one.settle(null);
  }
}

/** The models of an installation. Nothing is loaded before the first use. `src/cli/services.ts` makes it. */
export const createMeaning = (options: MeaningOptions): Meaning => new ThreadedMeaning(options);
