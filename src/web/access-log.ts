import type { Level } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import { type Answered, type Observer, routeOf } from "./observe.ts";
import { contextOf } from "./request-context.ts";

export interface AccessLogOptions {
  readonly runtime: Pick<Runtime, "now" | "soon">;
  readonly level: Level;
  readonly format: "json" | "text";
  /** Receives whole lines. */
  readonly write: (lines: string) => void;
}

/** Length of an API key's public prefix, as lists show it: `assay_sk_` and eight characters. */
const prefixLength = 17;

function keyPrefix({ request }: Answered): string | null {
  if (contextOf(request).principal?.kind !== "key") return null;
  return request.headers.get("authorization")?.slice(7, 7 + prefixLength) ?? null;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/**
 * Concatenated by hand because it runs for every request. It needs no escaping: it contains only the route's pattern
 * and fixed words.
 */
function jsonLine(at: number, level: Level, answered: Answered): string {
  const { request, status, ms } = answered;
  const key = keyPrefix(answered);
  const route = routeOf(request);
  return `{"at":"${new Date(at).toISOString()}","level":"${level}","message":"request","request_id":"${contextOf(request).id}","method":"${request.method}","route":${route === null ? null : `"${route}"`},"status":${status},"ms":${rounded(ms)},"key":${key === null ? null : `"${key}"`}}\n`;
}

function textLine(at: number, _level: Level, answered: Answered): string {
  const { request, status, ms } = answered;
  const route = routeOf(request) ?? "-";
  return `${new Date(at).toISOString()} ${request.method} ${route} ${status} ${rounded(ms)}ms ${keyPrefix(answered) ?? "-"} ${contextOf(request).id}\n`;
}

/** Creates an access log with one line per request. Lines of one event-loop turn are written together. */
export function createAccessLog({ runtime, level, format, write }: AccessLogOptions): Observer {
  const line = format === "json" ? jsonLine : textLine;
  let lines = "";
  const flush = () => {
    const whole = lines;
    lines = "";
    write(whole);
  };
  return (answered) => {
    if (lines === "") runtime.soon(flush);
    lines += line(runtime.now(), level, answered);
  };
}
