import { expect, setDefaultTimeout, test } from "bun:test";
import type { HealthCheck } from "../../src/platform/health-check.ts";
import { assay, Installation } from "../support/operator.ts";

// Every command is a process of its own.
setDefaultTimeout(600_000);

/** What doctor finds, by `--json`. */
async function doctor(place: Installation, env: Record<string, string> = {}): Promise<HealthCheck[]> {
  const { out } = await assay(["doctor", "--json", "--data", place.data], env);
  return JSON.parse(out).checks;
}

test("a port that something else has keeps the server from starting, and doctor says so before", async () => {
  await using place = new Installation();
  await using other = new Installation();
  const { url } = await other.serve();
  const { port } = new URL(url);
  const { code, err } = await place.run("serve", "--port", port);
  expect([code, err]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is in use`)]);
  expect(await doctor(place, { ASSAY_PORT: port })).toContainEqual({
    about: "port",
    state: "warn",
    found: `port ${port} of 127.0.0.1 is in use`,
    advice: "Stop what listens there, or give --port.",
  });
  // Its own server is no stranger.
  expect((await doctor(other, { ASSAY_PORT: port })).map(({ about }) => about)).not.toContain("port");
});
