/** What the endpoint checks first: the name that it was called by (`Host`), and the page (`Origin`). */

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** A host as it was sent, in the form in which URLs write it; undefined where it is none. */
function canonicalHost(given: string, protocol: string): string | undefined {
  const url = URL.parse(`${protocol}//${given}`);
  return url && url.pathname === "/" && !url.search && !url.hash && !url.username && !given.includes("@")
    ? url.host
    : undefined;
}

/** The installation's host; where that is this machine's own, by its other names too. */
function hostsOf(base: URL): ReadonlySet<string> {
  if (!loopback.includes(base.hostname)) return new Set([base.host]);
  const port = base.port && `:${base.port}`;
  return new Set(loopback.map((name) => name + port));
}

export interface Gate {
  /** A refusal for a request that a page elsewhere has sent, or that was sent to another host's name. */
  refusal(request: Request): Response | undefined;
  /** What lets the page of a configured origin read the answer. */
  corsHeaders(request: Request): Readonly<Record<string, string>>;
}

export interface GateOptions {
  readonly baseUrl: string;
  /** Origins of pages that may call, besides our own. */
  readonly origins: readonly string[];
}

const forbidden = (message: string): Response => rpcError(403, -32_000, message);

/** An error before the SDK has seen the message; without an id where there is no one request to answer. */
export const rpcError = (status: number, code: number, message: string, id: string | number | null = null): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });

/** Made once, for the address that the installation is known by. */
export function createGate({ baseUrl, origins }: GateOptions): Gate {
  const base = new URL(baseUrl);
  const hosts = hostsOf(base);
  const own = new Set([...hosts].map((host) => `${base.protocol}//${host}`));
  const foreign = new Set(origins);

  return {
    refusal(request) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      if (!hosts.has(canonicalHost(host, base.protocol) ?? ""))
        return forbidden("This is not the host of this server.");
      const origin = request.headers.get("origin");
      if (origin !== null && !own.has(origin) && !foreign.has(origin))
        return forbidden("Pages of this origin may not call this server.");
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
