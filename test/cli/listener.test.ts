import { expect, test } from "bun:test";
import { type Handler, Listener } from "../../src/cli/listener.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { errorResponse } from "../../src/web/errors.ts";
import { refusal } from "../support/harness.ts";

const { settings } = loadConfiguration({ env: {}, flags: {} });

test.each<[string, Handler]>([
  [
    "at once",
    () => {
      throw new Error("canary");
    },
  ],
  ["after a wait", () => Promise.reject(new Error("canary"))],
])("what a handler throws %s is logged, and answered without a word of it", async (_, handler) => {
  const logged: unknown[] = [];
  const listener = new Listener({ ...settings, port: 0 }, handler, (error) => {
    logged.push(error);
    return errorResponse("internal_error");
  });
  try {
    const response = await fetch(`http://127.0.0.1:${listener.port}/health`);
    expect(await response.clone().text()).not.toContain("canary");
    expect(await refusal(response)).toEqual([500, "internal_error"]);
    expect(logged.map(String)).toEqual(["Error: canary"]);
  } finally {
    await listener.stop(true);
  }
});
