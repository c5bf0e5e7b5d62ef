import { expect, test } from "bun:test";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { madeInTurns } from "../../src/platform/turns.ts";

test("incremental work yields before each part, and keeps the order", async () => {
  const seen: string[] = [];
  const made = madeInTurns(["a", "b"], systemRuntime, (part) => {
    seen.push(part);
    systemRuntime.soon(() => seen.push("another request"));
    return part.toUpperCase();
  });
  expect(seen).toEqual([]);
  expect(await made).toEqual(["A", "B"]);
  expect(seen).toEqual(["a", "another request", "b"]);
});
