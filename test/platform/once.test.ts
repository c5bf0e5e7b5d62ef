import { expect, test } from "bun:test";
import { remembered } from "../../src/platform/once.ts";

test("a cached value is computed once while it is among the most recent", () => {
  const read: string[] = [];
  const lengthOf = remembered(2, (text) => {
    read.push(text);
    return { length: text.length };
  });
  expect(["a", "bb", "a", "ccc", "a", "bb"].map((text) => lengthOf(text).length)).toEqual([1, 2, 1, 3, 1, 2]);
  expect(read).toEqual(["a", "bb", "ccc", "bb"]);
});
