import type { Static, TObject } from "@sinclair/typebox";
import { isErrorCode, statusOf } from "../../platform/errors.ts";
import { CommandError } from "../io.ts";
import { type Api, conforms, exitOf, parsed } from "./http.ts";
import { harmless } from "./screen.ts";

/** The parts of an answer from `/mcp` that a single call reads. */
interface Message {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text?: string }[];
  };
  readonly error?: { readonly message?: string };
}

/** Returns the message in a JSON body, or the last one in a stream of events. */
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

/** Returns the status of an error code over REST. `insufficient_credits` is a run's reason there, not an error. */
const statusFor = (code: string | undefined): number | undefined =>
  code === "insufficient_credits" ? 402 : isErrorCode(code) ? statusOf(code) : undefined;

/** Returns the tool's advice as a hint. Not for invalid arguments, where it refers to calls and details. */
const hintFor = ({ code, next }: ToolError): string | undefined =>
  code === "validation_error" || next === undefined ? undefined : harmless(next);

/** Turns a tool's error into the command's. Arguments are named as the caller gave them. */
function refusal(text: string, api: Api): CommandError {
  const body = parsed(text);
  const error = typeof body === "object" && body !== null && "error" in body ? (body.error as ToolError) : {};
  const { code, message = text, details = [] } = error;
  const lines = [
    code === undefined ? message : `${message} (${code})`,
    ...details.map((one) => `  ${api.given(one.path)} ${one.message}`),
  ];
  return new CommandError(exitOf(code, statusFor(code)), harmless(lines.join("\n")), hintFor(error));
}

/**
 * Calls a tool of the server, for features that only MCP offers, and returns its output, checked by the schema. Needs
 * an API key, which `assay login` also creates. Throws `ApiError`, and `CommandError` with the tool's own message.
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
  const said = result?.content?.[0]?.text ?? error?.message ?? "The server's answer is not an MCP message.";
  if (!result || result.isError) throw refusal(said, api);
  if (conforms(schema, result.structuredContent)) return result.structuredContent;
  throw new CommandError(1, `The answer of ${name} has a form that this version does not know.`);
}
