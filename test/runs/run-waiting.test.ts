import { describe, expect, test } from "bun:test";
import { createWaits } from "../../src/execution/wait.ts";
import { createActorWatch } from "../../src/execution/watch.ts";
import { present } from "../../src/platform/assert.ts";
import { minute } from "../../src/platform/clock.ts";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { held } from "../support/engines.ts";
import { errorIn, refusal, runIn, until, World } from "../support/harness.ts";
import { callTool } from "../support/mcp-world.ts";
import { testRuntime } from "../support/runtime.ts";

describe("an accepted run", () => {
  test("says where to poll it and when, until it has finished", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const accepted = await world.start(firm);
    const { id } = await runIn(accepted);
    expect(accepted.headers.get("location")).toBe(`/v1/runs/${id}`);
    expect(accepted.headers.get("retry-after")).toBe("1");
    await world.idle();
    expect((await world.ask(`/v1/runs/${id}`, { as: firm.key })).headers.get("retry-after")).toBeNull();
  });

  test("does so however it was started, and when it is cancelled", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { behave, open } = held();
    world.engines.echo.behave = behave;
    const body = { name: "saved", capability: "echo", input: { text: "hello" } };
    const saved = (await (await world.ask("/v1/saved-configurations", { as: firm.key, body })).json()) as {
      id: string;
    };
    const byConfiguration = await world.ask(`/v1/saved-configurations/${saved.id}/runs`, {
      method: "POST",
      as: firm.key,
      headers: { "idempotency-key": "by-configuration" },
    });
    const byUseCase = await world.start(firm, { useCase: "triage" });
    for (const answer of [byConfiguration, byUseCase]) {
      const { id } = await runIn(answer);
      expect([answer.status, answer.headers.get("location")]).toEqual([202, `/v1/runs/${id}`]);
      const cancelled = await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key });
      expect([cancelled.status, cancelled.headers.get("location")]).toEqual([202, `/v1/runs/${id}`]);
    }
    open();
  });
});

const nobody = { firm_id: "one", user_id: "u", key_id: null, session_id: null, connection_id: null };

describe("waiting for a run", () => {
  test("ends with the run, without advancing the clock", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { behave, open } = held();
    world.engines.echo.behave = behave;
    const { id } = await world.accepted(firm);
    const asked = world.ask(`/v1/runs/${id}?wait=60`, { as: firm.key });
    await until(() => world.engines.echo.calls.length === 1, "the engine works");
    open();
    expect(await runIn(await asked)).toMatchObject({ id, status: "succeeded" });
  });

  test("returns the current run after the time limit", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { behave, open } = held();
    world.engines.echo.behave = behave;
    const { id } = await world.accepted(firm);
    await until(() => world.engines.echo.calls.length === 1, "the engine works");
    let isAnswered = false;
    const asked = world.ask(`/v1/runs/${id}?wait=5`, { as: firm.key }).finally(() => {
      isAnswered = true;
    });
    // Advances the clock until the response, since the start of the wait can't be observed.
    await until(() => {
      world.clock.advance(100);
      return isAnswered;
    }, "the time is up");
    const answer = await asked;
    expect([(await runIn(answer)).status, answer.headers.get("retry-after")]).toEqual(["running", "1"]);
    open();
  });

  test("ends when an approval is awaited, and when the server stops", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm, { useCase: "triage" });
    expect(await runIn(await world.ask(`/v1/runs/${id}?wait=60`, { as: firm.key }))).toMatchObject({
      status: "awaiting_approval",
    });
    const { behave, open } = held();
    world.engines.echo.behave = behave;
    const going = await world.accepted(firm);
    const asked = world.ask(`/v1/runs/${going.id}?wait=60`, { as: firm.key });
    await until(() => world.engines.echo.calls.length > 0, "the engine works");
    world.app.streams.endAll();
    expect(await runIn(await asked)).toMatchObject({ status: "running" });
    open();
  });

  test("refuses an invalid number of seconds, and never shows another firm's run", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const other = await world.firm();
    const { id } = await world.settled(firm);
    for (const wait of ["0", "61", "-1", "1.5", "soon"])
      expect((await errorIn(await world.ask(`/v1/runs/${id}?wait=${wait}`, { as: firm.key }))).details).toMatchObject([
        { path: "/query/wait" },
      ]);
    expect(await refusal(await world.ask(`/v1/runs/${id}?wait=60`, { as: other.key }))).toEqual([404, "not_found"]);
  });

  test("is limited per firm: requests over the limit return immediately, and other firms still wait", async () => {
    const clock = testRuntime();
    const watch = createActorWatch();
    const waits = createWaits(clock, watch, new AbortController().signal, () => true);
    const { signal } = new AbortController();
    let answered = 0;
    const wait = (firm_id: string) =>
      waits
        .until({
          id: "run",
          caller: { ...nobody, firm_id },
          ms: minute,
          signal,
          read: () => "running",
          rests: () => false,
        })
        .then(() => answered++);
    const all = Array.from({ length: 200 }, () => wait("one"));
    await until(() => answered === 72, "those above the bound are answered");
    const other = wait("two");
    await Promise.resolve();
    expect(answered).toBe(72);
    clock.advance(minute);
    await Promise.all([...all, other]);
    expect(answered).toBe(201);
  });

  test("returns nothing to a caller whose credential was revoked meanwhile, on any surface", async () => {
    const upstream = startUpstream(() => Response.json({ result: { queue: "person", reason: null } }));
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm({ entitlements: ["partner-tool"] });
    await opened.add(firm, manifestText(httpsEngine(upstream.host)));
    const scopes = ["account:read", "capabilities:run", "runs:read"];
    const work = Promise.withResolvers<void>();
    upstream.answer = () => work.promise.then(() => Response.json({ result: { queue: "person", reason: null } }));
    const { id } = await world.accepted(firm, { slug: "claims-triage", input: { claim: "Hail" } });
    const keys = await Promise.all([1, 2, 3, 4].map(() => world.key(firm, scopes)));
    const [reading, polling, calling, kept] = keys.map(({ secret }) => secret);
    const body = { tool: "triage_claim", arguments: { claim: "Fire" } };
    const answers = Promise.all([
      world.ask(`/v1/runs/${id}?wait=60`, { as: reading }),
      callTool(world, polling ?? "", "get_run", { run_id: id }),
      world.ask("/v1/partner-tool/call", { as: calling, body }),
      world.ask(`/v1/runs/${id}?wait=60`, { as: kept }),
    ]);
    await until(() => upstream.received.length === 2, "the call works too");
    for (const { key } of keys.slice(0, 3)) {
      const path = `/v1/developer/api-keys/${key.id}`;
      expect((await world.ask(path, { method: "DELETE", as: firm.people.owner.token })).status).toBe(204);
    }
    work.resolve();
    const [read, polled, called, allowed] = await answers;
    for (const answer of [read, called]) expect(await refusal(answer)).toEqual([401, "invalid_api_key"]);
    expect(polled.error.code).toBe("invalid_api_key");
    expect(await runIn(allowed)).toMatchObject({ id, status: "succeeded" });
    await upstream.stop();
  });

  test("returns nothing to a person whose session has ended meanwhile", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { identity } = world.app.parts;
    const caller = present(await identity.byAccessToken(firm.people.owner.token), "the owner");
    expect(await identity.isValid(caller)).toBe(true);
    const missing = crypto.randomUUID();
    for (const gone of [{ session_id: missing }, { connection_id: missing }, { user_id: missing }, { key_id: missing }])
      expect(await identity.isValid({ ...caller, ...gone })).toBe(false);
  });

  test("ends when the caller disconnects", async () => {
    const waits = createWaits(testRuntime(), createActorWatch(), new AbortController().signal, () => true);
    const connection = new AbortController();
    const waiting = waits.until({
      ...{ id: "run", caller: nobody, ms: minute, signal: connection.signal },
      read: () => "running",
      rests: () => false,
    });
    connection.abort();
    expect(await waiting).toBe("running");
  });
});

test("a receipt is returned as JOSE, or as plain text to callers that do not accept that", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const { id } = await world.settled(firm);
  for (const [accept, type] of [
    ["*/*", "application/jose"],
    ["application/json, application/jose", "application/jose"],
    ["text/plain", "text/plain"],
    ["application/json", "text/plain"],
  ]) {
    const answer = await world.ask(`/v1/runs/${id}/receipt`, { as: firm.key, headers: { accept: accept ?? "" } });
    expect([accept, answer.headers.get("content-type")?.split(";")[0]]).toEqual([accept, type]);
    expect((await answer.text()).split(".")).toHaveLength(3);
  }
});
