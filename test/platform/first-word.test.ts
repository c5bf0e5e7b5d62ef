import { expect, test } from "bun:test";
import { ByFirstWord } from "../../src/platform/first-word.ts";

test("a word finds the entries that start with it, or with a prefix of it", () => {
  const entries = ["broker", "broker*", "bro*", "b", "*", "other"].map((first) => [first, first] as const);
  const list = new ByFirstWord(entries);
  expect([...list.of("broker")].sort()).toEqual(["*", "bro*", "broker", "broker*"]);
  expect([...list.of("brokers")].sort()).toEqual(["*", "bro*", "broker*"]);
  expect(list.of("b")).toEqual(["b", "*"]);
  expect(list.of("")).toEqual(["*"]);
  expect(new ByFirstWord([["broker", 1]]).of("brokers")).toEqual([]);
});
