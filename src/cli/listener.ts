import type { Server } from "bun";
import type { Settings } from "../config/settings.ts";
import { second } from "../platform/clock.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { keepAliveMs } from "../web/sse.ts";
import { CommandError } from "./io.ts";
import { readTls, type Tls } from "./tls.ts";

/** Bytes that Bun accepts above the body limit, so that the API answers 413 with an error body, not Bun with none. */
const bodyMargin = 64 * 1024 * 1024;
/** Seconds after which an idle connection is closed. Longer than any wait and any silence of a stream. */
const idleTimeout = (5 * keepAliveMs) / second;

export type Handler = (request: Request, server: Server<undefined>) => MaybePromise<Response>;

/** The address that a server listens on. */
type Address = Pick<Settings, "host" | "port">;

/** Bun's default would let another server share the port, and callers would reach either one at random. */
const exclusive = { reusePort: false } as const;

/** Explains an unusable address; returns other errors unchanged. `doctor` prints it too, but has no `--port`. */
function explained(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new CommandError(
      1,
      `port ${port} on ${host} is in use`,
      "Stop what listens there, or start the server with another --port.",
    );
  if (code === "EACCES")
    return new CommandError(
      1,
      `this user may not listen on port ${port} of ${host}`,
      "Start the server with --port 1024 or above. A service may use it after `assay service install`, with the port set.",
    );
  if (code === "EADDRNOTAVAIL")
    return new CommandError(1, `${host} is not an address of this machine`, "Start the server with another --host.");
  // An unknown host name. The system's own `no such file or directory` would mislead.
  if (code === "ENOENT")
    return new CommandError(1, `${host} can't be resolved to an address`, "Start the server with another --host.");
  // Other system codes: an invalid host can give several. Bun's own codes begin with ERR_.
  if (!(error instanceof Error) || typeof code !== "string" || code.startsWith("ERR_")) return error;
  return new CommandError(1, `can't listen on ${host}: ${error.message}`, "Start the server with another --host.");
}

/** Listens on the address, stops at once and returns the port, a free one for 0. Throws the system's error. */
export async function probe({ host, port }: Address): Promise<number> {
  const server = Bun.serve({ hostname: host, port, ...exclusive, fetch: () => new Response(null, { status: 503 }) });
  await server.stop(true);
  return server.port ?? port;
}

/** Returns why the address can't be used, with advice; `undefined` if it is free. Leaves the port free. */
export async function addressTrouble(address: Address): Promise<CommandError | undefined> {
  try {
    await probe(address);
    return undefined;
  } catch (error) {
    const reason = explained(error, address);
    if (reason instanceof CommandError) return reason;
    throw reason;
  }
}

/** The socket of `assay serve`. Uses TLS if a certificate is configured, and can reload it while serving. */
export class Listener {
  private server: Server<undefined>;
  /** Servers with an earlier certificate whose last requests are still running. */
  private readonly retired = new Set<Server<undefined>>();
  readonly port: number;

  /** Throws exit 1 if the port can't be used and exit 2 if the certificate can't. */
  constructor(
    private readonly settings: Settings,
    private handler: Handler,
    /** Returns the response to an error that a handler throws. */
    private readonly failed: (error: unknown) => Response,
  ) {
    try {
      this.server = this.open(settings.port, readTls(settings));
    } catch (error) {
      throw explained(error, settings);
    }
    this.port = this.server.port ?? settings.port;
  }

  private open(port: number, tls: Tls | undefined): Server<undefined> {
    return Bun.serve({
      hostname: this.settings.host,
      port,
      ...exclusive,
      maxRequestBodySize: this.settings.body_limit + bodyMargin,
      idleTimeout,
      fetch: (request, own) => this.handler(request, own),
      error: (error) => this.failed(error),
      // Otherwise Bun answers an unhandled error with a page that shows source code.
      development: false,
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
    });
  }

  /** Sets the handler of all further requests. */
  serve(handler: Handler): void {
    this.handler = handler;
  }

  /**
   * Reloads the certificate for new connections; open ones keep theirs. Returns its expiry, or `undefined` without TLS.
   * Throws `CommandError`, and keeps the old one, if it can't be used.
   */
  renew(): string | undefined {
    const tls = readTls(this.settings);
    if (!tls) return undefined;
    const old = this.server;
    this.retired.add(old);
    // The port is released at once and taken again in the same tick.
    void old.stop(false).then(() => this.retired.delete(old));
    this.server = this.open(this.port, tls);
    return tls.certificate.validTo;
  }

  /** Returns the number of requests that are not answered yet. */
  pending(): number {
    return [this.server, ...this.retired].reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  /** Stops accepting requests; with `isNow`, aborts the running ones. Resolves when every connection is closed. */
  async stop(isNow: boolean): Promise<void> {
    await Promise.all([this.server, ...this.retired].map((server) => server.stop(isNow)));
  }
}
