import { afterAll, describe, expect, test } from "bun:test";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { idempotencyMeta } from "../../src/products/connectors/mcp-engine.ts";
import type { Run } from "../../src/runs/schema.ts";
import { manifestText, mcpEngine, openConnectors } from "../support/connectors-world.ts";
import { type Firm, runIn, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const slug = "claims-triage";
const input = { claim: "Glass breakage" };
const good = { queue: "person", reason: "The sum is high." };
type Answer = (request: Request) => Promise<Response>;

interface Called {
  readonly arguments: unknown;
  readonly key: unknown;
}

/** Starts a real MCP server on loopback, with one tool that returns what the test sets. */
function startMcpServer({ json = false } = {}) {
  const called: Called[] = [];
  const server = {
    called,
    result: { content: [], structuredContent: good } as CallToolResult,
    token: "",
    instead: undefined as Answer | undefined,
  };
  async function answer(request: Request): Promise<Response> {
    if (server.token && request.headers.get("authorization") !== `Bearer ${server.token}`)
      return new Response("who are you", { status: 401 });
    if (server.instead) return server.instead(request);
    const mcp = new Server({ name: "upstream", version: "1.0.0" }, { capabilities: { tools: {} } });
    mcp.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      if (params.name !== "triage") throw new McpError(ErrorCode.InvalidParams, "there is no such tool");
      called.push({ arguments: params.arguments, key: params._meta?.[idempotencyMeta] });
      return server.result;
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: json });
    await mcp.connect(transport);
    return transport.handleRequest(request);
  }
  const listening = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  return Object.assign(server, { host: `127.0.0.1:${listening.port}`, stop: () => listening.stop(true) });
}

const server = startMcpServer();
afterAll(() => server.stop());

async function settled(world: World, firm: Firm): Promise<Run> {
  server.called.length = 0;
  const { id } = await runIn(await world.start(firm, { slug, input }));
  await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "the run ends");
  return world.run(firm, id);
}

/** Runs a connector to the server, with the response set by the test. */
async function runOn({ host } = server, { secret, tool }: { secret?: string; tool?: string } = {}): Promise<Run> {
  await using opened = await openConnectors(host);
  const firm = await opened.world.firm();
  await opened.add(firm, manifestText(mcpEngine(host, tool)), secret === undefined ? {} : { secret });
  const run = await settled(opened.world, firm);
  const { available, reserved } = await opened.world.balance(firm);
  expect([available, reserved]).toEqual([10_000 - run.charges.charged_credits, 0]);
  await expectSound(opened.world.store);
  return run;
}

describe("a connector to an MCP server", () => {
  test("calls its tool once, under the step's key, and delivers the structured content", async () => {
    const run = await runOn();
    expect(run).toMatchObject({ status: "succeeded", result: good, charges: { charged_credits: 200 } });
    expect(server.called).toEqual([{ arguments: input, key: `${run.id}:${slug}` }]);
  });

  test("accepts a response in JSON instead of events", async () => {
    const plain = startMcpServer({ json: true });
    expect(await runOn(plain)).toMatchObject({ status: "succeeded", result: good });
    await plain.stop();
  });

  test("delivers a text that is JSON if there is no structured content", async () => {
    server.result = { content: [{ type: "text", text: JSON.stringify(good) }] };
    expect(await runOn()).toMatchObject({ status: "succeeded", result: good });
  });

  test("sends its token, which is in no response and no log", async () => {
    server.result = { content: [], structuredContent: good };
    server.token = "a-token-of-the-upstream";
    expect(await runOn(server, { secret: server.token })).toMatchObject({ status: "succeeded" });
    expect(await runOn(server, { secret: "another-token-than-that" })).toMatchObject({
      status_reason: { code: "connector_refused" },
    });
    server.token = "";
  });

  const failures: readonly (readonly [string, CallToolResult, string])[] = [
    [
      "whose tool reports failure",
      { isError: true, content: [{ type: "text", text: "No such claim." }] },
      "connector_refused",
    ],
    ["whose output breaks its contract", { content: [], structuredContent: { queue: "bin" } }, "engine_output_invalid"],
    ["whose output is prose", { content: [{ type: "text", text: "It depends." }] }, "engine_output_invalid"],
    [
      "that sends more values than allowed",
      { content: [], structuredContent: { queue: "person" }, _meta: { more: Array(50_001).fill(0) } },
      "connector_protocol_error",
    ],
    ["that sends more than allowed", { content: [{ type: "text", text: "x".repeat(2_000_000) }] }, "too_large"],
  ];
  for (const [name, result, code] of failures)
    test(`${name} fails the step with ${code}, uncharged`, async () => {
      server.result = result;
      const run = await runOn();
      expect(run).toMatchObject({ status: "failed", status_reason: { code }, charges: { charged_credits: 0 } });
    });

  test("without such a tool fails the step, uncharged", async () => {
    expect(await runOn(server, { tool: "no_such_tool" })).toMatchObject({
      status: "failed",
      status_reason: { code: "connector_refused" },
      charges: { charged_credits: 0 },
    });
  });

  const liars: readonly (readonly [string, Answer, string, number])[] = [
    ["that is down", async () => new Response("", { status: 503 }), "connector_unavailable", 5],
    [
      "that is not an MCP server",
      async () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      "connector_protocol_error",
      1,
    ],
    [
      "that sends invalid JSON",
      async () => new Response("{", { headers: { "content-type": "application/json" } }),
      "connector_protocol_error",
      1,
    ],
    ["that redirects", async () => Response.redirect("https://example.com/", 307), "connector_refused", 1],
  ];
  for (const [name, instead, code, attempts] of liars)
    test(`${name} fails the step with ${code}, uncharged`, async () => {
      server.instead = instead;
      const run = await runOn();
      server.instead = undefined;
      expect(run).toMatchObject({ status: "failed", status_reason: { code }, steps: [{ attempt: attempts }] });
      expect(run.charges.charged_credits).toBe(0);
    });

  test("that never responds is abandoned at its deadline", async () => {
    await using opened = await openConnectors(server.host);
    const firm = await opened.world.firm();
    await opened.add(firm, manifestText(mcpEngine(server.host)));
    server.instead = () => {
      opened.world.clock.advance(60_000);
      return new Promise<Response>(() => undefined);
    };
    const run = await settled(opened.world, firm);
    server.instead = undefined;
    expect(run).toMatchObject({ status: "failed", status_reason: { code: "step_timed_out" }, steps: [{ attempt: 5 }] });
    expect(await opened.world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });
});
