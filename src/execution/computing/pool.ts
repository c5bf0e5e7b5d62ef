import type { Asked, Computation, Computing } from "../../contracts/computing.ts";
import { EngineError } from "../../contracts/engine.ts";
import { type Clock, second } from "../../platform/clock.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Thread } from "../../platform/threads.ts";
import { FairQueue, type Slot } from "../queue.ts";
import { MemoryWatch } from "./memory-watch.ts";
import type { FromThread, Start } from "./messages.ts";
import { PoolSide, sharedMemory } from "./shared.ts";
import { watchTime } from "./time-watch.ts";

/**
 * Two lanes of worker threads, one for short and one for long computations, so that neither delays the other. Within a
 * lane, firms take turns. Threads start on first use and stop when idle.
 */
const lanes = { light: { nice: 5 }, heavy: { nice: 15 } } as const;
type Lane = keyof typeof lanes;

/** Maximum number of threads per lane. The event loop and the writer need processors too. */
const mostThreads = 4;
/** Minimum number of threads per lane, so that one is always free for a firm with nothing running. */
const fewestThreads = 2;
/** Idle time, in milliseconds, after which a thread is stopped. */
const idleFor = 5 * second;
/**
 * How long an aborted computation may take to stop on its own, in milliseconds. After that its thread is terminated.
 */
const grace = 50;
/** Interval between two memory checks of a running job, in milliseconds. */
const look = 50;
/** Milliseconds per turn of the event loop that inline computations may take. */
const turnShare = 5;

interface Job {
  readonly lane: Lane;
  readonly computation: Computation<never, unknown>;
  /** `undefined` once the job is settled, so that an abandoned job in the queue holds no memory. */
  input: unknown;
  readonly asked: Asked;
  settle(outcome: { readonly output: unknown } | { readonly error: unknown }): void;
}

export type PoolRuntime = Pick<Runtime, "thread" | "soon" | "elapsed" | "resident" | "threadCpu"> &
  Pick<Clock, "after">;

export interface PoolOptions {
  readonly runtime: PoolRuntime;
  /** Number of the machine's processors. */
  readonly processors: number;
}

/** Counts of computations terminated since the start. */
interface Ended {
  /** Abandoned by their callers, and did not stop on their own. */
  killed: number;
  /** Exceeded their budget. */
  tooCostly: number;
}

/** A worker thread that runs one job at a time. */
class ComputingThread {
  private readonly memory = sharedMemory();
  private readonly shared = new PoolSide(this.memory);
  private memoryWatch: MemoryWatch | undefined;
  private readonly thread: Thread;
  private job: Job | undefined;
  private watches: (() => void)[] = [];
  private cancelIdle = () => {};

  constructor(
    private readonly runtime: PoolRuntime,
    lane: Lane,
    private readonly ended: Ended,
    /** Returns every thread with a job. */
    private readonly busy: () => Iterable<ComputingThread>,
    /** Called when a job is finished; `isAlive` is false if the thread has ended. */
    private readonly freed: (thread: ComputingThread, isAlive: boolean) => void,
  ) {
    this.thread = runtime.thread("computing", {
      message: (data) => this.receive(data as FromThread),
      ended: (cause) => this.over({ error: new Error("a computing thread ended", { cause }) }, false),
    });
    this.thread.post({ nice: lanes[lane].nice, shared: this.memory } satisfies Start);
  }

  take(job: Job): void {
    this.cancelIdle();
    this.job = job;
    this.shared.setAbort(false);
    this.shared.send();
    const { computation, input, asked } = job;
    const { budget, name } = computation;
    const computed = () => this.runtime.threadCpu(this.shared.thread());
    this.watches = [
      watchTime(this.runtime, budget.ms, computed, () =>
        this.tooCostly(`it exceeded the time budget of ${budget.ms / second} s`),
      ),
      this.watchMemory(budget.memory_mib),
    ];
    if (asked.signal) {
      const end = () => this.interrupt();
      asked.signal.addEventListener("abort", end, { once: true });
      this.watches.push(() => asked.signal?.removeEventListener("abort", end));
    }
    this.thread.keepAlive(true);
    this.thread.post({ computation: name, input });
  }

  /** Terminates the job when it exceeds its memory budget. */
  private watchMemory(mib: number): () => void {
    const others = () => [...this.busy()].flatMap((one) => (one === this ? [] : (one.memoryWatch ?? [])));
    const watch = new MemoryWatch(this.runtime.resident, this.shared, others);
    this.memoryWatch = watch;
    let cancel = () => {};
    const again = () => {
      cancel = this.runtime.after(look, () => {
        if (watch.exceeds(mib * 2 ** 20)) this.tooCostly(`it exceeded the memory budget of ${mib} MiB`);
        else again();
      });
    };
    again();
    return () => {
      cancel();
      watch.over();
      this.memoryWatch = undefined;
    };
  }

  private tooCostly(why: string): void {
    this.ended.tooCostly++;
    this.end({ error: new EngineError("input_too_costly", `The input is too costly: ${why}.`, false) });
  }

  /**
   * Handles an abort by the caller. A computation that yields stops on its own, and its thread takes the next job;
   * otherwise the thread is terminated.
   */
  private interrupt(): void {
    this.shared.setAbort(true);
    const { job } = this;
    if (!job) return;
    const reason = job.asked.signal?.reason;
    job.settle({ error: reason });
    const kill = () => {
      this.ended.killed++;
      this.end({ error: reason });
    };
    this.watches.push(this.runtime.after(grace, kill));
  }

  private receive(message: FromThread): void {
    const { job } = this;
    if (!job) return;
    if ("completed" in message) job.asked.advanced?.(message.completed, message.total);
    else if ("output" in message) this.over({ output: message.output }, true);
    else if ("aborted" in message) this.over({ error: job.asked.signal?.reason }, true);
    else if ("error" in message) this.over({ error: new Error(message.error) }, true);
    else {
      const { code, message: text, retryable } = message.failed;
      this.over({ error: new EngineError(code, text, retryable) }, true);
    }
  }

  private over(outcome: { readonly output: unknown } | { readonly error: unknown }, isAlive: boolean): void {
    const { job } = this;
    this.job = undefined;
    for (const unwatch of this.watches) unwatch();
    this.watches = [];
    if (job) job.settle(outcome);
    if (isAlive) {
      this.thread.keepAlive(false);
      this.cancelIdle = this.runtime.after(idleFor, () => this.end({ error: undefined }));
    }
    this.freed(this, isAlive);
  }

  /** Terminates the thread, whatever it is doing. */
  end(outcome: { readonly error: unknown }): void {
    this.cancelIdle();
    this.thread.end();
    this.over(outcome, false);
  }
}

class Pool implements Computing {
  private readonly queue: FairQueue<Job>;
  private readonly idle: Readonly<Record<Lane, ComputingThread[]>> = { light: [], heavy: [] };
  private readonly busy = new Map<ComputingThread, { readonly slot: Slot; readonly lane: Lane }>();
  /** Unsettled jobs, running or queued. */
  private readonly jobs = new Set<Job>();
  private readonly ended: Ended = { killed: 0, tooCostly: 0 };
  private spent = 0;
  private isStopped = false;

  constructor(private readonly options: PoolOptions) {
    const total = Math.max(fewestThreads, Math.min(mostThreads, options.processors >> 1));
    this.queue = new FairQueue({
      // One firm never gets all of them.
      limits: () => ({ total, perFirm: total - 1 }),
      start: (job, slot) => this.start(job, slot),
    });
  }

  async run<Input, Output>(computation: Computation<Input, Output>, input: Input, asked: Asked): Promise<Output> {
    asked.signal?.throwIfAborted();
    if (this.isStopped) throw new Error("the pool was stopped");
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const abort = () => job.settle({ error: asked.signal?.reason });
    const { jobs } = this;
    const job: Job = {
      lane: computation.isHeavy(input) ? "heavy" : "light",
      computation: computation as Computation<never, unknown>,
      input,
      asked,
      settle(outcome) {
        job.input = undefined;
        jobs.delete(job);
        asked.signal?.removeEventListener("abort", abort);
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.output as Output);
      },
    };
    asked.signal?.addEventListener("abort", abort, { once: true });
    jobs.add(job);
    this.queue.add(job.lane, asked.firm, job);
    return promise;
  }

  atOnce<T>(work: () => T): T | undefined {
    const { runtime } = this.options;
    if (this.spent >= turnShare) return undefined;
    const began = runtime.elapsed();
    if (this.spent === 0) runtime.soon(() => (this.spent = 0));
    try {
      return work();
    } finally {
      this.spent += Math.max(Number.MIN_VALUE, runtime.elapsed() - began);
    }
  }

  load() {
    const threads = this.busy.size + this.idle.light.length + this.idle.heavy.length;
    return { active: this.busy.size, waiting: this.queue.waiting(), threads };
  }

  losses() {
    return { ...this.ended };
  }

  stop(): void {
    this.isStopped = true;
    this.queue.close();
    for (const job of this.jobs) job.settle({ error: new Error("the pool was stopped") });
    for (const thread of [...this.busy.keys(), ...this.idle.light, ...this.idle.heavy])
      thread.end({ error: new Error("the pool was stopped") });
  }

  private start(job: Job, slot: Slot): void {
    // Aborted while queued. Deferred, because the queue is being iterated.
    if (job.input === undefined) {
      this.options.runtime.soon(() => slot.release());
      return;
    }
    const { lane } = job;
    const thread =
      this.idle[lane].pop() ??
      new ComputingThread(
        this.options.runtime,
        lane,
        this.ended,
        () => this.busy.keys(),
        (one, isAlive) => this.freed(one, isAlive),
      );
    this.busy.set(thread, { slot, lane });
    thread.take(job);
  }

  private freed(thread: ComputingThread, isAlive: boolean): void {
    const held = this.busy.get(thread);
    this.busy.delete(thread);
    for (const lane of [this.idle.light, this.idle.heavy]) {
      const at = lane.indexOf(thread);
      if (at >= 0) lane.splice(at, 1);
    }
    if (held && isAlive) this.idle[held.lane].push(thread);
    held?.slot.release();
  }
}

/** Creates the computing pool of an installation, in `src/cli/services.ts`. No thread starts before its first use. */
export const createPool = (options: PoolOptions): Computing => new Pool(options);
