import { afterAll, describe, expect, test } from "bun:test";
import * as modern from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { present } from "../../src/platform/assert.ts";
import { capabilities as sold } from "../../src/products/capabilities/index.ts";
import type { Run } from "../../src/runs/schema.ts";
import { held } from "../support/engines.ts";
import { refusal, until, World } from "../support/harness.ts";
import {
  acceptsBoth,
  envelope,
  mcpCatalogue,
  messagesIn,
  modernHeaders,
  post,
  rpc,
  Served,
  toolNames,
  toolsOf,
} from "../support/mcp-world.ts";

const { capabilities } = mcpCatalogue();
const origin = "https://pages.example";
const world = await World.open(undefined, { capabilities, mcpOrigins: [origin] });
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const init = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

/** Connects a client of the older protocol version that sends the key itself. */
async function older(served: Served, key: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(served.url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  );
  return client;
}

/** Connects a client of the newer protocol version, for one revision or any supported. */
async function newer(served: Served, key: string, mode: "auto" | { pin: string }): Promise<modern.Client> {
  const client = new modern.Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new modern.StreamableHTTPClientTransport(served.url, { requestInit: { headers } }));
  return client;
}

describe("a client that uses initialize", () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    test(`speaks ${version}`, async () => {
      const { result } = await rpc(world, firm.key, "initialize", init(version));
      expect([result?.protocolVersion, result?.serverInfo?.name]).toEqual([version, "assay"]);
      const headers = { "mcp-protocol-version": version };
      const [listed] = await messagesIn(
        await post(world, firm.key, { jsonrpc: "2.0", id: 2, method: "tools/list" }, headers),
      );
      expect(listed?.result?.tools?.length).toBeGreaterThan(7);
    });

  test("of the SDK connects, lists, calls, reads and prompts, and does not notice a restart", async () => {
    await using served = await Served.open({ capabilities });
    const one = await served.world.firm();
    const client = await older(served, one.key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo_text");
    const first = await client.callTool({ name: "echo_text", arguments: { text: "hello" } });
    expect(first.structuredContent).toMatchObject({ status: "succeeded", charged_credits: 500 });

    served.world = await served.world.reopen();
    const told: number[] = [];
    const second = await client.callTool({ name: "echo_text", arguments: { text: "again" } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    });
    expect(second.structuredContent).toMatchObject({ status: "succeeded" });
    expect(told.at(-1)).toBe(1);

    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: present(resources[0], "a resource").uri });
    expect(contents[0]).toMatchObject({ mimeType: "text/markdown" });
    const prompt = await client.getPrompt({ name: "discover", arguments: { goal: "check an answer" } });
    expect(prompt.messages[0]?.content).toMatchObject({ type: "text" });
    const wrong = await client.callTool({ name: "get_doc", arguments: { slug: "nothing" } });
    expect(wrong.isError).toBe(true);
    await client.close();
  });

  test("may send a batch, and gets a response to each message", async () => {
    const batch = [ping, { ...ping, id: 2 }, { jsonrpc: "2.0", method: "notifications/initialized" }];
    const answered = await messagesIn(await post(world, firm.key, batch));
    expect(answered.map(({ id }) => id).sort()).toEqual([1, 2]);
    const many = Array.from({ length: 51 }, (_, id) => ({ ...ping, id }));
    const refused = await post(world, firm.key, many);
    expect([refused.status, (await messagesIn(refused))[0]?.error?.code]).toEqual([400, -32_600]);
  });

  test("has each message of a batch started in a separate turn of the event loop", async () => {
    const batch = Array.from({ length: 50 }, (_, id) => ({ ...ping, id, method: "tools/list" }));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const answer = post(world, firm.key, batch);
    setImmediate(count);
    const answered = await messagesIn(await answer);
    isOver = true;
    expect(answered.filter(({ result }) => result?.tools?.length).length).toBe(50);
    expect(turns).toBeGreaterThanOrEqual(49);
  });

  test("is refused a body with more properties than any message has, except in the arguments", async () => {
    const members = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`k${i}`, 0]));
    for (const params of [members, { _meta: members }, { name: "echo_text", arguments: members }]) {
      const refused = await post(world, firm.key, { ...ping, method: "tools/call", params });
      expect([refused.status, (await messagesIn(refused))[0]?.error?.code]).toEqual([400, -32_600]);
    }
    const params = { name: "echo_text", arguments: { text: Object.values(members) } };
    const taken = await messagesIn(await post(world, firm.key, { ...ping, method: "tools/call", params }));
    expect(taken[0]?.result?.content?.[0]?.text).toContain("validation_error");
  });

  test("with a session of another server is told to start again", async () => {
    const answer = await post(world, firm.key, ping, { "mcp-session-id": crypto.randomUUID() });
    expect([answer.status, (await messagesIn(answer))[0]?.error?.code]).toEqual([404, -32_001]);
  });

  test("that disconnects during a call leaves its run to finish", async () => {
    const { capabilities, engines } = mcpCatalogue();
    await using served = await Served.open({ capabilities });
    const one = await served.world.firm();
    const gate = held();
    engines.echo.behave = gate.behave;
    const control = new AbortController();
    const params = { name: "echo_text", arguments: { text: "hello" } };
    const call = fetch(served.url, {
      method: "POST",
      signal: control.signal,
      headers: { ...acceptsBoth, authorization: `Bearer ${one.key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...ping, method: "tools/call", params }),
    }).then((answer) => answer.text());
    await until(() => engines.echo.calls.length === 1, "the engine is asked");
    control.abort();
    expect(call).rejects.toThrow();
    gate.open();
    await served.world.idle();
    const { items } = (await (await served.world.ask("/v1/runs", { as: one.key })).json()) as { items: Run[] };
    expect(items.map(({ status, surface }) => [status, surface])).toEqual([["succeeded", "mcp"]]);
  });

  test("is never given a session", async () => {
    const answer = await post(world, firm.key, { ...ping, method: "initialize", params: init("2025-11-25") });
    expect(answer.headers.get("mcp-session-id")).toBeNull();
  });
});

describe("a client of the stateless revision 2026-07-28", () => {
  for (const mode of ["auto", { pin: "2026-07-28" }] as const)
    test(`of the SDK finds the server and calls a tool (${typeof mode === "string" ? mode : mode.pin})`, async () => {
      await using served = await Served.open({ capabilities });
      const one = await served.world.firm();
      const client = await newer(served, one.key, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("echo_text");
      const called = await client.callTool({ name: "echo_text", arguments: { text: "hello" } });
      expect(called.structuredContent).toMatchObject({ status: "succeeded", result: { answer: "yes" } });
      served.world = await served.world.reopen();
      expect((await client.callTool({ name: "list_use_cases", arguments: {} })).isError).toBeFalsy();
      const { contents } = await client.readResource({ uri: "assay://use-cases/triage" });
      expect(contents[0]).toMatchObject({ mimeType: "application/json" });
      await client.close();
    });

  const ask = async (method: string, params: object = {}, headers: Record<string, string> = modernHeaders(method)) => {
    const answer = await post(world, firm.key, { ...ping, method, params: { ...params, _meta: envelope } }, headers);
    const [message] = await messagesIn(answer);
    return { status: answer.status, ...message };
  };

  test("discovers the server, and how long lists may be cached", async () => {
    const { result } = await ask("server/discover");
    expect(result).toMatchObject({ supportedVersions: ["2026-07-28"], ttlMs: 3_600_000 });
    for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
      expect([method, (await ask(method)).result?.ttlMs ?? 0]).toEqual([method, expect.any(Number)]);
    expect((await ask("tools/list")).result?.ttlMs).toBe(60_000);
  });

  test("whose headers differ from the body is refused", async () => {
    const params = { name: "list_docs", arguments: {} };
    expect((await ask("tools/call", params, modernHeaders("tools/call", "list_docs"))).result?.isError).toBeFalsy();
    expect((await ask("tools/call", params, modernHeaders("tools/call", "get_doc"))).status).toBe(400);
    expect((await ask("tools/list", {}, modernHeaders("prompts/list"))).status).toBe(400);
    expect((await ask("tools/list", {}, { ...acceptsBoth, "mcp-protocol-version": "2026-07-28" })).status).toBe(400);
  });

  test("that wants to subscribe is told that there are no subscriptions", async () => {
    const { status, error } = await ask("subscriptions/listen", { notifications: {} });
    expect([status, error?.code]).toEqual([404, -32_601]);
  });

  test("of an unknown revision is told the supported ones", async () => {
    const unknown = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
    const body = { ...ping, method: "tools/list", params: { _meta: unknown } };
    const headers = { ...modernHeaders("tools/list"), "mcp-protocol-version": "2030-01-01" };
    const answer = await post(world, firm.key, body, headers);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("2026-07-28");
  });
});

describe("an input that is not a request of the protocol", () => {
  test("is refused as in JSON-RPC, without a crash", async () => {
    const cases: readonly [body: unknown, headers: Record<string, string>, status: number, code: number][] = [
      ["{", {}, 400, -32_700],
      ["null", {}, 400, -32_600],
      ["[]", {}, 400, -32_600],
      ["7", {}, 400, -32_600],
      [{ jsonrpc: "1.0", id: 1, method: "ping" }, {}, 400, -32_600],
      [ping, { "content-type": "text/plain" }, 415, -32_000],
      [ping, { accept: "text/html" }, 406, -32_000],
      [ping, { "mcp-protocol-version": "1999-01-01" }, 400, -32_000],
    ];
    for (const [body, headers, status, code] of cases) {
      const answer = await post(world, firm.key, body, headers);
      const [message] = await messagesIn(answer);
      expect([body, answer.status, message?.error?.code]).toEqual([body, status, code]);
    }
  });

  test("with deep nesting gets a response, and the server continues", async () => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_text","arguments":{"text":${deep}}}}`;
    const answer = await post(world, firm.key, body);
    expect(answer.status).toBeLessThan(501);
    expect((await post(world, firm.key, ping)).status).toBe(200);
  });

  test("over the limit is 413", async () => {
    const params = { name: "search_docs", arguments: { query: "x".repeat(70_000) } };
    const answer = await post(world, firm.key, { ...ping, method: "tools/call", params });
    expect(await refusal(answer)).toEqual([413, "payload_too_large"]);
  });

  test("with an unknown method, tool or prompt is an error of the protocol", async () => {
    expect((await rpc(world, firm.key, "nothing/at-all")).error?.code).toBe(-32_601);
    expect((await rpc(world, firm.key, "tools/call", { name: "nothing" })).error?.code).toBe(-32_602);
    expect((await rpc(world, firm.key, "prompts/get", { name: "nothing" })).error?.code).toBe(-32_602);
    expect((await rpc(world, firm.key, "prompts/get", { name: "quote", arguments: {} })).error?.code).toBe(-32_602);
  });

  test("with an HTTP method that a server without sessions does not support is 405 with Allow", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await world.ask("/mcp", { method, as: firm.key });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "OPTIONS, POST"]);
    }
  });
});

describe("a cross-site request", () => {
  test("to a forged host is 403", async () => {
    for (const host of ["evil.example", "assay.test.evil.example", "assay.test:8080", "assay.test@evil.example", "a b"])
      expect([host, (await post(world, firm.key, ping, { host })).status]).toEqual([host, 403]);
    expect((await post(world, firm.key, ping, { host: "ASSAY.test:80" })).status).toBe(200);
  });

  test("from an origin that is neither ours nor configured is 403", async () => {
    for (const from of [
      "https://evil.example",
      "null",
      "http://assay.test:8080",
      "https://assay.test",
      `${origin}.evil`,
    ])
      expect([from, (await post(world, firm.key, ping, { origin: from })).status]).toEqual([from, 403]);
    const own = await post(world, firm.key, ping, { origin: "http://assay.test" });
    expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  test("from a configured origin is served, with its preflight", async () => {
    const answer = await post(world, firm.key, ping, { origin });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect((await post(world, undefined, ping, { origin })).headers.get("access-control-expose-headers")).toContain(
      "WWW-Authenticate",
    );
    const asked = await world.ask("/mcp", { method: "OPTIONS", headers: { origin } });
    expect([asked.status, asked.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
    expect(asked.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
    const foreign = await world.ask("/mcp", { method: "OPTIONS", headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });
});

describe("resources and prompts", () => {
  test("are listed page by page, each once, and all readable", async () => {
    const uris: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { result } = await rpc(world, firm.key, "resources/list", cursor === undefined ? {} : { cursor });
      uris.push(...present(result?.resources, "resources").map(({ uri }) => uri));
      cursor = result?.nextCursor;
      if (cursor === undefined) break;
    }
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toContain("assay://capabilities/echo");
    expect(uris).not.toContain("assay://capabilities/hidden");
    for (const uri of uris) {
      const { result } = await rpc(world, firm.key, "resources/read", { uri });
      expect([uri, result?.contents?.[0]?.uri, (result?.contents?.[0]?.text.length ?? 0) > 20]).toEqual([
        uri,
        uri,
        true,
      ]);
    }
    expect((await rpc(world, firm.key, "resources/list", { cursor: "elsewhere" })).error?.code).toBe(-32_602);
  });

  test("are missing if they belong to another firm", async () => {
    for (const uri of [
      "assay://capabilities/hidden",
      "assay://docs/nothing",
      "file:///etc/passwd",
      "assay://docs/../x",
    ])
      expect([uri, (await rpc(world, firm.key, "resources/read", { uri })).error?.code]).toEqual([uri, -32_602]);
  });

  test("have completions of templates and prompts from the existing values", async () => {
    const { result } = await rpc(world, firm.key, "resources/templates/list");
    expect(result?.resourceTemplates).toHaveLength(3);
    const complete = async (ref: object, name: string, value: string) =>
      (await rpc(world, firm.key, "completion/complete", { ref, argument: { name, value } })).result?.completion
        ?.values;
    const template = { type: "ref/resource", uri: "assay://capabilities/{slug}" };
    expect(await complete(template, "slug", "e")).toEqual(["echo", "entitled", "exa-filter"]);
    expect(await complete(template, "slug", "hid")).toEqual([]);
    expect(await complete({ type: "ref/prompt", name: "quote" }, "use_case", "tri")).toEqual(["triage"]);
  });

  test("include prompts that lead through the loop with the given values", async () => {
    const { result } = await rpc(world, firm.key, "prompts/list");
    expect(result?.prompts?.map(({ name }) => name)).toEqual(["discover", "quote", "run", "reconcile", "architect"]);
    const got = await rpc(world, firm.key, "prompts/get", { name: "run", arguments: { capability: "echo" } });
    expect(got.result?.messages?.[0]?.content.text).toContain("get_capability with the slug echo");
  });

  test("include suggestions for an unknown slug in a prompt", async () => {
    const wrong = async (name: string, values: object) =>
      (await rpc(world, firm.key, "prompts/get", { name, arguments: values })).error;
    expect(await wrong("run", { capability: "ecco" })).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("Did you mean echo?"),
    });
    expect(await wrong("run", { capability: "nope" })).toMatchObject({ code: -32_602 });
    // Another firm's private capability is treated as missing.
    expect((await wrong("run", { capability: "hiden" }))?.message).not.toContain("hidden");
    expect(await wrong("quote", { use_case: "nope" })).toMatchObject({ code: -32_602 });
  });

  test("are not shown to a credential without docs:read", async () => {
    const { secret } = await world.key(firm, ["runs:read"]);
    expect((await rpc(world, secret, "resources/list")).result?.resources).toEqual([]);
    expect(await toolNames(world, secret)).toEqual(["get_run", "list_runs"]);
  });
});

describe("the list of the product's tools", () => {
  test("fits into 5,000 tokens, at four characters each", async () => {
    await using real = await World.open(undefined, { capabilities: sold });
    const whole = await real.firm({
      entitlements: ["market-intelligence:read", "distribution:read", "verified_workspace"],
    });
    const tools = await toolsOf(real, whole.key);
    expect(JSON.stringify({ tools }).length / 4).toBeLessThan(5_000);
  });
});

test("has no raw character in any response that some readers of event streams treat as a line end", async () => {
  const goal = "compare\u2028two\u2029prices\u0085now";
  const params = { name: "discover", arguments: { goal } };
  const asked = { jsonrpc: "2.0", id: 1, method: "prompts/get" };
  for (const response of [
    await post(world, firm.key, { ...asked, params }),
    await post(
      world,
      firm.key,
      { ...asked, params: { ...params, _meta: envelope } },
      modernHeaders("prompts/get", "discover"),
    ),
  ]) {
    const text = await response.text();
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
    const [message] = await messagesIn(new Response(text, { headers: response.headers }));
    expect(message?.result?.messages?.[0]?.content.text).toContain(goal);
  }
});
