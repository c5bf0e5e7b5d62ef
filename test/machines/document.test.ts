import { describe, expect, test } from "bun:test";
import { initialTransition, transition } from "xstate";
import { getShortestPaths, getSimplePaths } from "xstate/graph";
import { type DocumentEvent, documentMachine } from "../../machines/document.ts";

/** Every event that a host could send, with counts that make each guard both pass and fail. */
const events: DocumentEvent[] = [
  { type: "EXTRACTED", pages: 3, characters: 900 },
  { type: "EXTRACTED", pages: 1, characters: 0 },
  { type: "STRUCTURED", sections: 4 },
  { type: "CHUNKED", chunks: 5 },
  { type: "CHUNKED", chunks: 0 },
  { type: "INDEXED" },
  { type: "REFUSE", reason: "encrypted" },
  { type: "RESUME" },
  { type: "REPLACE" },
  { type: "REMOVE" },
];

type Snapshot = ReturnType<typeof initialTransition<typeof documentMachine>>[0];
const stateOf = ({ value }: Snapshot): string => String(value);
// The number of attempts is unbounded; paths cover two.
const serializeState = ({ value, context }: Snapshot): string =>
  JSON.stringify({ value, context: { ...context, attempt: Math.min(2, context.attempt) } });

function play(sent: readonly DocumentEvent[]) {
  let [snapshot, actions] = initialTransition(documentMachine);
  const orders = actions.map(({ type }) => ({ type, by: "start" }));
  const taken: string[] = [];
  for (const event of sent) {
    const before = snapshot;
    [snapshot, actions] = transition(documentMachine, before, event);
    if (actions.length > 0) taken.push(`${stateOf(before)} ${event.type} ${stateOf(snapshot)}`);
    orders.push(...actions.map(({ type }) => ({ type, by: stateOf(before) })));
  }
  return { snapshot, orders, taken };
}

const options = {
  events,
  serializeState,
  serializeEvent: (event: DocumentEvent) => JSON.stringify(event),
};
const eventsOf = (path: { steps: readonly { event: { type: string } }[] }): DocumentEvent[] =>
  path.steps.map(({ event }) => event).filter((event): event is DocumentEvent => event.type !== "xstate.init");

const ways = [...getShortestPaths(documentMachine, options), ...getSimplePaths(documentMachine, options)].map(eventsOf);
const played = ways.flatMap((way) => [play(way), ...events.map((event) => play([...way, event]))]);

describe("a document's generated paths", () => {
  test("reach every state", () => {
    const reached = new Set(played.map(({ snapshot }) => stateOf(snapshot)));
    expect([...reached].sort()).toEqual(Object.keys(documentMachine.states).sort());
  });

  test("take the diagram's transitions and no other", () => {
    const working = ["chunking", "extracting", "indexing", "structuring"];
    const expected = [
      ...working.flatMap((state) => [
        `${state} REFUSE refused`,
        `${state} REMOVE removed`,
        `${state} RESUME extracting`,
      ]),
      "chunking CHUNKED indexing",
      "chunking CHUNKED refused",
      "extracting EXTRACTED refused",
      "extracting EXTRACTED structuring",
      "indexing INDEXED live",
      "live REMOVE removed",
      "live REPLACE replaced",
      "structuring STRUCTURED chunking",
    ];
    expect([...new Set(played.flatMap(({ taken }) => taken))].sort()).toEqual(expected.sort());
  });

  test("publish only what was extracted, structured, chunked and indexed, and once", () => {
    for (const { snapshot, orders } of played) {
      const published = orders.filter(({ type }) => type === "publish");
      const wasLive = ["live", "replaced"].includes(stateOf(snapshot));
      expect(published.length).toBeLessThanOrEqual(1);
      if (!wasLive) continue;
      expect(published).toHaveLength(1);
      expect(snapshot.context.characters).toBeGreaterThan(0);
      expect(snapshot.context.chunks).toBeGreaterThan(0);
    }
  });

  test("leave no passages of a document that is not live, or of an interrupted attempt", () => {
    for (const { snapshot, orders } of played) {
      const discards = orders.filter(({ type }) => type === "discard").length;
      const ended = snapshot.status === "done" ? 1 : 0;
      expect(discards).toBe(ended + snapshot.context.attempt - 1);
    }
  });

  test("give a reason if and only if a document was refused", () => {
    for (const { snapshot } of played) expect(snapshot.context.reason !== null).toBe(stateOf(snapshot) === "refused");
  });
});
