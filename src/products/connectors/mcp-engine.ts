import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { type EngineContext, EngineError, type EngineOutcome } from "../../contracts/engine.ts";
import { asFetch } from "../../integrations/outbound/as-fetch.ts";
import type { Outbound } from "../../integrations/outbound/types.ts";
import type { EngineServices } from "../../registry/services.ts";
import { checkBounds, parsedAnswer } from "./answer.ts";
import { asEngineError, refusedBy, unavailable } from "./failures.ts";
import type { ConnectorEngineConfig } from "./manifest.ts";

/** The metadata key for the step's key, so that a server need not repeat work on a retry. */
export const idempotencyMeta = "assay/idempotency-key";

/** Returns a fetch for the SDK that goes through the outbound guard. The error is kept, since the SDK hides causes. */
function guardedFetch(outbound: Outbound, config: ConnectorEngineConfig, signal: AbortSignal) {
  let cause: unknown;
  const { max_response_bytes: max_bytes, deadline_ms: timeout_ms } = config;
  const ask = asFetch(outbound, { max_bytes, timeout_ms });
  const fetch: FetchLike = async (url, init = {}) => {
    const { method = "GET" } = init;
    // A single call needs no separate stream, and the protocol does not require one.
    if (method !== "POST" && method !== "DELETE") return new Response(null, { status: 405 });
    try {
      const answer = await ask(url, { ...init, signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal });
      checkBounds(await answer.clone().text());
      return answer;
    } catch (error) {
      cause = error;
      throw error;
    }
  };
  return { fetch, cause: () => cause };
}

/** Statuses and protocol errors after which the same call may succeed. */
const passing = new Set<number | undefined>([
  408,
  425,
  429,
  500,
  502,
  503,
  504,
  ErrorCode.ConnectionClosed,
  ErrorCode.RequestTimeout,
  ErrorCode.InternalError,
]);

/** The SDK's code for an answer with a media type that the protocol does not allow. */
const foreign = -1;

function failureOf(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  if ((error instanceof McpError || error instanceof StreamableHTTPError) && error.code !== foreign)
    return passing.has(error.code) ? unavailable() : refusedBy();
  const known = asEngineError(error);
  if (known instanceof EngineError) return known;
  return new EngineError("connector_protocol_error", "The connector violates the MCP protocol.", false);
}

/** Returns a call's result: the structured content, or its text parsed as JSON, or `{ text }`. */
function resultOf(value: unknown): unknown {
  const { structuredContent, content, isError } = CallToolResultSchema.parse(value);
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isError) throw refusedBy(undefined, text);
  if (structuredContent !== undefined) return structuredContent;
  try {
    return parsedAnswer(text);
  } catch {
    return { text };
  }
}

/** Returns the server's address. Throws an `EngineError` if the settings no longer allow it. */
function addressOf(outbound: Outbound, { url }: ConnectorEngineConfig): URL {
  try {
    return outbound.checkUrl(url);
  } catch (error) {
    throw asEngineError(error);
  }
}

/** Calls a tool of an upstream MCP server, on a new connection for each attempt. */
export async function askMcpServer(
  { outbound }: EngineServices,
  config: ConnectorEngineConfig,
  token: string | null,
  input: unknown,
  { signal, stepKey }: EngineContext,
): Promise<EngineOutcome<unknown>> {
  const { fetch, cause } = guardedFetch(outbound, config, signal);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(addressOf(outbound, config), {
    fetch,
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client({ name: "assay", version: "1.0.0" });
  const options = { signal, timeout: config.deadline_ms };
  try {
    await client.connect(transport, options);
    const call = {
      name: config.tool ?? "",
      arguments: { ...Object(input) },
      _meta: { [idempotencyMeta]: stepKey },
    };
    return { result: resultOf(await client.callTool(call, CallToolResultSchema, options)) };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(cause() ?? error);
  } finally {
    // Best effort: the server may also expire the session itself.
    await transport.terminateSession().catch(() => undefined);
    await client.close();
  }
}
