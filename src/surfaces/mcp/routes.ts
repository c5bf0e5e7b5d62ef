import { Elysia } from "elysia";
import type { Lacking } from "../../accounts/oauth/identify.ts";
import type { Parts } from "../../parts.ts";
import { accessExtension } from "../../web/access.ts";
import { errorResponse } from "../../web/errors.ts";
import { contextOf } from "../../web/request-context.ts";
import type { Docs } from "../docs/service.ts";
import { createGate, rpcError } from "./gate.ts";
import { createMeter } from "./meter.ts";
import { createToolRegistry } from "./registry.ts";
import { createResources } from "./resources.ts";
import type { Protocol } from "./server.ts";
import type { Caller } from "./tool.ts";

/** Messages in one batch, which clients of the older revisions may send. */
const batchAtMost = 50;

const preflight = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-max-age": "600",
};

/** A member of what JSON.parse made; undefined where there is none. */
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface McpOptions {
  /** Origins of pages that may call, besides our own. */
  readonly origins?: readonly string[] | undefined;
}

/** The endpoint's fetch function. */
function createEndpoint(parts: Parts, docs: Docs, { origins = [] }: McpOptions) {
  const { identity, connections, registry, store, clock, log, baseUrl } = parts;
  const tools = createToolRegistry(parts, docs);
  const gate = createGate({ baseUrl, origins });
  let protocol: Promise<Protocol> | undefined;
  /** The SDK is loaded and wired at the first request: most processes are asked for something else first. */
  const sdk = () => {
    protocol ??= import("./server.ts").then(({ createProtocol }) =>
      createProtocol({ tools, resources: createResources(parts, docs), meter: createMeter(store, clock, log), log }),
    );
    return protocol;
  };

  /** 401 with where to get a token and for which scopes, 403 with the scopes that the next one should have. */
  const challenged = (code: "invalid_api_key" | "missing_scope", request: Request, lacking?: Lacking): Response =>
    errorResponse(code, [], { "www-authenticate": connections.challenge(request, lacking) });

  /** Scopes that the messages need and the caller lacks. */
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
    const body = parsed(await request.text());
    if (body === undefined) return rpcError(400, -32_700, "The body is not JSON.");
    // No session is ever given out: whatever a client holds is not ours, and it should begin anew.
    if (request.headers.get("mcp-session-id")) return rpcError(404, -32_001, "There is no such session.");
    const messages = Array.isArray(body) ? body : [body];
    if (messages.length > batchAtMost) return rpcError(400, -32_600, `A batch has at most ${batchAtMost} messages.`);
    if (messages.some((message) => member(message, "method") === "subscriptions/listen"))
      return rpcError(404, -32_601, "Nothing here changes that could be subscribed to.");
    const scopes = [...new Set(lacking(messages, caller))];
    if (scopes.length > 0) return challenged("missing_scope", request, { principal: caller.principal, scopes });
    return (await sdk())(request, body, caller);
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
 * `/mcp`. The protocol describes itself, so that the OpenAPI document leaves it out; other methods are 405 by the edge, as
 * the protocol wants it of a server without sessions.
 */
export function mcpRoutes(parts: Parts, docs: Docs, options: McpOptions = {}) {
  const endpoint = createEndpoint(parts, docs, options);
  const declared = (credential: "MCP" | "none") => ({ hide: true, [accessExtension]: { credential } });
  return new Elysia({ name: "mcp", normalize: false })
    .post("/mcp", ({ request }) => endpoint.post(request), { parse: "none", detail: declared("MCP") })
    .options("/mcp", ({ request }) => endpoint.preflight(request), { parse: "none", detail: declared("none") });
}
