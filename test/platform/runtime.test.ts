import { describe, expect, test } from "bun:test";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { testRuntime } from "../support/runtime.ts";

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each([
  ["the machine's runtime", () => systemRuntime],
  ["a seeded runtime", () => testRuntime()],
])("%s", (_, made) => {
  test("makes ids that are ascending UUIDv7, even within one moment", () => {
    const runtime = made();
    const ids = Array.from({ length: 1_000 }, () => runtime.id());
    for (const id of ids) expect(id).toMatch(uuidv7);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  test("makes an id for another moment", () => {
    const at = Date.parse("2025-01-01T00:00:00.000Z");
    const id = made().id(at);
    expect(id).toMatch(uuidv7);
    expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(at);
  });

  test("calls back in a later turn, in order", async () => {
    const runtime = made();
    const seen: string[] = [];
    runtime.soon(() => seen.push("first"));
    const turn = runtime.nextTurn().then(() => seen.push("second"));
    expect(seen).toEqual([]);
    await turn;
    expect(seen).toEqual(["first", "second"]);
  });

  test("does not sleep if the signal has aborted", async () => {
    await expect(made().sleep(1_000_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });

  test("ends a sleep when the signal aborts", async () => {
    const controller = new AbortController();
    const slept = made().sleep(1_000_000, controller.signal);
    controller.abort(new Error("gone"));
    await expect(slept).rejects.toThrow("gone");
  });
});

test("the machine's runtime sleeps, and its deadline aborts", async () => {
  const deadline = systemRuntime.deadline(1);
  await systemRuntime.sleep(5);
  expect(deadline.reason).toMatchObject({ name: "TimeoutError" });
});

describe("a seeded runtime", () => {
  test("repeats everything with the same seed, and differs with another", () => {
    const draw = (seed: string) => {
      const runtime = testRuntime({ seed });
      return [runtime.id(), runtime.random(), [...runtime.randomBytes(8)]];
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });

  test("advances sleeps, deadlines and measured time only with its clock", async () => {
    const runtime = testRuntime();
    const began = runtime.elapsed();
    const deadline = runtime.deadline(20);
    const order: string[] = [];
    const late = runtime.sleep(10).then(() => order.push("late"));
    const early = runtime.sleep(5).then(() => order.push("early"));
    runtime.advance(19);
    await Promise.all([late, early]);
    expect(order).toEqual(["early", "late"]);
    expect(deadline.aborted).toBe(false);
    runtime.advance(1);
    expect(deadline.reason).toMatchObject({ name: "TimeoutError" });
    expect(runtime.elapsed() - began).toBe(20);
  });
});
