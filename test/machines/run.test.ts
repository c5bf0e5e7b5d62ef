import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { initialTransition, transition } from "xstate";
import { getShortestPaths, getSimplePaths } from "xstate/graph";
import {
  approvedShare,
  maximumAttempts,
  type RunAction,
  type RunContext,
  type RunEvent,
  runMachine,
  type StepPlan,
} from "../../machines/run.ts";
import { createStatechart } from "../../src/execution/statechart.ts";

/** Plans that together make every guard of the machine both pass and fail. */
const plans: Record<string, readonly StepPlan[]> = {
  "one step": [{ key: "a", maximum: 500, approval: false }],
  "a free step": [{ key: "a", maximum: 0, approval: false }],
  "a step to approve": [{ key: "a", maximum: 700, approval: true }],
  "three steps, the middle one to approve": [
    { key: "a", maximum: 500, approval: false },
    { key: "b", maximum: 700, approval: true },
    { key: "c", maximum: 300, approval: false },
  ],
  "two steps side by side, one to approve, and one after both": [
    { key: "a", maximum: 500, approval: false, needs: [] },
    { key: "b", maximum: 700, approval: true, needs: [] },
    { key: "c", maximum: 300, approval: false },
  ],
};

/**
 * Every event that a host could send for the plan, whether valid at that point or not. Of parallel steps only one is
 * retried and costs less than its maximum, because their states multiply.
 */
const eventsFor = (plan: readonly StepPlan[]): RunEvent[] =>
  allEventsFor(plan).filter(
    (event) =>
      !plan.some(({ needs }) => needs) ||
      !("step" in event) ||
      event.step === "b" ||
      (event.type === "STEP_SUCCEEDED" && event.credits > 250) ||
      (event.type === "STEP_FAILED" && !event.retryable),
  );

const allEventsFor = (plan: readonly StepPlan[]): RunEvent[] => [
  { type: "START" },
  { type: "REFUSE", reason: "insufficient_credits" },
  { type: "CANCEL" },
  ...[...plan, { key: "unknown", maximum: 10 }].flatMap(({ key: step, maximum }): RunEvent[] => [
    { type: "STEP_SUCCEEDED", step, credits: maximum },
    { type: "STEP_SUCCEEDED", step, credits: Math.floor(maximum / 2) },
    { type: "STEP_FAILED", step, reason: "busy", retryable: true },
    { type: "STEP_FAILED", step, reason: "broken", retryable: false },
    { type: "APPROVE", step, approved: 1, of: 1 },
    { type: "APPROVE", step, approved: 2, of: 3 },
    { type: "APPROVE", step, approved: 0, of: 3 },
    { type: "APPROVE", step, approved: 4, of: 3 },
    { type: "WITHHOLD", step },
  ]),
];

type Snapshot = ReturnType<typeof initialTransition<typeof runMachine>>[0];
/** Returns the top-level state. */
const stateOf = ({ value }: Snapshot): string => (typeof value === "string" ? value : Object.keys(value).join());
const isOver = (snapshot: Snapshot): boolean => snapshot.status === "done";
const serializeState = ({ value, context }: Snapshot): string => JSON.stringify({ value, context });
const optionsFor = (plan: readonly StepPlan[]) => ({
  input: { steps: plan },
  events: eventsFor(plan),
  serializeState,
  serializeEvent: (event: RunEvent) => JSON.stringify(event),
});

/** Applies events with xstate's own transition function, recording the actions of each. */
function play(plan: readonly StepPlan[], events: readonly RunEvent[]) {
  let [snapshot, actions] = initialTransition(runMachine, { steps: plan });
  const orders: RunAction[] = [];
  const taken: string[] = [];
  const collect = (list: typeof actions) => {
    for (const { type, params } of list) orders.push({ type, ...(params as object | undefined) } as RunAction);
  };
  collect(actions);
  for (const event of events) {
    const before = snapshot;
    [snapshot, actions] = transition(runMachine, before, event);
    if (serializeState(before) !== serializeState(snapshot))
      taken.push(`${stateOf(before)} ${event.type} ${stateOf(snapshot)}`);
    collect(actions);
  }
  return { plan, events, snapshot, orders, taken };
}

/** Returns the events of a generated path, without xstate's initial one. */
const eventsOf = (path: { steps: readonly { event: { type: string } }[] }): RunEvent[] =>
  path.steps.map(({ event }) => event).filter((event): event is RunEvent => event.type !== "xstate.init");

/**
 * The shortest path to every reachable state of a plan, extended by each event that the state accepts, so that the
 * paths cover every transition; and every simple path through the small plans.
 */
const played = Object.values(plans).flatMap((plan) => {
  const ways = getShortestPaths(runMachine, optionsFor(plan)).map((path) => play(plan, eventsOf(path)));
  const onwards = ways.flatMap(({ snapshot, events }) =>
    eventsFor(plan)
      .filter((event) => serializeState(transition(runMachine, snapshot, event)[0]) !== serializeState(snapshot))
      .map((event) => play(plan, [...events, event])),
  );
  const detailed = plan.length === 1 ? getSimplePaths(runMachine, optionsFor(plan)) : [];
  return [...ways, ...onwards, ...detailed.map((path) => play(plan, eventsOf(path)))];
});

const sum = (orders: readonly RunAction[], type: "reserve" | "settle" | "release"): number =>
  orders.reduce((total, order) => total + (order.type === type ? order.credits : 0), 0);

describe("generated paths", () => {
  test("reach every state of the machine", () => {
    const reached = new Set(played.map(({ snapshot }) => stateOf(snapshot)));
    // `cancelling` is transient.
    const states = Object.keys(runMachine.states).filter((state) => state !== "cancelling");
    expect([...reached].sort()).toEqual(states.sort());
  });

  test("take every transition that the run's diagram shows, and no other", () => {
    expect([...new Set(played.flatMap(({ taken }) => taken))].sort()).toEqual([
      "awaiting_approval APPROVE running",
      "awaiting_approval APPROVE succeeded",
      "awaiting_approval CANCEL failed",
      "awaiting_approval CANCEL refused",
      "awaiting_approval WITHHOLD running",
      "awaiting_approval WITHHOLD succeeded",
      "queued CANCEL refused",
      "queued REFUSE refused",
      "queued START running",
      "running CANCEL failed",
      "running CANCEL refused",
      "running STEP_FAILED failed",
      "running STEP_FAILED running",
      "running STEP_SUCCEEDED awaiting_approval",
      "running STEP_SUCCEEDED running",
      "running STEP_SUCCEEDED succeeded",
    ]);
  });

  test("end with reserved = charged + released, and the actions agree with the context", () => {
    let ended = 0;
    for (const { snapshot, orders } of played) {
      const { reserved, charged, released } = snapshot.context;
      const ordered = [sum(orders, "reserve"), sum(orders, "settle"), sum(orders, "release")];
      expect(ordered).toEqual([reserved, charged, released]);
      expect(charged + released).toBeLessThanOrEqual(reserved);
      if (!isOver(snapshot)) continue;
      ended++;
      expect(charged + released).toBe(reserved);
      expect(orders.filter(({ type }) => type === "finish")).toHaveLength(1);
    }
    expect(ended).toBeGreaterThan(100);
  });

  test("settle each step at most once, withhold it or settle it, and charge it at most its maximum", () => {
    for (const { plan, snapshot, orders } of played)
      for (const { key, maximum } of plan) {
        const about = orders.filter((order) => "step" in order && order.step === key);
        const settled = about.filter(({ type }) => type === "settle");
        const withheld = about.filter(({ type }) => type === "withhold");
        expect(settled.length + withheld.length).toBeLessThanOrEqual(1);
        expect(sum(about, "settle")).toBeLessThanOrEqual(maximum);
        const state = snapshot.context.steps.find((step) => step.key === key);
        expect(state?.charged).toBe(sum(about, "settle"));
        expect(state?.status === "succeeded").toBe(settled.length === 1);
      }
  });

  test("refuse without a charge, and fail a cancelled run only after one", () => {
    for (const { snapshot } of played) {
      const { charged, reason } = snapshot.context;
      if (snapshot.value === "refused") expect(charged).toBe(0);
      if (snapshot.value === "failed" && reason === "cancelled") expect(charged).toBeGreaterThan(0);
      if (snapshot.value === "succeeded") expect(reason).toBeNull();
    }
  });

  test("attempt no step more than five times", () => {
    let most = 0;
    for (const { plan, orders } of played)
      for (const { key } of plan) {
        const attempts = orders.flatMap((o) => (o.type === "perform" && o.step === key ? [o.attempt] : []));
        expect(attempts).toEqual(attempts.map((_, i) => i + 1));
        most = Math.max(most, attempts.length);
      }
    expect(most).toBe(maximumAttempts);
  });

  test("order nothing after the end, whatever event follows", () => {
    const ends = new Map(played.map(({ plan, snapshot }) => [serializeState(snapshot), { plan, snapshot }]));
    for (const { plan, snapshot } of ends.values())
      if (isOver(snapshot))
        for (const event of eventsFor(plan)) expect(transition(runMachine, snapshot, event)[1]).toEqual([]);
  });
});

describe("parallel steps", () => {
  const plan: readonly StepPlan[] = [
    { key: "a", maximum: 500, approval: false, needs: [] },
    { key: "b", maximum: 700, approval: true, needs: [] },
    { key: "c", maximum: 900, approval: true, needs: ["a"] },
    { key: "d", maximum: 200, approval: false, needs: ["a"] },
    { key: "e", maximum: 300, approval: false },
  ];
  const began = (events: readonly RunEvent[]) => {
    const { orders, snapshot } = play(plan, events);
    const steps = orders.flatMap((order) => (order.type === "perform" ? [`${order.step}${order.attempt}`] : []));
    return { state: stateOf(snapshot), steps, orders, context: snapshot.context };
  };
  const start: RunEvent = { type: "START" };
  const done = (step: string, credits = 100): RunEvent => ({ type: "STEP_SUCCEEDED", step, credits });

  test("start together if they need nothing unfinished, and the others once their own needs are met", () => {
    expect(began([start])).toMatchObject({ state: "running", steps: ["a1", "b1"] });
    // Only one output awaits approval at a time: c starts after the decision on b.
    expect(began([start, done("a")])).toMatchObject({ state: "running", steps: ["a1", "b1", "d1"] });
    const decided: RunEvent[] = [start, done("a"), done("d"), done("b"), { type: "WITHHOLD", step: "b" }];
    expect(began(decided)).toMatchObject({ state: "running", steps: ["a1", "b1", "d1", "c1"] });
    const all: RunEvent[] = [...decided, done("c"), { type: "APPROVE", step: "c", approved: 1, of: 1 }];
    expect(began(all)).toMatchObject({ state: "running", steps: ["a1", "b1", "d1", "c1", "e1"] });
    expect(began([...all, done("e")]).state).toBe("succeeded");
  });

  test("request an approval when nothing else is running, and accept no decision before", () => {
    const waiting: RunEvent[] = [start, done("b")];
    expect(began(waiting).orders.some(({ type }) => type === "requestApproval")).toBe(false);
    const early = began([...waiting, { type: "APPROVE", step: "b", approved: 1, of: 1 }]);
    expect([early.state, early.context.charged, early.context.proposed]).toEqual(["running", 0, 100]);
    const asked = began([...waiting, done("a"), done("d")]);
    expect([asked.state, asked.context.charged, asked.context.proposed]).toEqual(["awaiting_approval", 200, 100]);
    expect(asked.orders.filter(({ type }) => type === "requestApproval")).toHaveLength(1);
  });

  test("retry only the one that failed", () => {
    const again = began([start, { type: "STEP_FAILED", step: "a", reason: "busy", retryable: true }]);
    expect(again).toMatchObject({ state: "running", steps: ["a1", "b1", "a2"] });
    expect(again.context.steps.map(({ attempt }) => attempt)).toEqual([2, 1, 0, 0, 0]);
  });

  test("end with the one that fails permanently: unapproved output is erased, credits are released", () => {
    const failed = began([start, done("b"), { type: "STEP_FAILED", step: "a", reason: "broken", retryable: false }]);
    expect(failed.state).toBe("failed");
    expect(failed.context.steps.map(({ status }) => status)).toEqual([
      "failed",
      "skipped",
      "skipped",
      "skipped",
      "skipped",
    ]);
    expect(failed.orders.filter(({ type }) => type === "withhold")).toEqual([{ type: "withhold", step: "b" }]);
    expect([failed.context.charged, failed.context.released]).toEqual([0, 2_600]);
    const late = began([
      ...[start, { type: "STEP_FAILED", step: "a", reason: "broken", retryable: false } as const, done("b")],
    ]);
    expect([late.state, late.context.charged]).toEqual(["failed", 0]);
  });
});

describe("a partial approval", () => {
  /** The cost of a step, its maximum, and how many of its items are approved. */
  const cases = fc
    .record({ maximum: fc.nat(100_000), of: fc.integer({ min: 1, max: 1_000 }) })
    .chain(({ maximum, of }) =>
      fc.record({
        maximum: fc.constant(maximum),
        of: fc.constant(of),
        proposed: fc.integer({ min: 0, max: maximum }),
        approved: fc.integer({ min: 0, max: of }),
      }),
    );

  test("charges its share in whole credits, rounded down", () => {
    fc.assert(
      fc.property(cases, ({ proposed, approved, of }) => {
        const charged = approvedShare(proposed, approved, of);
        expect(Number.isSafeInteger(charged)).toBe(true);
        expect(charged * of).toBeLessThanOrEqual(proposed * approved);
        expect((charged + 1) * of).toBeGreaterThan(proposed * approved);
        if (approved > 0) expect(charged).toBeGreaterThanOrEqual(approvedShare(proposed, approved - 1, of));
      }),
    );
    expect(Array.from({ length: 11 }, (_, approved) => approvedShare(7_000, approved, 10))).toEqual(
      Array.from({ length: 11 }, (_, approved) => approved * 700),
    );
  });

  test("loses nothing: each reserved credit is charged or released", () => {
    fc.assert(
      fc.property(cases, ({ maximum, proposed, approved, of }) => {
        const plan = [{ key: "a", maximum, approval: true }];
        const { snapshot, orders } = play(plan, [
          { type: "START" },
          { type: "STEP_SUCCEEDED", step: "a", credits: proposed },
          { type: "APPROVE", step: "a", approved, of },
        ]);
        // Approving no items is not an approval: the run keeps waiting.
        expect(stateOf(snapshot)).toBe(approved === 0 ? "awaiting_approval" : "succeeded");
        if (approved === 0) return;
        expect(sum(orders, "settle")).toBe(approvedShare(proposed, approved, of));
        expect(sum(orders, "settle") + sum(orders, "release")).toBe(maximum);
        const released = orders.find((order) => order.type === "release" && order.step === "a");
        expect(released).toMatchObject({ credits: proposed - sum(orders, "settle") });
      }),
    );
  });
});

test("a step that needs approval but has no items waits for no one, and releases what it does not cost", () => {
  const [plan] = [plans["three steps, the middle one to approve"] ?? []];
  const { snapshot, orders, taken } = play(plan, [
    { type: "START" },
    { type: "STEP_SUCCEEDED", step: "a", credits: 500 },
    { type: "STEP_SUCCEEDED", step: "b", credits: 0, empty: true },
    { type: "STEP_SUCCEEDED", step: "c", credits: 300 },
  ]);
  expect(taken.filter((way) => way.includes("awaiting_approval"))).toEqual([]);
  expect([stateOf(snapshot), sum(orders, "settle"), sum(orders, "release")]).toEqual(["succeeded", 800, 700]);
});

describe("cached transitions", () => {
  const remembered = createStatechart<typeof runMachine, RunContext, RunAction>(runMachine);

  test("equal xstate's own on every generated path, on the first and the second call", () => {
    for (let round = 0; round < 2; round++)
      for (const { plan, events, ...own } of played) {
        let step = remembered.initial({ steps: plan });
        const orders: RunAction[] = [...step.actions];
        for (const event of events) {
          step = remembered.next(step.snapshot, event);
          orders.push(...step.actions);
        }
        const { status, value, context } = own.snapshot;
        expect(JSON.parse(step.snapshot)).toEqual(JSON.parse(JSON.stringify({ status, value, context })));
        expect([step.done, step.state, step.context]).toEqual([isOver(own.snapshot), stateOf(own.snapshot), context]);
        expect(orders).toEqual(own.orders);
      }
  });

  test("leave the serialised state unchanged for an event that it does not accept", () => {
    const { snapshot } = remembered.initial({ steps: plans["one step"] ?? [] });
    const ignored = remembered.next(snapshot, { type: "APPROVE", step: "a", approved: 1, of: 1 });
    expect(ignored.snapshot).toBe(snapshot);
    expect(ignored.actions).toEqual([]);
  });

  test("stay correct when there are more of them than the cache holds", () => {
    for (let credits = 0; credits < 6_000; credits++) {
      const { snapshot } = remembered.initial({ steps: [{ key: "a", maximum: credits, approval: false }] });
      const started = remembered.next(snapshot, { type: "START" });
      expect(started.actions[0]).toEqual({ type: "reserve", credits });
    }
  });
});
