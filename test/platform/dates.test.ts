import { expect, test } from "bun:test";
import { rfc3339 } from "../../src/platform/clock.ts";
import { isInstant } from "../../src/platform/dates.ts";

test.each([
  ["2030-12-31T23:59:59Z", true],
  ["2030-12-31T23:59+02:00", true],
  ["2030-12-31", false],
  ["2030-12-31T23:59:59", false],
  ["2030-02-30T00:00:00Z", false],
  ["9999-12-31T23:59:59.999Z", true],
  ["9999-12-31T23:59:59-01:00", false],
  ["9999-12-31T23:59:59+01:00", true],
  ["0000-01-01T00:00:00Z", true],
  ["0000-01-01T00:00:00+00:01", false],
  ["+010000-01-01T00:00:00Z", false],
])("%s can be written by RFC 3339 in UTC: %p", (text, is) => {
  expect(isInstant(text)).toBe(is);
});

test("a time outside RFC 3339 is written as the nearest one within", () => {
  expect(rfc3339(Date.parse("9999-12-31T23:59:59-12:00"))).toBe("9999-12-31T23:59:59.999Z");
  expect(rfc3339(Date.parse("0000-01-01T00:00:00+12:00"))).toBe("0000-01-01T00:00:00.000Z");
  expect(rfc3339(0)).toBe("1970-01-01T00:00:00.000Z");
});
