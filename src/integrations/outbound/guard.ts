import type { IncomingMessage } from "node:http";
import { net } from "../../platform/builtins.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { isPublicAddress } from "./addresses.ts";
import { createTurns } from "./turns.ts";
import {
  botName,
  type Outbound,
  OutboundError,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from "./types.ts";
import { authorityOf, checkParsed, checkText, effectivePort, hostOf, notAllowed, type UrlRules } from "./url.ts";

const usualPorts = [80, 443];
const redirectsMax = 5;
const requestsPerHost = 6;
const connectTimeout = 10_000;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers that the guard sets itself; a caller's values are dropped. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/;
/** Headers that may be sent to another origin. Any other may be a credential. */
const harmless = new Set(["accept", "accept-language", "accept-encoding", "user-agent", "content-type"]);

/** The encodings that `body.ts` decompresses. */
const acceptedEncodings = "gzip, deflate, br";

/** Connection and decompression code, loaded at the first request: checking an address needs neither. */
const wire = async () => {
  const [{ exchange }, { readBody }] = await Promise.all([import("./exchange.ts"), import("./body.ts")]);
  return { exchange, readBody };
};

/** What changes with each redirect. */
interface Step {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** Rejects when the signal aborts, whether or not the work itself observes it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

function firstStep(url: URL, request: OutboundRequest, userAgent: string): Step {
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) if (ownHeaders.test(name)) headers.delete(name);
  headers.set("accept-encoding", acceptedEncodings);
  if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
  const body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  if (body) headers.set("content-length", String(body.byteLength));
  return { url, method: request.method ?? "GET", headers, body };
}

/** Returns the request that follows a redirect (RFC 9110, 15.4). Throws `url_not_allowed`. */
function nextStep(step: Step, status: number, location: string, rules: UrlRules): Step {
  // Non-ASCII bytes arrive as Latin-1; servers that send them mean UTF-8.
  const parsed = URL.parse(Buffer.from(location, "latin1").toString("utf8"), step.url.href);
  if (!parsed) throw notAllowed("The host redirects to an invalid address.");
  const url = checkParsed(parsed, rules);
  if (step.url.protocol === "https:" && url.protocol === "http:")
    throw notAllowed("The host redirects from https to http.");
  const turnsToGet =
    (status === 303 && step.method !== "HEAD") || ((status === 301 || status === 302) && step.method === "POST");
  const headers = new Headers(step.headers);
  if (url.origin !== step.url.origin) {
    if (step.body && !turnsToGet) throw notAllowed("The host redirects the request body to another host.");
    for (const name of [...headers.keys()]) if (!harmless.has(name)) headers.delete(name);
  }
  if (!turnsToGet) return { ...step, url, headers };
  headers.delete("content-length");
  headers.delete("content-type");
  return { url, method: "GET", headers, body: undefined };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    try {
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    } catch {
      // Invalid headers are ignored.
    }
  return headers;
}

function checkContentType(headers: Headers, taken: readonly string[] | undefined): void {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (taken && !taken.includes(type ?? ""))
    throw new OutboundError("content_type", "The response has an unsupported content type.", false);
}

function hasBody(method: string, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/** Returns the addresses to connect to, all of them checked. */
async function addressesOf(
  url: URL,
  { allowed }: UrlRules,
  runtime: Pick<Runtime, "resolveHost">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostOf(url);
  if (net().isIP(host) !== 0) return [host];
  const addresses = await orAborted(
    (async () => runtime.resolveHost(host))().catch((error: unknown) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      throw new OutboundError("unresolvable", "The host name can't be resolved.", !/NOTFOUND|NODATA/.test(code));
    }),
    signal,
  );
  const isOpen = allowed.has(`${host}:${effectivePort(url)}`);
  if (!addresses.every((address) => (isOpen ? net().isIP(address) !== 0 : isPublicAddress(address))))
    throw notAllowed("The host name resolves to an address outside the public internet.");
  if (addresses.length === 0) throw new OutboundError("unresolvable", "The host name can't be resolved.", false);
  return [...new Set(addresses)];
}

/**
 * Creates the guard, once per installation in `src/app.ts`. Throws `TypeError` if an entry of `allow_private` is not
 * host:port.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const rules: UrlRules = {
    allowed: new Set(options.allow_private?.map(authorityOf)),
    ports: new Set(options.ports ?? usualPorts),
  };
  const takeTurn = createTurns(requestsPerHost);
  const { runtime, trusted_certificates = [], connect_timeout_ms = connectTimeout } = options;

  async function hop(step: Step, request: OutboundRequest, signal: AbortSignal, redirectsLeft: number) {
    const { policy, max_bytes, content_types } = request;
    if (policy?.https_only && step.url.protocol !== "https:") throw notAllowed("Only https addresses are fetched.");
    if (policy?.allow_hop && !(await orAborted(Promise.resolve(policy.allow_hop(new URL(step.url))), signal)))
      throw notAllowed("This request may not fetch that address.");
    const { exchange, readBody } = await wire();
    const giveBack = await takeTurn(step.url.host, signal);
    let message: IncomingMessage | undefined;
    try {
      const addresses = await addressesOf(step.url, rules, runtime, signal);
      message = await exchange(
        { ...step, clock: runtime, signal, connect_timeout_ms, trusted_certificates },
        addresses,
      );
      const status = message.statusCode ?? 0;
      const location = message.headers.location;
      if (redirects.has(status) && location !== undefined && redirectsLeft >= 0) {
        if (redirectsLeft === 0) throw new OutboundError("too_many_redirects", "The host redirects too often.", false);
        return nextStep(step, status, location, rules);
      }
      const headers = headersOf(message);
      if (status >= 200 && status < 300) checkContentType(headers, content_types);
      const body = hasBody(step.method, status) ? await readBody(message, max_bytes) : new Uint8Array();
      return { status, headers, url: step.url.href, body };
    } finally {
      message?.destroy();
      giveBack();
    }
  }

  async function follow(start: Step, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const follows = Math.min(request.max_redirects ?? redirectsMax, redirectsMax);
    // Below zero, no redirect is followed, and the redirect itself is the response.
    let left = follows === 0 ? -1 : follows;
    for (let step = start; ; left--) {
      const outcome = await hop(step, request, signal, left);
      if ("status" in outcome) return outcome;
      step = outcome;
    }
  }

  return {
    checkUrl: (text) => checkText(text, rules),
    async fetch(url, request) {
      const start = typeof url === "string" ? checkText(url, rules) : checkParsed(new URL(url), rules);
      const deadline = new AbortController();
      const late = () => deadline.abort(new OutboundError("timeout", "The host took too long to respond.", true));
      const disarm = runtime.after(request.timeout_ms, late);
      const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
      try {
        return await follow(firstStep(start, request, options.user_agent ?? botName), request, signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        disarm();
      }
    },
  };
}
