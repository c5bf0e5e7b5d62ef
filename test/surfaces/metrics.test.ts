import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Server } from "bun";
import type { AppOptions } from "../../src/app.ts";
import { createSeries, exposition } from "../../src/platform/exposition.ts";
import { type Read, readExposition } from "../support/exposition.ts";
import { type Firm, until, World } from "../support/harness.ts";

/** A world on a real socket. */
class Listening implements AsyncDisposable {
  private constructor(
    readonly world: World,
    readonly server: Server<undefined>,
  ) {}

  static async open(options: Partial<AppOptions> = {}): Promise<Listening> {
    const world = await World.open(undefined, { baseUrl: "http://127.0.0.1:8787", ...options });
    const fetch = (request: Request, server: Server<undefined>) => world.app.fetch(request, server);
    return new Listening(world, Bun.serve({ port: 0, hostname: "127.0.0.1", fetch }));
  }

  ask(path = "/metrics", headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(path, this.server.url), { headers });
  }

  async read(): Promise<readonly Read[]> {
    const response = await this.ask();
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return readExposition(await response.text());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
    await this.world[Symbol.asyncDispose]();
  }
}

/** Returns the value of a metric by its labels, or undefined if there is none. */
const figureOf = (read: readonly Read[], name: string, labels: Record<string, string> = {}): number | undefined =>
  read.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value;

describe("/metrics", () => {
  let place: Listening;
  let firm: Firm;
  beforeAll(async () => {
    place = await Listening.open();
    firm = await place.world.firm({ credits: 1_000 });
    await place.world.settled(firm);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test("has the operator's metrics in Prometheus' format", async () => {
    await place.ask("/v1/runs", { authorization: `Bearer ${firm.key}` });
    await place.ask("/v1/runs/0197f1e0-0000-7000-8000-000000000000", { authorization: `Bearer ${firm.key}` });
    await place.ask("/nowhere");
    const read = await place.read();
    expect(figureOf(read, "assay_http_requests_total", { route: "/v1/runs", status: "200" })).toBe(1);
    expect(figureOf(read, "assay_http_requests_total", { route: "/v1/runs/:run_id", status: "404" })).toBe(1);
    expect(figureOf(read, "assay_http_requests_total", { route: "", status: "404" })).toBe(1);
    expect(figureOf(read, "assay_http_request_duration_seconds_count", { route: "/v1/runs" })).toBe(1);
    expect(figureOf(read, "assay_runs_ended_total", { state: "succeeded" })).toBe(1);
    expect(figureOf(read, "assay_credits", { account: "reserved" })).toBe(0);
    const { available } = await place.world.balance(firm);
    expect(figureOf(read, "assay_credits", { account: "available" })).toBe(available);
    expect(figureOf(read, "assay_queue_effects", { state: "waiting" })).toBe(0);
    expect(figureOf(read, "assay_database_writable")).toBe(1);
    for (const name of ["assay_database_bytes", "assay_database_log_bytes", "process_resident_memory_bytes"])
      expect(figureOf(read, name)).toBeGreaterThan(0);
    expect(read.some(({ name }) => name === "assay_engine_places")).toBe(true);
    expect(figureOf(read, "assay_computations", { state: "active" })).toBe(0);
    expect(figureOf(read, "assay_computations", { state: "waiting" })).toBe(0);
    expect(figureOf(read, "assay_computing_threads")).toBe(0);
    for (const reason of ["killed", "too_costly"])
      expect(figureOf(read, "assay_computations_ended_total", { reason })).toBe(0);
  });

  test("counts unfinished runs by state", async () => {
    const rich = await place.world.firm();
    const { status } = await place.world.settled(rich, { useCase: "triage" });
    expect(status).toBe("awaiting_approval");
    expect(figureOf(await place.read(), "assay_runs", { state: status })).toBe(1);
  });

  test("counts invalid credentials, but not requests without any", async () => {
    const failures = async () => figureOf(await place.read(), "assay_sign_in_failures_total");
    const before = await failures();
    await place.ask("/v1/runs");
    expect(await failures()).toBe(before);
    await place.ask("/v1/runs", { authorization: "Bearer assay_sk_nonsense" });
    const body = JSON.stringify({ email: "nobody@nowhere.test", password: "something long" });
    const headers = { "content-type": "application/json" };
    const signIn = await fetch(new URL("/auth/v1/token?grant_type=password", place.server.url), {
      ...{ method: "POST", headers, body },
    });
    expect(signIn.status).toBe(401);
    expect(await failures()).toBe((before ?? 0) + 2);
    const warned = place.world.logged.filter((line) => line.includes('"a sign-in failed"'));
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", route: "/v1/runs", status: 401, address: "127.0.0.1" },
      { level: "warn", route: "/auth/v1/token", status: 401, address: "127.0.0.1" },
    ]);
    expect(warned.join("")).not.toMatch(/nobody@nowhere|something long|nonsense/);
  });

  test("logs a warning for each attempt over the limit, which checks no password any longer", async () => {
    const { world } = place;
    const tries = Array.from({ length: 11 }, () =>
      world.ask("/auth/v1/token?grant_type=password", {
        body: { email: "guessed@nowhere.test", password: "something long" },
      }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    const warned = world.logged.filter((line) => line.includes('"refused after too many attempts"'));
    expect(warned).toHaveLength(refused);
    expect(JSON.parse(warned[0] ?? "")).toMatchObject({ level: "warn", route: "/auth/v1/token", status: 429 });
    expect(warned.join("")).not.toMatch(/guessed@nowhere|something long/);
  });

  test("shows no firm, no person and no address", async () => {
    const text = await (await place.ask()).text();
    expect(text).not.toContain(firm.id);
    expect(text).not.toContain("@");
  });

  test("measures the delay of the event loop from the first request on", async () => {
    await place.read();
    await until(async () => {
      place.world.clock.advance(100);
      return (figureOf(await place.read(), "assay_event_loop_delay_seconds_count") ?? 0) > 0;
    }, "a delay was measured");
  });

  const forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];
  test.each([...forwarded.map((name) => [name, "for=192.0.2.1"]), ["host", "assay.example.com"]])(
    "is closed to requests through a proxy: %s",
    async (name, value) => {
      expect((await place.ask("/metrics", { [name as string]: value as string })).status).toBe(401);
    },
  );

  test("is closed without a socket, as to remote callers", async () => {
    expect((await place.world.ask("/metrics")).status).toBe(401);
  });
});

test("with a token, /metrics requires it from every address, and accepts nothing else", async () => {
  await using place = await Listening.open({ metricsToken: "a-token-of-some-length" });
  expect((await place.ask()).status).toBe(401);
  expect((await place.ask("/metrics", { authorization: "Bearer another-token-altogether" })).status).toBe(401);
  const firm = await place.world.firm();
  expect((await place.ask("/metrics", { authorization: `Bearer ${firm.key}` })).status).toBe(401);
  const authorization = "Bearer a-token-of-some-length";
  expect((await place.ask("/metrics", { authorization, "x-forwarded-for": "192.0.2.1" })).status).toBe(200);
});

test("a scrape without the token, or with a wrong one, is no failed sign-in; wrong ones are logged and limited", async () => {
  await using place = await Listening.open({ metricsToken: "a-token-of-some-length" });
  const failures = async () => {
    const answer = await place.ask("/metrics", { authorization: "Bearer a-token-of-some-length" });
    return figureOf(readExposition(await answer.text()), "assay_sign_in_failures_total");
  };
  expect((await place.ask()).status).toBe(401);
  expect(place.world.logged.filter((line) => line.includes('"/metrics"'))).toEqual([]);
  const statuses = new Set<number>();
  await until(async () => {
    statuses.add((await place.ask("/metrics", { authorization: "Bearer another-token-altogether" })).status);
    return statuses.has(429);
  }, "guessing is limited");
  expect(statuses).toEqual(new Set([401, 429]));
  const warned = place.world.logged.map((line) => JSON.parse(line)).filter(({ route }) => route === "/metrics");
  expect(warned[0]).toMatchObject({
    level: "warn",
    message: "a wrong token was sent",
    status: 401,
    address: "127.0.0.1",
  });
  expect(warned.at(-1)).toMatchObject({ message: "refused after too many attempts", status: 429 });
  expect(place.world.logged.join("")).not.toContain("another-token-altogether");
  expect(await failures()).toBe(0);
});

test("a server with a public address, and so behind a proxy, accepts only the token", async () => {
  await using place = await Listening.open({ baseUrl: "https://assay.example.com" });
  expect((await place.ask()).status).toBe(401);
});

describe("the text format", () => {
  test("escapes the values of labels and help texts", () => {
    const text = exposition([
      { name: "a", type: "gauge", help: "one\nline \\", samples: [{ labels: { b: 'say "x"\n\\' }, value: 1.5 }] },
    ]);
    expect(text).toBe('# HELP a one\\nline \\\\\n# TYPE a gauge\na{b="say \\"x\\"\\n\\\\"} 1.5\n');
    expect(readExposition(text)).toHaveLength(1);
  });

  test("counts a value in every bucket that it fits in", () => {
    const series = createSeries([1, 2]);
    for (const value of [0.5, 1, 1.5, 9]) series.observe(value);
    expect(series.samples({}).map(({ value }) => value)).toEqual([2, 3, 4, 12, 4]);
  });
});
