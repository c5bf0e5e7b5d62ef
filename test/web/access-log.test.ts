import { describe, expect, test } from "bun:test";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { createAccessLog } from "../../src/web/access-log.ts";
import { errorIn, until, World } from "../support/harness.ts";

/** Opens a world whose access log is kept. */
async function logging(format: "json" | "text") {
  const written: string[] = [];
  const write = (lines: string) => void written.push(lines);
  const accessLog = createAccessLog({ runtime: systemRuntime, level: "info", format, write });
  const world = await World.open(undefined, { accessLog });
  const lines = () => written.join("").split("\n").slice(0, -1);
  return { world, written, lines: (many: number) => until(() => lines().length >= many, "lines").then(lines) };
}

describe("the access log", () => {
  test("has one line per request, with its id, route, status, time and key, and no content", async () => {
    const { world, lines } = await logging("json");
    await using _ = world;
    const firm = await world.firm();
    const run = await world.accepted(firm, { input: { text: "a secret thing" } });
    const seen = await world.ask(`/v1/runs/${run.id}?limit=secret`, { as: firm.key });
    const unknown = await world.ask("/secret/path");
    const wrong = await world.ask("/v1/runs", { as: "assay_sk_secretsecret" });
    const written = await lines(4);
    expect(written.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ at: expect.any(String), level: "info", message: "request", request_id: expect.any(String) },
        ...{ method: "POST", route: "/v1/capabilities/:slug/runs", status: 202, ms: expect.any(Number) },
        key: firm.key.slice(0, 17),
      },
      expect.objectContaining({ route: "/v1/runs/:run_id", request_id: seen.headers.get("x-request-id") }),
      expect.objectContaining({ route: null, status: 404, key: null, request_id: unknown.headers.get("x-request-id") }),
      expect.objectContaining({ route: "/v1/runs", status: 401, key: null }),
    ]);
    expect(wrong.status).toBe(401);
    expect(written.join("")).not.toContain("secret");
    expect(written.join("")).not.toContain(firm.key);
  });

  test("writes text for people, and the lines of one turn together", async () => {
    const { world, written, lines } = await logging("text");
    await using _ = world;
    await Promise.all([world.ask("/health"), world.ask("/health"), world.ask("/ready")]);
    for (const line of await lines(3)) expect(line).toMatch(/^\S+Z GET \/(health|ready) 200 [\d.]+ms - [0-9a-f-]{36}$/);
    expect(written.length).toBeLessThan(3);
  });
});

test("an internal error has one id: in its response's header, in the log and in the access log", async () => {
  const { world, lines } = await logging("json");
  await using _ = world;
  await world.store.close();
  const response = await world.ask("/ready");
  const id = response.headers.get("x-request-id");
  expect([response.status, await errorIn(response)]).toMatchObject([503, { code: "database_unavailable" }]);
  expect(world.logged.filter((line) => JSON.parse(line).request_id === id)).toHaveLength(1);
  expect((await lines(1)).map((line) => JSON.parse(line))).toMatchObject([{ request_id: id, status: 503 }]);
});
