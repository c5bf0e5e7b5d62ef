import { afterAll, describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { minute } from "../../src/platform/clock.ts";
import { errorCodes, messageOf, statusOf } from "../../src/platform/errors.ts";
import { errorIn, freshKey, refusal, World } from "../support/harness.ts";
import { operationsOf } from "../support/operations.ts";
import { type Scenario, type Scene, scenarios } from "../support/scenario.ts";

const path = "/v1/capabilities/echo/runs";
const post =
  (body: unknown, headers: Record<string, string> = {}) =>
  ({ world, firm }: Scene) =>
    world.ask(path, { as: firm.key, body, headers: { "idempotency-key": freshKey(), ...headers } });
const get =
  (where: string) =>
  ({ world, firm }: Scene) =>
    world.ask(where, { as: firm.key });
const invalid = { status: 422, code: "validation_error" } as const;

const validation: Scenario[] = [
  { name: "malformed JSON is 422", ask: post('{"input": canary'), ...invalid, paths: ["/body"], hides: ["canary"] },
  { name: "an empty body is 422", ask: post(""), ...invalid, paths: ["/body"], shows: ["is required"] },
  { name: "a body that is not an object is 422", ask: post("7"), ...invalid, paths: ["/body"] },
  {
    name: "a wrong content type is 422",
    ask: post('{"input":{"text":"a"}}', { "content-type": "text/plain" }),
    ...invalid,
    paths: ["/header/content-type"],
  },
  {
    name: "a content type with a charset is accepted",
    ask: post('{"input":{"text":"a"}}', { "content-type": "application/json; charset=utf-8" }),
    status: 202,
    ledger: { available: -500, reserved: 0 },
  },
  {
    name: "an unknown property is refused and not stripped",
    ask: post({ input: { text: "a" }, canary: "canary-value" }),
    ...invalid,
    paths: ["/body/canary"],
    hides: ["canary-value"],
  },
  {
    name: "an unknown property of the input is refused and not stripped",
    ask: post({ input: { text: "a", more: "canary" } }),
    ...invalid,
    paths: ["/body/input/more"],
    hides: ["canary"],
  },
  {
    name: "a property called __proto__ is unknown",
    ask: post('{"input":{"text":"a","__proto__":{"x":1}}}'),
    ...invalid,
    paths: ["/body/input/__proto__"],
  },
  {
    name: "every invalid path is reported, and no value echoed",
    ask: post({ input: { text: 7, note: ["canary"] } }),
    ...invalid,
    paths: ["/body/input/text", "/body/input/note"],
    hides: ["canary"],
  },
  {
    name: "a text that is too long is 422",
    ask: post({ input: { text: `canary${"x".repeat(200)}` } }),
    ...invalid,
    paths: ["/body/input/text"],
    shows: ["at most 200 characters"],
    hides: ["canary"],
  },
  {
    name: "a string is not accepted as a number",
    ask: post({ input: { text: "a" }, maximum_credits: "500" }),
    ...invalid,
    paths: ["/body/maximum_credits"],
  },
  {
    name: "a missing idempotency key is 422",
    ask: ({ world, firm }) => world.ask(path, { as: firm.key, body: { input: { text: "a" } } }),
    ...invalid,
    paths: ["/header/idempotency-key"],
  },
  {
    name: "an idempotency key of seven characters is 422",
    ask: post({ input: { text: "a" } }, { "idempotency-key": "canary7" }),
    ...invalid,
    paths: ["/header/idempotency-key"],
    hides: ["canary"],
  },
  {
    name: "an idempotency key of 201 characters is 422",
    ask: post({ input: { text: "a" } }, { "idempotency-key": "k".repeat(201) }),
    ...invalid,
    paths: ["/header/idempotency-key"],
  },
  {
    name: "idempotency keys of 8 and of 200 characters are accepted",
    given: async ({ world, firm }) => void (await world.accepted(firm, { key: "k".repeat(8) })),
    ask: post({ input: { text: "a" } }, { "idempotency-key": "k".repeat(200) }),
    status: 202,
    ledger: { available: -500, reserved: 0 },
  },
  {
    name: "a path that is not a UUID is 422",
    ask: get("/v1/runs/canary"),
    ...invalid,
    paths: ["/path/run_id"],
    hides: ["canary"],
  },
  { name: "a limit of 0 is 422", ask: get("/v1/runs?limit=0"), ...invalid, paths: ["/query/limit"] },
  { name: "a limit of 101 is 422", ask: get("/v1/runs?limit=101"), ...invalid, paths: ["/query/limit"] },
  ...["0x10", "1e1", "+1", "01", "1.0", "", "%20", "1,2"].map(
    (limit): Scenario => ({
      name: `a limit written as "${limit}" is 422`,
      ask: get(`/v1/runs?limit=${limit}`),
      ...invalid,
      paths: ["/query/limit"],
    }),
  ),
  { name: "an unknown status is 422", ask: get("/v1/runs?status=done"), ...invalid, paths: ["/query/status"] },
  {
    name: "a forged cursor is 422",
    ask: get("/v1/runs?cursor=canary"),
    ...invalid,
    paths: ["/query/cursor"],
  },
  { name: "days of 366 are 422", ask: get("/v1/usage/summary?days=366"), ...invalid, paths: ["/query/days"] },
  {
    name: "half a surrogate pair in a text is 422",
    ask: post('{"input":{"text":"\\ud800"}}'),
    ...invalid,
    paths: ["/body/input/text"],
  },
  {
    name: "JSON nested deeper than a hundred levels is 422",
    ask: post(`{"input":{"text":${"[".repeat(99)}${"]".repeat(99)}}}`),
    ...invalid,
    paths: ["/body"],
    shows: ["deeper than 100 levels"],
  },
  {
    name: "JSON nested a hundred levels deep is parsed",
    ask: post(`{"input":{"text":${"[".repeat(98)}${"]".repeat(98)}}}`),
    ...invalid,
    paths: ["/body/input/text"],
  },
  {
    name: "JSON nested ten thousand levels deep is no server error",
    ask: post(`{"input":{"text":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`),
    ...invalid,
    paths: ["/body"],
  },
];
describe("validation", () => scenarios(validation));

const large = "x".repeat(70_000);
const edges: Scenario[] = [
  { name: "an unknown path is 404", ask: get("/v1/nowhere"), status: 404, code: "not_found" },
  { name: "a badly encoded path is 422", ask: get("/v1/use-cases/%zz"), ...invalid, paths: ["/path/slug"] },
  {
    name: "a known path with a wrong method is 405 with Allow",
    ask: ({ world }) => world.ask("/v1/runs", { method: "DELETE" }),
    status: 405,
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD" },
  },
  {
    name: "a path with a parameter returns 405 with Allow too",
    ask: ({ world }) => world.ask("/v1/capabilities/echo/runs"),
    status: 405,
    code: "method_not_allowed",
    headers: { allow: "POST" },
  },
  {
    name: "OPTIONS is 405, since no origin is allowed",
    ask: ({ world }) => world.ask("/v1/runs", { method: "OPTIONS", headers: { origin: "http://elsewhere.test" } }),
    status: 405,
    code: "method_not_allowed",
    headers: { "access-control-allow-origin": null },
  },
  {
    name: "a body over the limit is 413",
    ask: post({ input: { text: large } }, { "content-length": "70030" }),
    status: 413,
    code: "payload_too_large",
  },
];
describe("at the edge", () => {
  scenarios(edges);

  test("a body over the limit without a stated length is 413 too", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const request = new Request(`http://assay.test${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${firm.key}`,
        "content-type": "application/json",
        "idempotency-key": freshKey(),
      },
      body: new Blob([JSON.stringify({ input: { text: large } })]).stream(),
    });
    expect(await refusal(await world.app.fetch(request))).toEqual([413, "payload_too_large"]);
  });

  test("every response has its own request id", async () => {
    await using world = await World.open();
    const seen = new Set<string | null>();
    const asked = ["/health", "/health", "/v1/runs", "/nowhere", "/v1/capabilities", "/v1/runs?limit=x"];
    for (const where of asked) seen.add((await world.ask(where)).headers.get("x-request-id"));
    seen.add((await world.ask("/v1/runs", { method: "PATCH" })).headers.get("x-request-id"));
    seen.add((await world.ask("/health", { method: "HEAD" })).headers.get("x-request-id"));
    expect(seen.has(null)).toBe(false);
    expect(seen.size).toBe(asked.length + 2);
  });
});

describe("internal errors", () => {
  test("an unexpected error is 500 internal_error, with its cause in the log under the request's id only", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm);
    await world.store.write((tx) =>
      unscoped(tx).updateTable("runs").set({ steps_json: "canary" }).where("id", "=", id).execute(),
    );
    const answer = await world.ask("/v1/runs", { as: firm.key });
    const request = answer.headers.get("x-request-id") ?? "";
    expect(answer.status).toBe(500);
    expect(await errorIn(answer)).toEqual({ code: "internal_error", message: messageOf("internal_error") });
    expect(world.logged.filter((line) => line.includes(request))).toHaveLength(1);
  });

  test("a full disk is 503 database_unavailable with Retry-After, and health still responds", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { page_count } = world.store.sqlite.query("pragma page_count").get() as { page_count: number };
    world.store.sqlite.run(`pragma max_page_count = ${page_count}`);
    const input = { text: "a", note: "x".repeat(60_000) };
    const answer = await world.start(firm, { input });
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await refusal(answer)).toEqual([503, "database_unavailable"]);
    expect(world.logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "error", message: "the database is unavailable" }),
    );
    expect(world.logged.join("")).toContain("database or disk is full");
    expect((await world.ask("/health")).status).toBe(200);
    world.store.sqlite.run("pragma max_page_count = 1000000");
    expect((await world.start(firm, { input })).status).toBe(202);
  });
});

test("every error code has a status of the contract and a message that says what to do", () => {
  for (const code of errorCodes) {
    expect([401, 402, 403, 404, 405, 409, 413, 422, 429, 500, 503]).toContain(statusOf(code));
    expect(messageOf(code)).toMatch(/^[A-Z].*\.$/);
  }
});

describe("no rejected value is echoed or logged", async () => {
  const world = await World.open();
  afterAll(() => world[Symbol.asyncDispose]());
  const firm = await world.firm();
  const canary = "canary-3f9c1";
  for (const { method, path: where, operation, body } of await operationsOf(world))
    test(`${method} ${where}`, async () => {
      world.clock.advance(minute);
      const named = where.replace(/\{\w+\}/g, (name) => (name.includes("slug") ? "echo" : canary));
      const query = (operation.parameters ?? [])
        .filter((one) => one.in === "query")
        .map((one) => `${one.name}=${canary}`);
      const poisoned = JSON.stringify(body ?? {}, (_, value: unknown) => (typeof value === "string" ? canary : value));
      const bodies = [poisoned, `{"x": "${canary}"`, `{"unknown":"${canary}"}`, `"${canary}"`];
      for (const as of [firm.key, `assay_sk_${canary}`, firm.people.owner.token])
        for (const raw of method === "GET" || method === "DELETE" ? [undefined] : bodies) {
          const headers = { "idempotency-key": canary.slice(0, 7), "if-none-match": canary, cookie: canary };
          const sent = { method, as, headers, ...(raw !== undefined && { body: raw }) };
          const answer = await world.ask(`${named}?${query.join("&")}`, sent);
          if (answer.status < 400) continue;
          expect(await answer.text()).not.toContain("canary");
          expect(JSON.stringify([...answer.headers])).not.toContain("canary");
        }
      expect(world.logged.join("\n")).not.toContain("canary");
    });
});
