import { describe, expect, test } from "bun:test";
import { initialTransition, transition } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { type JobAction, type JobContext, type JobEvent, jobMachine, maximumJobAttempts } from "../../machines/job.ts";
import { createStatechart } from "../../src/execution/statechart.ts";

/** Every event that a host could send, for the current attempt and for earlier and later ones. */
const events: JobEvent[] = [
  { type: "REFUSE", reason: "capability_runs_disabled" },
  ...[1, 2, 3, 4, 5, 6].flatMap((attempt): JobEvent[] => [
    { type: "BEGIN", attempt },
    { type: "PROGRESS", attempt, stage: "reading", completed: 1, total: 6 },
    { type: "SUCCEEDED", attempt },
    { type: "FAILED", attempt, reason: "busy", retryable: true },
    { type: "FAILED", attempt, reason: "broken", retryable: false },
  ]),
];

type Snapshot = ReturnType<typeof initialTransition<typeof jobMachine>>[0];
const stateOf = ({ value }: Snapshot): string => (typeof value === "string" ? value : Object.values(value).join());
const text = ({ value, context }: Snapshot): string => JSON.stringify({ value, context });

/** Applies events with xstate's own transition function, recording the actions of each. */
function play(given: readonly JobEvent[]) {
  let [snapshot, actions] = initialTransition(jobMachine);
  const orders: JobAction[] = [];
  const taken: string[] = [];
  const collect = (list: typeof actions) => {
    for (const { type, params } of list) orders.push({ type, ...(params as object | undefined) } as JobAction);
  };
  collect(actions);
  for (const event of given) {
    const before = snapshot;
    [snapshot, actions] = transition(jobMachine, before, event);
    if (text(before) !== text(snapshot)) taken.push(`${stateOf(before)} ${event.type} ${stateOf(snapshot)}`);
    collect(actions);
  }
  return { events: given, snapshot, orders, taken };
}

const options = { events, serializeState: text, serializeEvent: (event: JobEvent) => JSON.stringify(event) };
const isOwn = (event: { type: string }): event is JobEvent => event.type !== "xstate.init";

/**
 * The shortest path to every state, extended by each event that the state accepts, so that the paths cover every
 * transition.
 */
const played = getShortestPaths(jobMachine, options).flatMap((path) => {
  const way = path.steps.map(({ event }) => event).filter(isOwn);
  const { snapshot } = play(way);
  const onwards = events.filter((event) => text(transition(jobMachine, snapshot, event)[0]) !== text(snapshot));
  return [play(way), ...onwards.map((event) => play([...way, event]))];
});

describe("generated paths of a job", () => {
  test("take every transition of its diagram, and no other", () => {
    expect([...new Set(played.flatMap(({ taken }) => taken))].sort()).toEqual([
      "queued BEGIN working",
      "queued REFUSE failed",
      "waiting BEGIN working",
      "working FAILED failed",
      "working FAILED waiting",
      "working PROGRESS working",
      "working SUCCEEDED succeeded",
    ]);
  });

  test("order the attempts in turn, each once, five at most", () => {
    let most = 0;
    for (const { orders } of played) {
      const attempts = orders.flatMap((order) => (order.type === "perform" ? [order.attempt] : []));
      expect(attempts).toEqual(attempts.map((_, i) => i + 1));
      most = Math.max(most, attempts.length);
    }
    expect(most).toBe(maximumJobAttempts);
  });

  test("end in a terminal state: with a reason if they failed, after which no event changes or orders anything", () => {
    for (const { snapshot } of played) expect(snapshot.context.reason !== null).toBe(snapshot.value === "failed");
    const ended = played.filter(({ snapshot }) => snapshot.status === "done");
    expect(ended.length).toBeGreaterThan(10);
    for (const { snapshot } of ended)
      for (const event of events) {
        const [after, orders] = transition(jobMachine, snapshot, event);
        expect([text(after), orders]).toEqual([text(snapshot), []]);
      }
  });

  test("refund the quota exactly when no attempt was started", () => {
    const isFailed = ({ snapshot }: (typeof played)[number]) => snapshot.value === "failed";
    for (const { snapshot, orders } of played.filter(isFailed))
      expect(orders.some(({ type }) => type === "refund")).toBe(snapshot.context.attempts === 0);
  });

  test("ignore events of an attempt other than the current one", () => {
    for (const { snapshot } of played) {
      const { attempts } = snapshot.context;
      const stale = events.filter((event) => "attempt" in event && event.attempt < attempts);
      for (const event of stale) expect(text(transition(jobMachine, snapshot, event)[0])).toBe(text(snapshot));
    }
  });

  test("give the same results with the cached transitions", () => {
    const remembered = createStatechart<typeof jobMachine, JobContext, JobAction>(jobMachine);
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
