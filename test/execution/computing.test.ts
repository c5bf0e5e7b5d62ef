import { describe, expect, test } from "bun:test";
import type { Computation } from "../../src/contracts/computing.ts";
import { createPool } from "../../src/execution/computing/pool.ts";
import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import { faithfulness } from "../../src/knowledge/faithfulness/computation.ts";
import { startThread, systemRuntime } from "../../src/platform/runtime.ts";
import { until } from "../support/harness.ts";
import { testRuntime } from "../support/runtime.ts";

/** How the pool handles computations that finish, hang and are aborted. The test controls the clock. */
function open({
  processors = 2,
  memory = (): number => 0,
  cpu = (_thread: number): number | null => null,
  thread = "./threads/computing.ts" as string | null,
} = {}) {
  const runtime = testRuntime();
  let started = 0;
  let elapsed = 0;
  const pool = createPool({
    processors,
    runtime: {
      ...runtime,
      resident: memory,
      threadCpu: cpu,
      elapsed: () => elapsed,
      thread(name, listener) {
        started++;
        return thread ? startThread(new URL(thread, import.meta.url).href, listener) : runtime.thread(name, listener);
      },
    },
  });
  return {
    pool,
    advance: runtime.advance,
    started: () => started,
    pass: (ms: number) => {
      elapsed += ms;
    },
    [Symbol.dispose]: () => pool.stop(),
  };
}

const work = (name: string, isHeavy = false): Computation<unknown, unknown> => ({
  name,
  budget: { ms: 1_000, memory_mib: 100 },
  isHeavy: () => isHeavy,
  load: () => Promise.reject(new Error("only threads load")),
});
const echo = work("echo");
const endless = work("endless");
const yielding = work("yielding");

const codeOf = (computing: Promise<unknown>): Promise<string> =>
  computing.then(
    () => "done",
    (error: Error & { code?: string }) => (typeof error.code === "string" ? error.code : error.message),
  );

describe("a computation", () => {
  test("returns the same in a thread as on the event loop", async () => {
    using opened = open({ thread: null });
    const material = {
      question: "What is the limit?",
      answer: "The limit is 500 000 CZK. It is paid within 15 days.",
      sources: ["The limit of indemnity is 500 000 CZK.", "It is paid within 30 days."],
    };
    expect(await opened.pool.run(faithfulness, material, { firm: "a" })).toEqual(assess(material));
  });

  test("reports its failure with the failure's code", async () => {
    using opened = open();
    expect(await codeOf(opened.pool.run(work("refusing"), 1, { firm: "a" }))).toBe("input_too_costly");
    expect(await codeOf(opened.pool.run(work("failing"), 1, { firm: "a" }))).toBe("it fell over");
    expect(await opened.pool.run(echo, "next", { firm: "a" })).toBe("next");
    expect(opened.started()).toBe(1);
  });

  test("over its time budget is too costly, and is stopped with its thread", async () => {
    using opened = open();
    const code = codeOf(opened.pool.run(endless, 1, { firm: "a" }));
    await until(() => opened.pool.load().active === 1, "the computation is running");
    opened.advance(1_000);
    expect(await code).toBe("input_too_costly");
    expect(opened.pool.load()).toEqual({ active: 0, waiting: 0, threads: 0 });
    expect(await opened.pool.run(echo, 2, { firm: "a" })).toBe(2);
    expect(opened.started()).toBe(2);
  });

  test("that gets little processor time continues until it has used its budget", async () => {
    let ms = 5_000;
    const threads = new Set<number>();
    using opened = open({
      cpu: (thread) => {
        threads.add(thread);
        return ms;
      },
    });
    const code = codeOf(opened.pool.run(endless, 1, { firm: "a" }));
    await until(() => opened.pool.load().active === 1, "the computation is running");
    ms += 400;
    opened.advance(1_000);
    expect(opened.pool.load().active).toBe(1);
    ms += 590;
    opened.advance(600);
    expect(opened.pool.load().active).toBe(1);
    ms += 10;
    opened.advance(50);
    expect(await code).toBe("input_too_costly");
    expect(threads.size).toBeGreaterThan(0);
  });

  test("that gets no processor time is aborted after ten times its budget", async () => {
    using opened = open({ cpu: () => 0 });
    const code = codeOf(opened.pool.run(endless, 1, { firm: "a" }));
    await until(() => opened.pool.load().active === 1, "the computation is running");
    opened.advance(9_999);
    expect(opened.pool.load().active).toBe(1);
    opened.advance(1);
    expect(await code).toBe("input_too_costly");
  });

  test("is timed by its own thread's processor time", async () => {
    let thread = 0;
    let isUnderWay = false;
    using opened = open({
      cpu: (asked) => {
        thread = asked;
        return 0;
      },
    });
    const given = { firm: "a", advanced: () => (isUnderWay = true) };
    const code = codeOf(opened.pool.run(endless, 1, given));
    await until(() => isUnderWay, "it computes");
    opened.advance(1_000);
    const known =
      process.platform === "linux" ? (ms: number | null) => (ms ?? 0) >= 30 : (ms: number | null) => ms === null;
    await until(() => known(systemRuntime.threadCpu(thread)), "its time is reported");
    opened.pool.stop();
    expect(await code).toBe("the pool was stopped");
  });

  test("over its memory budget is too costly too", async () => {
    let memory = 0;
    using opened = open({ memory: () => memory });
    let hasBegun = false;
    const advanced = () => (hasBegun = true);
    const code = codeOf(opened.pool.run(endless, 1, { firm: "a", advanced }));
    await until(() => hasBegun, "the computation has started");
    memory = 100 * 2 ** 20;
    opened.advance(50);
    expect(opened.pool.load().active).toBe(1);
    memory++;
    opened.advance(50);
    expect(await code).toBe("input_too_costly");
    expect(opened.pool.load().threads).toBe(0);
    expect(opened.pool.losses()).toEqual({ killed: 0, tooCostly: 1 });
  });

  test("is not charged for memory while its thread starts and loads its code", async () => {
    let memory = 0;
    using opened = open({ memory: () => memory });
    let isThere = false;
    const code = codeOf(opened.pool.run(work("loading"), 1, { firm: "a", advanced: () => (isThere = true) }));
    await until(() => isThere, "the thread is there");
    for (let look = 0; look < 3; look++) {
      memory += 200 * 2 ** 20;
      opened.advance(50);
    }
    expect([opened.pool.load().active, opened.pool.losses().tooCostly]).toEqual([1, 0]);
    opened.pool.stop();
    expect(await code).toBe("the pool was stopped");
  });

  /** Starts computations for two firms, one of which reports its heap size. The test sets the growth of the process. */
  async function besides(other: Computation<unknown, unknown>) {
    let memory = 0;
    const opened = open({ processors: 8, memory: () => memory });
    const answers = { a: -1, b: -1 };
    const run = (firm: "a" | "b", which: Computation<unknown, unknown>, input: number) =>
      codeOf(opened.pool.run(which, input, { firm, advanced: (completed) => (answers[firm] = completed) }));
    const [innocent, greedy] = [run("a", yielding, 1), run("b", other, 60)];
    return {
      ...{ innocent, greedy, pool: opened.pool },
      until: (firm: "a" | "b", count: number) => until(() => answers[firm] >= count, `${firm} has answered ${count}`),
      look: () => opened.advance(50),
      grow: (mib: number) => {
        memory += mib * 2 ** 20;
      },
      [Symbol.dispose]: () => opened[Symbol.dispose](),
    };
  }

  test("is not stopped for another firm's memory: the one whose own heap has grown is", async () => {
    using both = await besides(work("hoarding"));
    await Promise.all([both.until("a", 0), both.until("b", 0)]);
    both.look();
    await Promise.all([both.until("a", 1), both.until("b", 1)]);
    both.grow(101);
    both.look();
    expect(await both.greedy).toBe("input_too_costly");
    await both.until("a", 2);
    both.look();
    expect([both.pool.load().active, both.pool.losses().tooCostly]).toEqual([1, 1]);
    // The other computation's memory may not be released yet; further growth counts against this one.
    both.grow(101);
    await both.until("a", 3);
    both.look();
    expect(await both.innocent).toBe("input_too_costly");
  });

  test("is charged for unexplained memory if its thread reports nothing", async () => {
    using both = await besides(endless);
    await Promise.all([both.until("a", 0), both.until("b", 0)]);
    for (let answers = 1; answers <= 3; answers++) {
      both.look();
      await both.until("a", answers);
    }
    both.grow(101);
    both.look();
    expect(await both.greedy).toBe("input_too_costly");
    await both.until("a", 4);
    both.look();
    expect([both.pool.load().active, both.pool.losses().tooCostly]).toEqual([1, 1]);
    both.pool.stop();
    expect(await both.innocent).toBe("the pool was stopped");
  });
});

describe("an abort", () => {
  test("stops a computation that yields immediately, and its thread takes the next", async () => {
    using opened = open();
    const controller = new AbortController();
    const code = codeOf(opened.pool.run(yielding, 1, { firm: "a", signal: controller.signal }));
    await until(() => opened.pool.load().active === 1, "the computation is running");
    controller.abort(new Error("cancelled"));
    expect(await code).toBe("cancelled");
    expect(await opened.pool.run(echo, 2, { firm: "a" })).toBe(2);
    expect(opened.started()).toBe(1);
  });

  test("stops the thread of one that does not yield, and frees its slot", async () => {
    using opened = open();
    const controller = new AbortController();
    const code = codeOf(opened.pool.run(endless, 1, { firm: "a", signal: controller.signal }));
    await until(() => opened.pool.load().active === 1, "the computation is running");
    controller.abort(new Error("cancelled"));
    expect(await code).toBe("cancelled");
    opened.advance(50);
    expect(opened.pool.load()).toEqual({ active: 0, waiting: 0, threads: 0 });
    expect(opened.pool.losses()).toEqual({ killed: 1, tooCostly: 0 });
    expect(await opened.pool.run(echo, 2, { firm: "a" })).toBe(2);
  });

  test("removes a queued computation before it starts", async () => {
    using opened = open();
    const controller = new AbortController();
    const first = codeOf(opened.pool.run(endless, 1, { firm: "a" }));
    const waiting = codeOf(opened.pool.run(endless, 2, { firm: "a", signal: controller.signal }));
    const last = opened.pool.run(echo, 3, { firm: "a" });
    controller.abort(new Error("cancelled"));
    expect(await waiting).toBe("cancelled");
    opened.advance(1_000);
    expect([await first, await last]).toEqual(["input_too_costly", 3]);
  });

  test("before the start computes nothing", async () => {
    using opened = open();
    const signal = AbortSignal.abort(new Error("cancelled"));
    expect(await codeOf(opened.pool.run(echo, 1, { firm: "a", signal }))).toBe("cancelled");
    expect(opened.started()).toBe(0);
  });
});

describe("the pool", () => {
  test("runs short computations ahead of a long one", async () => {
    using opened = open();
    void codeOf(opened.pool.run(work("endless", true), 1, { firm: "a" }));
    expect(await opened.pool.run(echo, 2, { firm: "a" })).toBe(2);
    expect(opened.pool.load().active).toBe(1);
  });

  test("serves firms round-robin, however many one of them sends", async () => {
    using opened = open();
    // It leaves a single thread for the others, so the order does not depend on how fast threads start.
    void codeOf(opened.pool.run(endless, 1, { firm: "holder" }));
    const order: string[] = [];
    const send = (firm: string, n: number) =>
      opened.pool.run(echo, n, { firm }).then(() => {
        order.push(firm);
      });
    await Promise.all([...Array.from({ length: 50 }, (_, n) => send("busy", n)), send("other", 0)]);
    expect(order.indexOf("other")).toBe(1);
  });

  test.each([1, 2, 4, 6])("keeps a thread free for other firms on a machine with %i processors", async (processors) => {
    using opened = open({ processors });
    for (let n = 0; n < 5; n++) void codeOf(opened.pool.run(endless, n, { firm: "busy" }));
    expect(await opened.pool.run(echo, 1, { firm: "other" })).toBe(1);
    const own = Math.max(1, (processors >> 1) - 1);
    expect(opened.pool.load()).toMatchObject({ active: own, waiting: 5 - own });
  });

  test("starts no thread before its first use, and keeps no idle thread", async () => {
    using opened = open();
    expect(opened.pool.load().threads).toBe(0);
    await opened.pool.run(echo, 1, { firm: "a" });
    opened.advance(4_999);
    expect(opened.pool.load().threads).toBe(1);
    opened.advance(1);
    expect(opened.pool.load().threads).toBe(0);
  });

  test("aborts running and queued computations when stopped", async () => {
    using opened = open();
    const under = codeOf(opened.pool.run(endless, 1, { firm: "a" }));
    const waiting = codeOf(opened.pool.run(echo, 2, { firm: "a" }));
    opened.pool.stop();
    expect([await under, await waiting]).toEqual(["the pool was stopped", "the pool was stopped"]);
    expect(await codeOf(opened.pool.run(echo, 3, { firm: "a" }))).toBe("the pool was stopped");
  });

  test("computes inline only within the time of one turn of the event loop", async () => {
    using opened = open();
    const take = (ms: number) =>
      opened.pool.atOnce(() => {
        opened.pass(ms);
        return "done";
      });
    expect([take(3), take(3), take(0)]).toEqual(["done", "done", undefined]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(take(1)).toBe("done");
  });
});
