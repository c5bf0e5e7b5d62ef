import { expect, test } from "bun:test";
import { preferred } from "../../src/web/accept.ts";

const offers = ["application/jose", "text/plain"] as const;
const [jose, plain] = offers;

test.each([
  [null, jose],
  ["*/*", jose],
  ["application/jose", jose],
  ["Application/JOSE", jose],
  ["application/*", jose],
  ["text/plain", plain],
  ["text/*;q=0.5", plain],
  ["text/plain, application/jose", jose],
  ["text/plain, */*", plain],
  ["text/plain, */*;q=0.1", plain],
  ["application/jose;q=0, text/plain", plain],
  ["application/jose;q=0, */*", plain],
  ["application/jose; q=0.2, text/plain; q=0.9", plain],
  ["text/plain;q=0.2,application/jose;q=0.9", jose],
  ["application/jose;q=0", undefined],
  ["*/*;q=0", undefined],
  ["application/json", undefined],
  ["", undefined],
  ["nonsense", undefined],
])("Accept %p prefers %p", (header, wanted) => {
  expect(preferred(header, offers)).toBe(wanted);
});
