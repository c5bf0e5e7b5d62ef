import { describe, expect, test } from "bun:test";
import { initialTransition, transition } from "xstate";
import { getShortestPaths } from "xstate/graph";
import {
  maximumPartAttempts,
  type ValidationAction,
  type ValidationContext,
  type ValidationEvent,
  validationMachine,
} from "../../machines/validation.ts";
import { createStatechart } from "../../src/execution/statechart.ts";

/** Every event that a host could send, for the current batch and for others. */
const events: ValidationEvent[] = [
  { type: "BEGIN" },
  { type: "DREW", batches: 0 },
  { type: "DREW", batches: 2 },
  ...[0, 1, 2].map((batch): ValidationEvent => ({ type: "INTERVIEWED", batch, personas: 5 })),
  { type: "WEIGHED" },
  { type: "SETTLED" },
  { type: "FAILED", reason: "model_unavailable", retryable: true },
  { type: "FAILED", reason: "engine_failed", retryable: false },
  { type: "CANCEL" },
];

type Snapshot = ReturnType<typeof initialTransition<typeof validationMachine>>[0];
const stateOf = ({ value }: Snapshot): string => (typeof value === "string" ? value : Object.values(value).join());
const text = ({ value, context }: Snapshot): string => JSON.stringify({ value, context });

/** Applies events with xstate's own transition function, recording the actions of each. */
function play(given: readonly ValidationEvent[]) {
  let [snapshot] = initialTransition(validationMachine);
  const orders: ValidationAction[] = [];
  const taken: string[] = [];
  for (const event of given) {
    const before = snapshot;
    const [after, actions] = transition(validationMachine, before, event);
    snapshot = after;
    if (text(before) !== text(snapshot)) taken.push(`${stateOf(before)} ${event.type} ${stateOf(snapshot)}`);
    for (const { type, params } of actions) orders.push({ type, ...(params as object) } as ValidationAction);
  }
  return { events: given, snapshot, orders, taken };
}

const options = { events, serializeState: text, serializeEvent: (event: ValidationEvent) => JSON.stringify(event) };
const isOwn = (event: { type: string }): event is ValidationEvent => event.type !== "xstate.init";

/** The shortest path to every state, extended by each event that the state accepts. */
const played = getShortestPaths(validationMachine, options).flatMap((path) => {
  const way = path.steps.map(({ event }) => event).filter(isOwn);
  const { snapshot } = play(way);
  const onwards = events.filter((event) => text(transition(validationMachine, snapshot, event)[0]) !== text(snapshot));
  return [play(way), ...onwards.map((event) => play([...way, event]))];
});

describe("generated paths of a validation", () => {
  test("take every transition of its diagram, and no other", () => {
    expect([...new Set(played.flatMap(({ taken }) => taken))].sort()).toEqual([
      "drawing CANCEL completed",
      "drawing DREW completed",
      "drawing DREW interviewing",
      "drawing FAILED completed",
      "drawing FAILED drawing",
      "interviewing CANCEL completed",
      "interviewing FAILED completed",
      "interviewing FAILED interviewing",
      "interviewing INTERVIEWED interviewing",
      "interviewing INTERVIEWED weighing",
      "waiting BEGIN drawing",
      "waiting CANCEL completed",
      "weighed CANCEL completed",
      "weighed SETTLED completed",
      "weighing CANCEL completed",
      "weighing FAILED completed",
      "weighing FAILED weighing",
      "weighing WEIGHED weighed",
    ]);
  });

  test("order each part in turn, the batches one by one, and none a sixth time", () => {
    for (const { orders } of played) {
      const names = orders.map(({ stage, batch, attempt }) => `${stage} ${batch} ${attempt}`);
      expect(new Set(names).size).toBe(names.length);
      for (const { attempt } of orders) expect(attempt).toBeLessThanOrEqual(maximumPartAttempts);
      const batches = orders.filter(({ stage, attempt }) => stage === "interview" && attempt === 1);
      expect(batches.map(({ batch }) => batch)).toEqual(batches.map((_, i) => i));
    }
    const most = Math.max(...played.flatMap(({ orders }) => orders.map(({ attempt }) => attempt)));
    expect(most).toBe(maximumPartAttempts);
  });

  test("count a batch once, and ignore events of one that is not running", () => {
    for (const { snapshot } of played) {
      const { done, asked } = snapshot.context;
      expect(asked).toBe(done * 5);
      for (const event of events)
        if (event.type === "INTERVIEWED" && event.batch !== done)
          expect(text(transition(validationMachine, snapshot, event)[0])).toBe(text(snapshot));
    }
  });

  test("end in a terminal state, with a reason unless the run settled the weighted result", () => {
    const ended = played.filter(({ snapshot }) => snapshot.status === "done");
    expect(ended.length).toBeGreaterThan(10);
    for (const { snapshot, taken } of ended) {
      expect(snapshot.context.reason === null).toBe(taken.includes("weighed SETTLED completed"));
      for (const event of events) {
        const [after, orders] = transition(validationMachine, snapshot, event);
        expect([text(after), orders]).toEqual([text(snapshot), []]);
      }
    }
  });

  test("give the same results with the cached transitions", () => {
    const remembered = createStatechart<typeof validationMachine, ValidationContext, ValidationAction>(
      validationMachine,
    );
    for (const { events: given, snapshot, orders } of played) {
      let step = remembered.initial({});
      const told = [...step.actions];
      for (const event of given) {
        step = remembered.next(step.snapshot, event);
        told.push(...step.actions);
      }
      const { value, context } = snapshot;
      expect(JSON.parse(step.snapshot)).toMatchObject(JSON.parse(JSON.stringify({ value, context })));
      expect(told).toEqual(orders);
    }
  });
});
