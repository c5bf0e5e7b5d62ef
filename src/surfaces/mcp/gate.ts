/** The endpoint's first checks: the server's name in `Host`, and the calling page in `Origin`. */

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** Returns a `Host` value in the form that URLs use; undefined if it is invalid. */
function canonicalHost(given: string, protocol: string): string | undefined {
  const url = URL.parse(`${protocol}//${given}`);
  return url && url.pathname === "/" && !url.search && !url.hash && !url.username && !given.includes("@")
    ? url.host
    : undefined;
}

/** Returns the installation's host. If it is a loopback name, returns all loopback names. */
function hostsOf(base: URL): ReadonlySet<string> {
  if (!loopback.includes(base.hostname)) return new Set([base.host]);
  const port = base.port && `:${base.port}`;
  return new Set(loopback.map((name) => name + port));
}

export interface Gate {
  /** Returns a refusal if the request comes from a foreign page or was sent to another host name. */
  refusal(request: Request): Response | undefined;
  /** Returns the headers that let a page of a configured origin read the response. */
  corsHeaders(request: Request): Readonly<Record<string, string>>;
}

export interface GateOptions {
  readonly baseUrl: string;
  /** Origins of pages that may call the endpoint, in addition to the installation's own. */
  readonly origins: readonly string[];
}

const forbidden = (message: string): Response => rpcError(403, -32_000, message);

/**
 * Returns an error for a message that has not reached the SDK; `id` is null if there is no single request to answer.
 */
export const rpcError = (status: number, code: number, message: string, id: string | number | null = null): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });

/** Creates the gate for the installation's address. */
export function createGate({ baseUrl, origins }: GateOptions): Gate {
  const base = new URL(baseUrl);
  const hosts = hostsOf(base);
  const own = new Set([...hosts].map((host) => `${base.protocol}//${host}`));
  const foreign = new Set(origins);

  return {
    refusal(request) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      if (!hosts.has(canonicalHost(host, base.protocol) ?? ""))
        return forbidden("The Host header does not name this server.");
      const origin = request.headers.get("origin");
      if (origin !== null && !own.has(origin) && !foreign.has(origin))
        return forbidden("Pages from this origin may not call this server.");
      return undefined;
    },
    corsHeaders(request) {
      const origin = request.headers.get("origin");
      if (origin === null || !foreign.has(origin)) return {};
      return {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "WWW-Authenticate, X-Request-Id, Mcp-Session-Id",
        vary: "Origin",
      };
    },
  };
}
