import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Limits } from "../../src/contracts/engine.ts";
import { FairQueue, type Slot } from "../../src/execution/queue.ts";

interface Job {
  readonly firm: string;
  readonly n: number;
}

/** A queue for one engine that records what it starts. */
function noted(initial: Limits) {
  let limits = initial;
  const started: Job[] = [];
  const slots: { readonly firm: string; readonly slot: Slot }[] = [];
  const queue = new FairQueue<Job>({
    limits: () => limits,
    start: (job, slot) => {
      started.push(job);
      slots.push({ firm: job.firm, slot });
    },
  });
  let n = 0;
  return {
    queue,
    started,
    slots,
    add: (firm: string) => queue.add("engine", firm, { firm, n: n++ }),
    tryAcquire(firm: string): boolean {
      const slot = queue.tryAcquire("engine", firm);
      if (slot) slots.push({ firm, slot });
      return slot !== undefined;
    },
    limit(changed: Limits): void {
      limits = changed;
      queue.reloadLimits();
    },
    /** Finishes one of the running entries. */
    free: (which = 0) => slots.splice(which % Math.max(slots.length, 1), 1)[0]?.slot.release(),
  };
}

describe("fairness", () => {
  test.each([
    { total: 1, perFirm: 1 },
    { total: 8, perFirm: 8 },
    { total: 32, perFirm: 8 },
  ])("delays a firm's first entry by one turn however many another firm has queued (%p)", (limits) => {
    const { add, started, free } = noted(limits);
    for (let i = 0; i < 10_000; i++) add("busy");
    const before = started.length;
    add("other");
    for (let turns = 0; turns < 2 && started.at(-1)?.firm !== "other"; turns++) free();
    expect(started.slice(before).filter(({ firm }) => firm === "busy").length).toBeLessThanOrEqual(1);
    expect(started.at(-1)?.firm).toBe("other");
  });

  test("with many firms waiting, each starts once before any starts twice", () => {
    const { add, started, free } = noted({ total: 1, perFirm: 1 });
    const firms = Array.from({ length: 20 }, (_, i) => `firm ${i}`);
    add("first");
    for (const firm of firms) for (let i = 0; i < 50; i++) add(firm);
    for (let round = 0; round < 5; round++) {
      const from = started.length;
      for (const _ of firms) free();
      expect(new Set(started.slice(from).map(({ firm }) => firm)).size).toBe(20);
    }
  });

  test("a firm at its own limit does not block a free slot for others", () => {
    const { add, tryAcquire, started } = noted({ total: 4, perFirm: 2 });
    for (let i = 0; i < 10; i++) add("busy");
    expect(started).toHaveLength(2);
    expect([tryAcquire("busy"), tryAcquire("other"), tryAcquire("third")]).toEqual([false, true, true]);
    expect(tryAcquire("fourth")).toBe(false);
  });

  test("changed limits apply at once, to what waits and to what comes", () => {
    const { add, tryAcquire, limit, started, free } = noted({ total: 2, perFirm: 1 });
    for (const firm of ["a", "a", "a", "b", "b"]) add(firm);
    expect(started.map(({ firm }) => firm)).toEqual(["a", "b"]);
    limit({ total: 4, perFirm: 2 });
    expect(started.map(({ firm }) => firm)).toEqual(["a", "b", "a", "b"]);
    limit({ total: 1, perFirm: 1 });
    for (let i = 0; i < 3; i++) free();
    expect([started.length, tryAcquire("c")]).toEqual([4, false]);
    free();
    expect(started.map(({ firm }) => firm)).toEqual(["a", "b", "a", "b", "a"]);
  });

  test("no entry acquires a slot ahead of those waiting", () => {
    const { add, tryAcquire, free } = noted({ total: 1, perFirm: 1 });
    expect(tryAcquire("a")).toBe(true);
    expect(tryAcquire("b")).toBe(false);
    add("a");
    free();
    expect(tryAcquire("b")).toBe(false);
    free();
    expect(tryAcquire("b")).toBe(true);
  });
});

interface Move {
  readonly kind: "add" | "take" | "free" | "free twice" | "limit";
  readonly firm: string;
  /** Which running entry finishes. */
  readonly which: number;
  /** The new limits. */
  readonly limits: Limits;
}
const limits = fc.record({ total: fc.integer({ min: 1, max: 6 }), perFirm: fc.integer({ min: 1, max: 4 }) });
const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom("add", "add", "take", "free", "free twice", "limit"),
    firm: fc.constantFrom("a", "b", "c"),
    which: fc.nat(9),
    limits,
  }),
  { maxLength: 120 },
);

describe("under any sequence of arrivals, departures and changes of the limits", () => {
  test("limits hold, no slot stays free while an entry may take it, and each firm's order is kept", () => {
    fc.assert(
      fc.property(limits, moves, (initial, list) => {
        const { queue, started, slots, add, tryAcquire, limit, free } = noted(initial);
        let { total, perFirm } = initial;
        const added: Record<string, number> = { a: 0, b: 0, c: 0 };
        const working = (name: string) => slots.filter((held) => held.firm === name).length;
        for (const move of list) {
          // Running entries keep their slots when limits are lowered.
          const before = { all: slots.length, a: working("a"), b: working("b"), c: working("c") };
          if (move.kind === "limit") {
            ({ total, perFirm } = move.limits);
            limit(move.limits);
          } else if (move.kind === "add") {
            added[move.firm] = (added[move.firm] ?? 0) + 1;
            add(move.firm);
          } else if (move.kind === "take") tryAcquire(move.firm);
          else {
            const held = slots[move.which % Math.max(slots.length, 1)];
            free(move.which);
            if (move.kind === "free twice") held?.slot.release();
          }
          const waiting = (name: string) => (added[name] ?? 0) - started.filter((job) => job.firm === name).length;
          expect(slots.length).toBeLessThanOrEqual(Math.max(total, before.all));
          expect(queue.waiting()).toBe(waiting("a") + waiting("b") + waiting("c"));
          for (const name of ["a", "b", "c"] as const) {
            expect(working(name)).toBeLessThanOrEqual(Math.max(perFirm, before[name]));
            if (waiting(name) > 0) expect(slots.length >= total || working(name) >= perFirm).toBe(true);
            const order = started.filter((job) => job.firm === name).map(({ n }) => n);
            expect(order).toEqual([...order].sort((x, y) => x - y));
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("engines do not wait for each other", () => {
  const started: string[] = [];
  const queue = new FairQueue<string>({ limits: () => ({ total: 1, perFirm: 1 }), start: (job) => started.push(job) });
  for (const engine of ["one", "one", "two"]) queue.add(engine, "a", engine);
  expect(started).toEqual(["one", "two"]);
});

test("a firm that is refused a slot, or has released it, leaves nothing behind", () => {
  const { queue, tryAcquire, free } = noted({ total: 1, perFirm: 1 });
  expect(tryAcquire("firm at work")).toBe(true);
  for (let i = 0; i < 100; i++) expect(tryAcquire(`refused ${i}`)).toBe(false);
  const held = () => Bun.inspect(queue, { depth: 8 });
  expect(held()).toContain("firm at work");
  expect(held()).not.toContain("refused");
  free();
  expect(held()).not.toContain("firm at work");
});

test("a closed queue starts no waiting entry when slots are released later", () => {
  const { queue, add, started, free } = noted({ total: 1, perFirm: 1 });
  for (let i = 0; i < 3; i++) add("a");
  queue.close();
  free();
  expect(started).toHaveLength(1);
});
