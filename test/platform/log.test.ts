import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLog } from "../../src/platform/log.ts";

const names = ["authorization", "cookie", "password", "token", "secret", "api_key", "key"];
const related = ["Authorization", "set-cookie", "access_token", "new_password", "apiKey", "client_secret", "x-api-key"];
const looks = [
  "assay_sk_AbCd1234_0123456789012345678901234567890123456789",
  "assay_rt_0123456789",
  "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
];

const at = Date.UTC(2026, 10, 22);

/** Returns what a log with this level writes for one message. */
function written(message: string, fields?: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  createLog({ now: () => at }, "debug", (line) => lines.push(line)).error(message, fields);
  expect(lines.length).toBe(1);
  return lines.join("");
}

describe("the log", () => {
  test("writes entries of at least its level, one line of JSON each", () => {
    const lines: string[] = [];
    const log = createLog({ now: () => at }, "warn", (line) => lines.push(line));
    for (const level of ["debug", "info", "warn", "error"] as const) log[level]("said\nin two lines", { level_no: 1 });
    expect(lines.map((line) => line.indexOf("\n") === line.length - 1)).toEqual([true, true]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { at: "2026-11-22T00:00:00.000Z", level: "warn", message: "said\nin two lines", level_no: 1 },
      { at: "2026-11-22T00:00:00.000Z", level: "error", message: "said\nin two lines", level_no: 1 },
    ]);
  });

  test.each([...names, ...related])("never shows the value of a member named %s, at any depth", (name) => {
    const line = written("said", { [name]: "hunter2", deep: [{ deeper: { [name]: { value: "hunter2" }, other: 1 } }] });
    expect(line).not.toContain("hunter2");
    expect(JSON.parse(line)).toMatchObject({
      [name]: "[redacted]",
      deep: [{ deeper: { [name]: "[redacted]", other: 1 } }],
    });
  });

  test.each(looks)("never shows text that looks like %s, anywhere", (secret) => {
    const cause = new Error(`refused ${secret}`);
    const error = new Error(`asked with ${secret}.`, { cause });
    const line = written(`a call with ${secret}`, {
      url: `https://example.com/?x=${secret}&y=1`,
      list: [secret],
      error,
    });
    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({
      message: "a call with [redacted]",
      url: "https://example.com/?x=[redacted]&y=1",
      error: { name: "Error", message: "asked with [redacted].", cause: { message: "refused [redacted]" } },
    });
  });

  test("never shows what follows an HTTP authentication scheme", () => {
    expect(written("said", { header: "Authorization: Bearer abc.def-1" })).not.toContain("abc");
  });

  test("shows what is not secret: identifiers, counts, words that contain a secret's name", () => {
    const fields = { request_id: "r1", tokens: 5, keyboard: "qwerty", monkey: "ape", secretary: "Jo", token: null };
    expect(JSON.parse(written("said", fields))).toMatchObject(fields);
  });

  test("writes a line whatever it is given", () => {
    const endless: Record<string, unknown> = { password: "hunter2" };
    endless.self = endless;
    expect(JSON.parse(written("said", { endless }))).toMatchObject({ message: "said", fields: "not JSON" });
    expect(JSON.parse(written("said", { big: 1n }))).toMatchObject({ big: "1" });
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.anything()), (message, fields) => {
        expect(written(message, fields)).toEndWith("}\n");
      }),
    );
  });
});
