import { describe, expect, test } from "bun:test";
import { inexactNumberAt } from "../../src/platform/json-numbers.ts";

describe("an integer that a double cannot represent", () => {
  test.each([
    ["12345678901234567890", true],
    ["-12345678901234567890", true],
    ["9007199254740991", false],
    ["9007199254740992", false],
    ["9007199254740993", true],
    ["-9007199254740993", true],
    ["9007199254740993.0", true],
    // Exactly 2 to the power of 60, and how JavaScript formats it.
    ["1152921504606846976", false],
    ["1152921504606847000", false],
    ["100000000000000000000000", true],
    ["1e23", false],
    ["6.02214076e23", false],
    ["0.1234567890123456789", false],
    ["1".repeat(400), true],
    ['"12345678901234567890"', false],
    ['{"12345678901234567890":1}', false],
  ])("%s: %p", (text, is) => {
    expect(inexactNumberAt(text) !== undefined).toBe(is);
  });

  test("is reported with its path", () => {
    expect(inexactNumberAt('{"id":"12345678901234567890","a":[{"b":1},{"b":12345678901234567890}]}')).toBe("/a/1/b");
    expect(inexactNumberAt("12345678901234567890")).toBe("");
  });

  test("is found in a long text without its path, and not within strings", () => {
    const long = "x".repeat(70_000);
    expect(inexactNumberAt(`{"a":"${long}","b":12345678901234567890}`)).toBe("");
    expect(inexactNumberAt(`{"a":"${long} \\" 12345678901234567890","b":1}`)).toBeUndefined();
  });

  test("is searched for in invalid JSON too, which is reported as such", () => {
    expect(() => inexactNumberAt("{12345678901234567890}")).toThrow(SyntaxError);
  });
});
