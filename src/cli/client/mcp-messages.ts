import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { certificateTrouble } from "./transport.ts";

/** The parts of MCP messages that the bridge between stdio and HTTP reads. */

export interface PendingRequest {
  readonly method: string;
  /** Whether it is of revision 2026-07-28 or later, which each such request states. */
  readonly modern: boolean;
  readonly abort: AbortController;
}

const versionMember = "io.modelcontextprotocol/protocolVersion";

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Returns the protocol revision that a request states; `undefined` for requests of the older generation. */
export function claimOf(message: unknown): string | undefined {
  const claim = member(member(member(message, "params"), "_meta"), versionMember);
  return typeof claim === "string" ? claim : undefined;
}

/** The parameter that names a request's subject, by its method. */
const subjects: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Encodes a header value. Text that a header can't hold becomes base64, marked as such (SEP-2243). */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Returns the headers that repeat what a request of the newer generation states, for proxies to route it by. */
export function headersFor(message: unknown): [name: string, value: string][] {
  const version = claimOf(message);
  const method = member(message, "method");
  if (version === undefined || typeof method !== "string" || member(message, "id") === undefined) return [];
  const subject = Object.hasOwn(subjects, method)
    ? member(member(message, "params"), subjects[method] ?? "")
    : undefined;
  return [
    ["mcp-protocol-version", version],
    ["mcp-method", method],
    ...(typeof subject === "string" ? [["mcp-name", headerValue(subject)] satisfies [string, string]] : []),
  ];
}

/** Returns the id of the request that a message answers; `undefined` if it is not an answer. */
export const answered = (message: JSONRPCMessage): RequestId | undefined =>
  "result" in message || "error" in message ? message.id : undefined;

/** Returns whether the connection was refused, so that nothing was sent. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ConnectionRefused", "ECONNREFUSED"].includes(String(error.code));

/** Explains why a request was not answered, and what the user of the client can do. */
export function reasonFor(error: unknown, origin: string): string {
  if (isRefused(error))
    return `No server answers at ${origin}. Start it, or correct --base-url in the client's settings.`;
  const distrust = certificateTrouble(error, origin);
  if (distrust) return `${distrust.message} ${distrust.hint}`;
  return error instanceof Error ? error.message : String(error);
}

/** JSON-RPC reserves -32000 to -32099 for servers. */
const serverError = -32_000;

/** Returns the error answer to a request, from a JSON-RPC error, an API error body or a text. */
export function failureFor(id: RequestId, why: unknown, status?: number): JSONRPCMessage {
  const error = member(why, "error");
  const code = member(error, "code");
  const said = member(error, "message");
  if (typeof code === "number" && typeof said === "string") {
    const data = member(error, "data");
    return { jsonrpc: "2.0", id, error: { code, message: said, ...(data !== undefined && { data }) } };
  }
  const words = typeof said === "string" ? said : typeof why === "string" ? why : `The server answered ${status}.`;
  const advice = status === 401 ? " Run `assay login` in a terminal." : "";
  const data = { ...(status !== undefined && { status }), ...(typeof code === "string" && { code }) };
  return { jsonrpc: "2.0", id, error: { code: serverError, message: words + advice, data } };
}
