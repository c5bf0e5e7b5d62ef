import type { Server } from "bun";
import type { AppOptions } from "../../src/app.ts";
import { present } from "../../src/platform/assert.ts";
import { companyIntelligence } from "../../src/products/capabilities/company-intelligence/manifest.ts";
import { exaFilter } from "../../src/products/capabilities/exa-filter/manifest.ts";
import { toolErrors } from "../../src/products/capabilities/listing.ts";
import type { CapabilityManifest, Tool } from "../../src/registry/contract.ts";
import { capability, ScriptedEngine } from "./engines.ts";
import { type Ask, World } from "./harness.ts";

/** The catalogue of the MCP tests: one capability of each kind, with one tool each. */
const toolOf = (name: string, manifest: CapabilityManifest): Tool => ({
  name,
  title: `Title of ${name}`,
  access: "read",
  summary: `Summary of ${name}.`,
  returns: "An answer.",
  input_schema: manifest.input_schema,
  agent_description: null,
  human_summary: null,
  use_when: [],
  do_not_use_when: [],
  examples: [],
  errors: toolErrors,
  latency: null,
  related: [],
});

/** Adds to a capability one tool with the same input. */
export const withTool = (name: string, manifest: CapabilityManifest): CapabilityManifest => ({
  ...manifest,
  tools: [toolOf(name, manifest)],
});

export interface McpEngines {
  readonly echo: ScriptedEngine;
  readonly hidden: ScriptedEngine;
  readonly entitled: ScriptedEngine;
  readonly company: ScriptedEngine;
}

/** Returns engines that the test controls, and the catalogue around them. */
export function mcpCatalogue() {
  const engines: McpEngines = {
    echo: new ScriptedEngine("echo"),
    hidden: new ScriptedEngine("hidden"),
    entitled: new ScriptedEngine("entitled"),
    company: new ScriptedEngine("company-intelligence"),
  };
  const capabilities: AppOptions["capabilities"] = [
    withTool("echo_text", capability("echo", { engine: engines.echo })),
    withTool(
      "hidden_text",
      capability("hidden", { engine: engines.hidden, entitlements: ["capability:hidden"], private: true }),
    ),
    withTool(
      "entitled_text",
      capability("entitled", { engine: engines.entitled, entitlements: ["distribution:read"] }),
    ),
    exaFilter,
    { ...companyIntelligence, engine: engines.company },
  ];
  return { engines, capabilities };
}

/** A tool as listed. */
export interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string; readonly properties?: Readonly<Record<string, unknown>> };
  /** Absent if the tool returns only text. */
  readonly outputSchema?: { readonly type: string; readonly properties: Readonly<Record<string, unknown>> };
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** The fields of results that tests check. */
export interface Result {
  readonly protocolVersion?: string;
  readonly serverInfo?: { readonly name: string };
  readonly supportedVersions?: readonly string[];
  readonly ttlMs?: number;
  readonly nextCursor?: string;
  readonly tools?: readonly Listed[];
  readonly resources?: readonly { readonly uri: string; readonly name: string }[];
  readonly resourceTemplates?: readonly { readonly uriTemplate: string }[];
  readonly prompts?: readonly { readonly name: string; readonly arguments?: readonly unknown[] }[];
  readonly contents?: readonly { readonly uri: string; readonly mimeType: string; readonly text: string }[];
  readonly messages?: readonly { readonly content: { readonly text: string } }[];
  readonly completion?: { readonly values: readonly string[] };
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** A JSON-RPC message as received. */
export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns all messages of a response, whether it is one JSON body or a stream of events. */
export async function messagesIn(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.includes("text/event-stream")) return [JSON.parse(text)].flat();
  // Only these end a line of a stream; `$` would also match before U+2028.
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data: "));
  return lines.flatMap((line) => JSON.parse(line.slice("data: ".length)));
}

/** The header that clients of both generations send with each request. */
export const acceptsBoth = { accept: "application/json, text/event-stream" };
const modern = "2026-07-28";

/** The `_meta` of a request in the stateless revision. */
export const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const modernHeaders = (method: string, name?: string) => ({
  ...acceptsBoth,
  "mcp-protocol-version": modern,
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});

/** Sends a POST to `/mcp`. */
export const post = (world: World, as: string | undefined, body: unknown, headers: Ask["headers"] = {}) =>
  world.ask("/mcp", { as, body, headers: { ...acceptsBoth, ...headers } });

/** Sends one request of the older generation and returns the response message. */
export async function rpc(world: World, as: string, method: string, params: unknown = {}): Promise<Message> {
  const response = await post(world, as, { jsonrpc: "2.0", id: 1, method, params });
  return present(
    (await messagesIn(response)).find(({ id }) => id === 1),
    `the answer to ${method}`,
  );
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The error, if the call failed. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly next: string;
    readonly details?: unknown;
  };
}

/** Calls a tool and returns its result. */
export async function callTool(
  world: World,
  as: string,
  name: string,
  given: unknown = {},
  meta: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const { result, error } = await rpc(world, as, "tools/call", { name, arguments: given, _meta: meta });
  if (!result) throw new Error(`no result but ${JSON.stringify(error)}`);
  const { isError = false, content = [], structuredContent = {} } = result;
  const text = content[0]?.text ?? "";
  return {
    isError,
    text,
    value: structuredContent,
    error: isError ? JSON.parse(text).error : { code: "", message: "", next: "" },
  };
}

/** Returns the tools listed for a caller. */
export async function toolsOf(world: World, as: string): Promise<readonly Listed[]> {
  const { result } = await rpc(world, as, "tools/list");
  return present(result?.tools, "the tools");
}

/** Returns the names of the tools listed for a caller. */
export const toolNames = async (world: World, as: string): Promise<string[]> =>
  (await toolsOf(world, as)).map(({ name }) => name);

/** An app on a real port, with that port in its base URL. The app can be replaced while clients are connected. */
export class Served implements AsyncDisposable {
  private constructor(
    private readonly server: Server<undefined>,
    public world: World,
  ) {}

  /** `credential` is added to each request, for clients that can't send one. */
  static async open(options: Partial<AppOptions> = {}, credential?: () => string): Promise<Served> {
    let served: Served | undefined;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 60,
      fetch(request, own) {
        const { app } = present(served, "the world").world;
        if (!credential) return app.fetch(request, own);
        const headers = new Headers(request.headers);
        headers.set("authorization", `Bearer ${credential()}`);
        return app.fetch(new Request(request, { headers }), own);
      },
    });
    const world = await World.open(undefined, { ...options, baseUrl: `http://127.0.0.1:${server.port}` });
    served = new Served(server, world);
    return served;
  }

  get url(): URL {
    return new URL("/mcp", this.server.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
    await this.world[Symbol.asyncDispose]();
  }
}
