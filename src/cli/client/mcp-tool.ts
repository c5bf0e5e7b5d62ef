import type { Static, TObject } from "@sinclair/typebox";
import { CommandError } from "../io.ts";
import { type Api, conforms, parsed } from "./http.ts";
import { harmless } from "./screen.ts";

/** What of an answer at `/mcp` a single call looks at. */
interface Message {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text?: string }[];
  };
  readonly error?: { readonly message?: string };
}

/** The message of a body that is JSON, or a stream of events whose last one it is. */
function messageIn(text: string): Message | undefined {
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => data);
  const message = parsed(events.at(-1) ?? text);
  return typeof message === "object" && message !== null ? message : undefined;
}

interface ToolError {
  readonly code?: string;
  readonly message?: string;
  readonly next?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** 402 and its kin end the command as they do over REST. */
const exitFor = (code: string | undefined): 1 | 3 | 4 =>
  code === "quota_exceeded" || code === "insufficient_credits" ? 4 : code === "missing_scope" ? 3 : 1;

function refusal(text: string): CommandError {
  const body = parsed(text);
  const error = typeof body === "object" && body !== null && "error" in body ? (body.error as ToolError) : {};
  const { code, message = text, next, details = [] } = error;
  const lines = [
    code === undefined ? message : `${message} (${code})`,
    ...details.map((one) => `  ${one.path} ${one.message}`),
  ];
  return new CommandError(exitFor(code), harmless(lines.join("\n")), next === undefined ? undefined : harmless(next));
}

/**
 * Calls a tool of the server: for what is served over MCP alone. The value by the tool's output schema. It takes an API
 * key, which `assay login` makes too. Throws `ApiError`, and `CommandError` with the tool's own words.
 */
export async function callTool<S extends TObject>(
  api: Api,
  name: string,
  given: object,
  schema: S,
): Promise<Static<S>> {
  const text = await api.request("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
    headers: { accept: "application/json, text/event-stream" },
  });
  const { result, error } = messageIn(text) ?? {};
  const said = result?.content?.[0]?.text ?? error?.message ?? "The server's answer is none of MCP.";
  if (!result || result.isError) throw refusal(said);
  if (conforms(schema, result.structuredContent)) return result.structuredContent;
  throw new CommandError(1, `The answer of ${name} is none that this version knows.`);
}
