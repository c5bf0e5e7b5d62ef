import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { version } from "../../../package.json";
import { hour, minute } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { suggestions } from "../../platform/suggest.ts";
import { problems } from "../../platform/validate.ts";
import { checkKey, IdempotencyKey, idempotencyMeta } from "./idempotency.ts";
import { listed } from "./listed.ts";
import type { Meter } from "./meter.ts";
import { type Prompt, prompts } from "./prompts.ts";
import type { ToolRegistry } from "./registry.ts";
import { type Resources, resourceTemplates } from "./resources.ts";
import { withoutSeparators } from "./separators.ts";
import { type Call, type Caller, internalError, type Tool, type ToolError, toolErrorOf } from "./tool.ts";

export { preloadSchemas } from "@modelcontextprotocol/server";

/**
 * The adapter to the MCP SDK, and the only file that knows it. Each request gets its own server, built from the same
 * registries for both generations of the protocol; no state outlives the request. Loaded on first use.
 */

export interface ProtocolServices {
  readonly tools: ToolRegistry;
  readonly resources: Resources;
  readonly meter: Meter;
  readonly log: Log;
  readonly runtime: Pick<Runtime, "nextTurn">;
}

/** Resolves when a message may start. */
type Turn = () => Promise<void>;

/**
 * Starts the messages of a batch one after another, each in its own turn of the event loop, because fifty at once would
 * block it for up to 70 ms. They do not wait for each other's response, and the first one starts at once.
 */
function turnsOf({ nextTurn }: Pick<Runtime, "nextTurn">): Turn {
  let last: Promise<void> | undefined;
  return () => {
    last = last ? last.then(nextTurn) : Promise.resolve();
    return last;
  };
}

/** Handles a request of an authenticated caller. `body` is the parsed request body. */
export type Protocol = (request: Request, body: unknown, caller: Caller) => Promise<Response>;

const instructions =
  "Assay sells governed financial-intelligence work for credits. Find it with list_use_cases and list_capabilities, read the contract with get_capability, get the maximum price before anything is run (quote_use_case, or maximum_run_credits in the contract), ask the person for consent, run once (run_use_case, or the capability's own tool), then check result and charges with get_run and get_credits. Discovery is free and grants no access. An error names its code and what to do next.";

/** How long clients may cache responses. All of them depend on the caller, so they are private and short-lived. */
const cacheHints = {
  "server/discover": { ttlMs: hour, cacheScope: "private" },
  "tools/list": { ttlMs: minute, cacheScope: "private" },
  "prompts/list": { ttlMs: hour, cacheScope: "private" },
  "resources/list": { ttlMs: 5 * minute, cacheScope: "private" },
  "resources/templates/list": { ttlMs: hour, cacheScope: "private" },
  "resources/read": { ttlMs: minute, cacheScope: "private" },
} as const;

/**
 * The server never sends requests to the client, so there are no responses to validate. The SDK's default validator is
 * slow to create.
 */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "nothing was asked" }),
};

const wrongParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

const failed = (error: ToolError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: JSON.stringify({ error }) }],
});

function idempotencyKey(given: unknown): string | undefined {
  checkKey(IdempotencyKey, given);
  return typeof given === "string" ? given : undefined;
}

function callOf(caller: Caller, { mcpReq }: ServerContext): Call {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...caller,
    signal: mcpReq.signal,
    idempotency_key: idempotencyKey(mcpReq._meta?.[idempotencyMeta]),
    async progress(progress, total, message) {
      if (progressToken === undefined) return;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total, message } });
    },
  };
}

async function callTool(
  { meter, log }: ProtocolServices,
  tool: Tool,
  given: unknown,
  caller: Caller,
  context: ServerContext,
) {
  let isFailure = true;
  try {
    const answer = await tool.run(given, callOf(caller, context));
    const [wrong] = tool.output ? problems(tool.output, answer.value, "") : [];
    if (wrong) throw new Error(`${tool.name} answered what its output schema does not allow, at ${wrong.path || "/"}`);
    isFailure = false;
    const content = [{ type: "text" as const, text: answer.text }];
    return { content, ...(tool.output && { structuredContent: answer.value }) };
  } catch (error) {
    const told = toolErrorOf(error, tool);
    if (!told) log.error("a tool failed", { tool: tool.name, error });
    return failed(told ?? internalError);
  } finally {
    await meter(caller.principal, tool.name, isFailure);
  }
}

function serveTools(server: Server, services: ProtocolServices, caller: Caller, turn: Turn): void {
  const { tools } = services;
  server.setRequestHandler("tools/list", async () => {
    await turn();
    return { tools: tools.listed(caller).map(listed) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    await turn();
    const tool = tools.find(params.name, caller);
    if (!tool) throw wrongParams("Unknown tool. See tools/list.");
    return callTool(services, tool, params.arguments ?? {}, caller, context);
  });
}

const mayRead = ({ principal }: Caller): boolean => principal.scopes.has("docs:read");

function serveResources(server: Server, { resources }: ProtocolServices, caller: Caller, turn: Turn): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    await turn();
    if (!mayRead(caller)) return { resources: [] };
    const told = await resources.list(caller, params?.cursor).catch((error: unknown) => {
      throw toolErrorOf(error)
        ? wrongParams("The cursor is not from this list. Leave it out to start at the beginning.")
        : error;
    });
    return { resources: told.resources, ...(told.next !== undefined && { nextCursor: told.next }) };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: mayRead(caller) ? resourceTemplates.map((template) => ({ ...template })) : [],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    await turn();
    const found = mayRead(caller) ? await resources.read(uri, caller) : undefined;
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] };
  });
}

/**
 * Returns a prompt with its arguments filled in. An unknown slug is an invalid argument and is reported with
 * suggestions.
 */
async function filledIn(
  prompt: Prompt,
  values: Readonly<Record<string, string>>,
  resources: Resources,
  caller: Caller,
): Promise<string> {
  const missing = prompt.arguments.filter(({ name, required }) => required && !values[name]);
  if (missing.length > 0) throw wrongParams(`Missing: ${missing.map(({ name }) => name).join(", ")}.`);
  for (const { name, template } of mayRead(caller) ? prompt.arguments : []) {
    const slug = values[name] ?? "";
    if (
      template === undefined ||
      (await resources.read(
        template.replace("{slug}", () => slug),
        caller,
      ))
    )
      continue;
    const meant = suggestions(slug, await resources.complete(template, "", caller));
    throw wrongParams(`${name} is unknown.${meant.length > 0 ? ` Did you mean ${meant.join(", ")}?` : ""}`);
  }
  return prompt.text(values);
}

function servePrompts(server: Server, { resources }: ProtocolServices, caller: Caller, turn: Turn): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given.map(({ template: _, ...argument }) => argument),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    await turn();
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt) throw wrongParams("Unknown prompt. See prompts/list.");
    const text = await filledIn(prompt, params.arguments ?? {}, resources, caller);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    await turn();
    const template =
      ref.type === "ref/resource"
        ? resourceTemplates.find(({ uriTemplate }) => uriTemplate === ref.uri)?.uriTemplate
        : prompts.find(({ name }) => name === ref.name)?.arguments.find(({ name }) => name === argument.name)?.template;
    const values = template && mayRead(caller) ? await resources.complete(template, argument.value, caller) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

/** Creates the handler for both generations of the protocol. */
export function createProtocol(services: ProtocolServices): Protocol {
  const callers = new WeakMap<AuthInfo, Caller>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo && callers.get(authInfo);
      if (!caller) throw new Error("a request is handed over with its caller");
      const server = new Server(
        { name: "assay", title: "Assay", version },
        {
          capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
          instructions,
          jsonSchemaValidator: noValidator,
          cacheHints,
        },
      );
      const turn = turnsOf(services.runtime);
      serveTools(server, services, caller, turn);
      serveResources(server, services, caller, turn);
      servePrompts(server, services, caller, turn);
      return server;
    },
    { onerror: (error) => services.log.debug("an MCP request was refused", { error: error.name }) },
  );
  return async (request, body, caller) => {
    // The SDK passes this object through unchanged; its members are never read.
    const authInfo: AuthInfo = { token: "", clientId: caller.principal.user_id, scopes: [...caller.principal.scopes] };
    callers.set(authInfo, caller);
    return withoutSeparators(await handler.fetch(request, { authInfo, parsedBody: body }));
  };
}
