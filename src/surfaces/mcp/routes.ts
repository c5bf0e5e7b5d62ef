import type { Lacking, McpAccess } from "../../accounts/oauth/identify.ts";
import type { Clock } from "../../platform/clock.ts";
import { lacksScopes } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { once } from "../../platform/once.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponse } from "../../web/errors.ts";
import { jsonIn } from "../../web/json-body.ts";
import { contextOf } from "../../web/request-context.ts";
import type { Docs } from "../docs/service.ts";
import { createGate, rpcError } from "./gate.ts";
import { createMeter } from "./meter.ts";
import { createToolRegistry, type ToolRegistry, type ToolServices } from "./registry.ts";
import { createResources } from "./resources.ts";
import type { Protocol } from "./server.ts";
import type { Caller } from "./tool.ts";

/** Maximum number of messages in a batch. Only clients of older protocol revisions send batches. */
const batchAtMost = 50;

/**
 * Maximum number of members of all objects and lists in a request's messages, because the SDK traverses each several
 * times. It does not traverse a tool's arguments, whose schemas have their own limits.
 */
const membersAtMost = 2_000;

const preflight = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-max-age": "600",
};

/** Returns a member of a parsed JSON value; undefined if there is none. */
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

/** Counts the members of a value at all levels. Inside it, only the direct members of `flat` count. */
function membersIn(value: unknown, flat?: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Object.values(value);
  return value === flat ? own.length : own.reduce((sum, one) => sum + membersIn(one, flat), own.length);
}

const membersOf = (message: unknown): number => membersIn(message, member(member(message, "params"), "arguments"));

/** Returns the id of a single request; null for a batch or a message without one. */
function idOf(messages: readonly unknown[]): string | number | null {
  const id = messages.length === 1 ? member(messages[0], "id") : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Returns the error for a call whose arguments are not an object. The SDK's own message is its validator's. */
function wrongArguments(messages: readonly unknown[]): Response | undefined {
  const [message] = messages;
  const given = member(member(message, "params"), "arguments");
  const isCall = messages.length === 1 && member(message, "method") === "tools/call";
  if (!isCall || given === undefined || (typeof given === "object" && given !== null && !Array.isArray(given)))
    return undefined;
  return rpcError(200, -32_602, "arguments must be an object; omit it if the tool takes none.", idOf(messages));
}

/** Returns the error for messages that are refused for every caller; `undefined` for others. */
function refusalOf(messages: readonly unknown[]): Response | undefined {
  if (messages.length > batchAtMost) return rpcError(400, -32_600, `A batch has at most ${batchAtMost} messages.`);
  if (messages.reduce<number>((sum, message) => sum + membersOf(message), 0) > membersAtMost)
    return rpcError(400, -32_600, `The body has more than ${membersAtMost} members outside of arguments.`);
  if (messages.some((message) => member(message, "method") === "subscriptions/listen"))
    return rpcError(404, -32_601, "There is nothing to subscribe to.", idOf(messages));
  return undefined;
}

export interface McpOptions {
  /** Origins of pages that may call the endpoint, in addition to the installation's own. */
  readonly origins?: readonly string[] | undefined;
}

/** Services used by the endpoint: those of its tools, and those that identify the caller. */
interface McpServices extends ToolServices {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly connections: McpAccess;
  readonly log: Log;
  readonly runtime: Pick<Runtime, "nextTurn">;
}

/**
 * Returns a function that loads and wires the SDK at the first request, because most processes never need it. Its
 * dependencies are loaded first, each in its own turn of the event loop, because all of it takes 60 ms.
 */
function sdkOf(services: McpServices, tools: ToolRegistry, docs: Docs): () => Promise<Protocol> {
  const { store, clock, log, runtime } = services;
  return once(async () => {
    await import("zod/v4");
    await runtime.nextTurn();
    await import("@modelcontextprotocol/core/internal");
    await runtime.nextTurn();
    const { createProtocol, preloadSchemas } = await import("./server.ts");
    await runtime.nextTurn();
    preloadSchemas();
    await runtime.nextTurn();
    const resources = createResources(services, docs);
    return createProtocol({ tools, resources, meter: createMeter(store, clock, log), log, runtime });
  });
}

/** Creates the endpoint's request handlers. */
function createEndpoint(services: McpServices, docs: Docs, { origins = [] }: McpOptions) {
  const { identity, connections, registry, baseUrl } = services;
  const tools = createToolRegistry(services, docs);
  const gate = createGate({ baseUrl, origins });
  const sdk = sdkOf(services, tools, docs);

  /**
   * Returns a 401 that says where to get a token and with which scopes, or a 403 with the scopes that the next token
   * needs.
   */
  const challenged = (code: "invalid_api_key" | "missing_scope", request: Request, lacking?: Lacking): Response =>
    errorResponse(code, lacking && lacksScopes(lacking.scopes).details, {
      "www-authenticate": connections.challenge(request, lacking),
    });

  /** Returns the scopes that the messages need and the caller lacks. */
  function lacking(messages: readonly unknown[], caller: Caller) {
    return messages.flatMap((message) => {
      const method = member(message, "method");
      if (method === "resources/read") return caller.principal.scopes.has("docs:read") ? [] : ["docs:read" as const];
      const name = method === "tools/call" ? member(member(message, "params"), "name") : undefined;
      const tool = typeof name === "string" ? tools.find(name, caller) : undefined;
      return tool ? tools.lacking(tool, caller) : [];
    });
  }

  async function callerOf(request: Request): Promise<Caller | undefined> {
    const principal = await connections.identifyMcp(request);
    if (principal) contextOf(request).principal = principal;
    await registry.refresh();
    return principal && { principal, entitlements: await identity.entitlements(principal.firm_id) };
  }

  async function answer(request: Request): Promise<Response> {
    const caller = await callerOf(request);
    if (!caller) return challenged("invalid_api_key", request);
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
      return rpcError(415, -32_000, "Content-Type must be application/json.");
    const read = jsonIn(await request.bytes());
    if ("wrong" in read) return rpcError(400, -32_700, `The body ${read.wrong.message}.`);
    // The server issues no sessions, so a client with a session id has to initialise again.
    if (request.headers.get("mcp-session-id"))
      return rpcError(404, -32_001, "This server has no sessions. Initialize again, without a session id.");
    const messages = Array.isArray(read.value) ? read.value : [read.value];
    const refused = refusalOf(messages);
    if (refused) return refused;
    const scopes = [...new Set(lacking(messages, caller))];
    if (scopes.length > 0) return challenged("missing_scope", request, { principal: caller.principal, scopes });
    return wrongArguments(messages) ?? (await sdk())(request, read.value, caller);
  }

  const withHeaders = (response: Response, headers: Readonly<Record<string, string>>): Response => {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };

  return {
    async post(request: Request): Promise<Response> {
      const refused = gate.refusal(request);
      return refused ?? withHeaders(await answer(request), gate.corsHeaders(request));
    },
    preflight: (request: Request): Response =>
      gate.refusal(request) ??
      withHeaders(new Response(null, { status: 204 }), { ...gate.corsHeaders(request), ...preflight }),
  };
}

/**
 * The routes of `/mcp`. The protocol describes itself, so the OpenAPI document leaves them out. Other methods get 405
 * from the edge, as the protocol requires of a server without sessions.
 */
export function mcpRoutes(services: McpServices, docs: Docs, options: McpOptions = {}): Route[] {
  const endpoint = createEndpoint(services, docs, options);
  const declared = (credential: "MCP" | "none") => ({
    access: { credential },
    ownInput: {},
    detail: "hidden" as const,
  });
  return [
    defineRoute({
      method: "POST",
      path: "/mcp",
      ...declared("MCP"),
      handler: ({ request }) => endpoint.post(request),
    }),
    defineRoute({
      method: "OPTIONS",
      path: "/mcp",
      ...declared("none"),
      handler: ({ request }) => endpoint.preflight(request),
    }),
  ];
}
