import type { Server } from "bun";
import type { Settings } from "../config/settings.ts";
import { second } from "../platform/clock.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { keepAliveMs } from "../web/sse.ts";
import { CommandError } from "./io.ts";
import { readTls, type Tls } from "./tls.ts";

/** Room above the body limit, so that it is the API that answers 413, with its own body, and not Bun with an empty one. */
const bodyMargin = 64 * 1024 * 1024;
/** Seconds after which an idle connection is closed: a stream that keeps silent is none, and no wait lasts longer. */
const idleTimeout = (5 * keepAliveMs) / second;

export type Handler = (request: Request, server: Server<undefined>) => MaybePromise<Response>;

/** Where a server is to listen. */
type Address = Pick<Settings, "host" | "port">;

/** Bun's own choice lets another server share the port: callers would reach one of the two at random. */
const exclusive = { reusePort: false } as const;

/** What the server and doctor say of an address that can't be had; anything else as it is. Doctor takes no such options. */
function explained(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new CommandError(
      1,
      `port ${port} of ${host} is in use`,
      "Stop what listens there, or start the server with another --port.",
    );
  if (code === "EACCES")
    return new CommandError(
      1,
      `port ${port} of ${host} is not allowed to this user`,
      "Start the server with --port 1024 or above.",
    );
  if (code === "EADDRNOTAVAIL")
    return new CommandError(1, `${host} is no address of this machine`, "Start the server with another --host.");
  // What a name that nothing is known of comes to: `no such file or directory` would mislead.
  if (code === "ENOENT")
    return new CommandError(1, `${host} is a name without an address`, "Start the server with another --host.");
  // What remains of the system's own codes: for a host that names nothing it has several. Bun's begin with ERR_.
  if (!(error instanceof Error) || typeof code !== "string" || code.startsWith("ERR_")) return error;
  return new CommandError(
    1,
    `nothing can listen on ${host}: ${error.message}`,
    "Start the server with another --host.",
  );
}

/** Listens there and stops at once. Answers the port: one that is free where the address says 0. Throws the system's error. */
export async function probe({ host, port }: Address): Promise<number> {
  const server = Bun.serve({ hostname: host, port, ...exclusive, fetch: () => new Response(null, { status: 503 }) });
  await server.stop(true);
  return server.port ?? port;
}

/** Why nothing could listen there now, with what to do; undefined where something could. Doctor asks: the port stays free. */
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

/** The socket of `assay serve`. It speaks TLS where the settings name a certificate, and takes a renewed one while it serves. */
export class Listener {
  private server: Server<undefined>;
  /** Those whose last requests are still under way: each has a certificate of its own. */
  private readonly retired = new Set<Server<undefined>>();
  readonly port: number;

  /** Throws `CommandError`: exit 1 where the port can't be had, exit 2 where the certificate is no use. */
  constructor(
    private readonly settings: Settings,
    private handler: Handler,
    /** Answers what a handler throws. */
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
      // Else an error that nothing answers is a page with our sources on it.
      development: false,
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
    });
  }

  /** From now on requests go to this one. */
  serve(handler: Handler): void {
    this.handler = handler;
  }

  /**
   * Reads the certificate again, for new connections; those that are open go on with theirs. Returns until when it is
   * valid, undefined where no TLS is spoken. Throws `CommandError` where it is no use: the old one stays.
   */
  renew(): string | undefined {
    const tls = readTls(this.settings);
    if (!tls) return undefined;
    const old = this.server;
    this.retired.add(old);
    // The port is free at once, and taken again in the same turn.
    void old.stop(false).then(() => this.retired.delete(old));
    this.server = this.open(this.port, tls);
    return tls.certificate.validTo;
  }

  /** Requests that are not answered yet. */
  pending(): number {
    return [this.server, ...this.retired].reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  /** Accepts nothing more; with `isNow`, what is under way is cut off. Resolves when every connection is closed. */
  async stop(isNow: boolean): Promise<void> {
    await Promise.all([this.server, ...this.retired].map((server) => server.stop(isNow)));
  }
}
