import { describe, expect, test } from "bun:test";
import { initialTransition, transition } from "xstate";
import { type SolutionEvent, solutionMachine } from "../../machines/solution.ts";

const events: SolutionEvent[] = [{ type: "CHOOSE" }, { type: "SAVE" }];

/** Returns every sequence of this many events, with the states that it passes through. */
function ways(length: number): { readonly events: SolutionEvent[]; readonly states: string[] }[] {
  let found: SolutionEvent[][] = [[]];
  for (let i = 0; i < length; i++) found = found.flatMap((way) => events.map((event) => [...way, event]));
  return found.map((way) => {
    let [snapshot] = initialTransition(solutionMachine);
    const states = [String(snapshot.value)];
    for (const event of way) {
      [snapshot] = transition(solutionMachine, snapshot, event);
      states.push(String(snapshot.value));
      const { designs, saves } = snapshot.context;
      expect(designs + saves).toBe(states.length - 1);
    }
    return { events: way, states };
  });
}

describe("generated paths of a solution", () => {
  test("accept every event in every state, and count each", () => {
    const taken = ways(4).flatMap(({ events: way, states }) =>
      way.map(({ type }, i) => `${states[i]} ${type} ${states[i + 1]}`),
    );
    expect([...new Set(taken)].sort()).toEqual([
      "described CHOOSE designed",
      "described SAVE saved",
      "designed CHOOSE designed",
      "designed SAVE saved",
      "saved CHOOSE designed",
      "saved SAVE saved",
    ]);
  });
});
