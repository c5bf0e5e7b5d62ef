import { errorCodes } from "../../src/platform/errors.ts";
import { canary } from "./hostile.ts";

/** A request that no honest client sends, and its permitted responses. */
export interface Probe {
  /** The operation, as named in findings. */
  readonly on: string;
  readonly what: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Permitted statuses; if absent, any below 500. */
  readonly statuses?: readonly number[];
  /** Whether errors must be JSON with a documented error code. */
  readonly house?: boolean;
  /** Whether the protocol requires errors to echo the input. */
  readonly echoes?: boolean;
  /** Whether it counts as a failed sign-in, of which an address has few a minute; such probes run last. */
  readonly guesses?: boolean;
}

export interface Finding {
  readonly on: string;
  readonly what: string;
  readonly problem: string;
}

/** Timeout of a request; no response takes this long. */
const patienceMs = 15_000;
/** Statuses returned before routing, by the edge or the HTTP parser. */
const anywhere = [400, 405, 413, 431];
const unavailable = ["capability_runs_disabled", "sign_in_unavailable", "database_unavailable"];

/**
 * JSON-RPC's internal error, unless it lists invalid parameters, which is how the SDK reports some callers' mistakes.
 */
const protocolTrouble = /"code":-32603,"message":"(?!\[\\n)/;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the product's error code in a response body, or `undefined` if there is none. */
function codeOf(body: unknown): string | undefined {
  const error = isRecord(body) ? body.error : undefined;
  const code = isRecord(error) ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Returns the response without the paths of its details, which contain property names of the request. */
function withoutPlaces(body: unknown, text: string): string {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || !Array.isArray(error.details)) return text;
  const details = error.details.map((detail: unknown) => (isRecord(detail) ? detail.message : detail));
  return JSON.stringify({ ...error, details });
}

function problemOf(probe: Probe, status: number, type: string, text: string): string | undefined {
  const body = parsed(text);
  const code = codeOf(body);
  if (status >= 500 && !(status === 503 && code !== undefined && unavailable.includes(code)))
    return `status ${status} ${code ?? ""}`;
  // Rejected by the HTTP parser, before there is a request.
  if ((status === 400 || status === 431) && text === "") return undefined;
  if (probe.statuses && ![...probe.statuses, ...anywhere].includes(status)) return `status ${status} is not declared`;
  if (probe.path === "/mcp" && protocolTrouble.test(text)) return "an internal error of the protocol";
  if (status < 400) return undefined;
  if (probe.house && !(errorCodes as readonly (string | undefined)[]).includes(code))
    return `status ${status} without a code of the catalogue (${type})`;
  if (!probe.echoes && withoutPlaces(body, text).includes(canary)) return `status ${status} echoes what was sent`;
  if (text.length > 20_000) return `status ${status} in ${text.length} characters`;
  return undefined;
}

/** Sends the probe. Returns the status, and the finding if there is one. */
export async function send(base: string, probe: Probe): Promise<{ status?: number; finding?: Finding }> {
  const { on, what, method, path, headers = {}, body } = probe;
  const found = (problem: string) => ({ finding: { on, what, problem } });
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const sent = { method, headers, redirect: "manual" as const, signal, ...(body !== undefined && { body }) };
    const answer = await fetch(base + path, sent);
    const text = await answer.text();
    const problem = problemOf(probe, answer.status, answer.headers.get("content-type") ?? "", text);
    return { status: answer.status, ...(problem !== undefined && found(problem)) };
  } catch (error) {
    if (signal.aborted) return found(`no answer within ${patienceMs} ms`);
    return found(`no answer: ${error instanceof Error ? error.message : "unknown"}`);
  }
}
