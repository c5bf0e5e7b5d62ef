import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { CommandError, type Io } from "../io.ts";
import { parsed } from "./http.ts";
import {
  answered,
  claimOf,
  failureFor,
  headersFor,
  isRefused,
  type PendingRequest,
  reasonFor,
} from "./mcp-messages.ts";
import { clientSettings } from "./settings.ts";
import { userAgent } from "./transport.ts";

export interface StdioOptions {
  readonly baseUrl?: string;
}

/** How long, in milliseconds, to retry a request that never reached the server, which may be restarting. */
const patienceMs = 20_000;
const retryMs = 250;
/** How long, in milliseconds, to wait for pending answers after the client has closed stdin. */
const drainMs = 50_000;

/** Returns the credential. It is read again after a 401, because the person may have signed in again. */
async function secretOf(io: Io, options: StdioOptions): Promise<string> {
  const { credential, baseUrl } = await clientSettings({ ...io, err: () => {} }, options);
  if (credential) return credential.secret;
  throw new CommandError(3, `You are not signed in to ${baseUrl}.`, "Run `assay login`, or set ASSAY_API_KEY.");
}

/**
 * Forwards messages between a client on stdio and the server's /mcp unchanged, and so supports both generations of the
 * protocol. Any failure becomes an error answer to its request.
 */
class Bridge {
  private readonly stdio = new StdioServerTransport();
  private readonly http: StreamableHTTPClientTransport;
  private readonly pending = new Map<RequestId, PendingRequest>();
  private readonly ended = Promise.withResolvers<void>();
  private lastLogged = "";

  constructor(
    private readonly io: Io,
    private readonly options: StdioOptions,
    private readonly url: URL,
    private secret: string,
  ) {
    const reconnectionOptions = {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 1_000,
    };
    this.http = new StreamableHTTPClientTransport(url, { fetch: this.fetch, reconnectionOptions });
  }

  /** Resolves when the client has disconnected. */
  async run(): Promise<void> {
    this.stdio.onmessage = (message) => void this.toServer(message);
    this.stdio.onerror = (error) => this.log(`A line on stdin is not a message: ${error.message}`);
    this.stdio.onclose = () => this.ended.resolve();
    this.http.onmessage = (message) => void this.toClient(message);
    this.http.onerror = (error) => this.log(reasonFor(error, this.url.origin));
    process.stdin.once("end", () => void this.drain());
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => this.ended.resolve());
    await this.http.start();
    await this.stdio.start();
    await this.ended.promise;
    await this.http.close();
    await this.stdio.close();
  }

  /** Logs a line unless it repeats the last one. */
  private log(line: string): void {
    if (line !== this.lastLogged) this.io.err(`assay mcp stdio: ${line}`);
    this.lastLogged = line;
  }

  private async drain(): Promise<void> {
    const deadline = this.io.runtime.elapsed() + drainMs;
    while (this.pending.size > 0 && this.io.runtime.elapsed() < deadline) await this.io.runtime.sleep(20);
    this.ended.resolve();
  }

  private async toServer(message: JSONRPCMessage): Promise<void> {
    if ("method" in message && "id" in message)
      this.pending.set(message.id, {
        method: message.method,
        modern: claimOf(message) !== undefined,
        abort: new AbortController(),
      });
    if ("method" in message && message.method === "notifications/cancelled" && this.cancel(message.params)) return;
    try {
      await this.http.send(message);
    } catch (error) {
      if ("method" in message && "id" in message) await this.fail(message.id, reasonFor(error, this.url.origin));
    }
  }

  /** Cancels a request by closing it, as the newer protocol does. Returns false if it must forward the notification. */
  private cancel(params: { readonly [name: string]: unknown } | undefined): boolean {
    const id = params?.requestId;
    const request = typeof id === "string" || typeof id === "number" ? this.pending.get(id) : undefined;
    if (!request?.modern) return false;
    this.pending.delete(id as RequestId);
    request.abort.abort();
    return true;
  }

  private async toClient(message: JSONRPCMessage): Promise<void> {
    const id = answered(message);
    if (id !== undefined) {
      const request = this.pending.get(id);
      this.pending.delete(id);
      if (request?.method === "initialize" && "result" in message) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === "string") this.http.setProtocolVersion(protocolVersion);
      }
    }
    await this.stdio.send(message);
  }

  /** Answers a request with an error, unless it has been answered. */
  private async fail(id: RequestId, why: string): Promise<void> {
    if (this.pending.delete(id)) await this.stdio.send(failureFor(id, why));
  }

  /** Sends a request to the server. An error status becomes an answer that the transport can forward. */
  private readonly fetch: FetchLike = async (url, init = {}) => {
    const message: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const headers = new Headers(init.headers);
    headers.set("user-agent", userAgent);
    for (const [name, value] of headersFor(message)) headers.set(name, value);
    const request = this.requestOf(message);
    const signal = AbortSignal.any(
      [init.signal, request?.[1].abort.signal].filter((one) => one instanceof AbortSignal),
    );
    const response = await this.attempt(url, { ...init, headers, signal });
    if (!request) return message !== undefined && !response.ok ? this.ignored(response) : response;
    if (!response.ok) return this.refusal(request[0], response);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return isStream && response.body ? this.watched(request[0], response, response.body) : response;
  };

  private requestOf(message: unknown): [RequestId, PendingRequest] | undefined {
    if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
    const id = message.id as RequestId;
    const request = this.pending.get(id);
    return request && [id, request];
  }

  /** Sends a request, retrying while the server is down, and with a newer key if the current one is refused. */
  private async attempt(url: string | URL, init: RequestInit): Promise<Response> {
    const deadline = this.io.runtime.elapsed() + patienceMs;
    const headers = new Headers(init.headers);
    for (;;) {
      headers.set("authorization", `Bearer ${this.secret}`);
      try {
        const response = await fetch(url, { ...init, headers, redirect: "manual" });
        if (response.status !== 401) return response;
        const secret = await secretOf(this.io, this.options).catch(() => this.secret);
        if (secret === this.secret) return response;
        this.secret = secret;
      } catch (error) {
        // The connection was refused and nothing was sent, so it is safe to retry.
        if (!isRefused(error) || this.io.runtime.elapsed() > deadline) throw error;
        this.log("The server does not answer; retrying.");
        await this.io.runtime.sleep(retryMs, init.signal ?? undefined);
      }
    }
  }

  /** Logs an error status for a notification, which has no answer. */
  private ignored(response: Response): Response {
    this.log(`The server answered a notification with ${response.status}.`);
    return new Response(null, { status: 202 });
  }

  /** Turns an error response into the answer to its request: a JSON-RPC error unchanged, another one as text. */
  private async refusal(id: RequestId, response: Response): Promise<Response> {
    return Response.json(failureFor(id, parsed(await response.text()), response.status));
  }

  /** Answers with an error if the stream ends before the answer, as when the server stops. */
  private watched(id: RequestId, response: Response, body: ReadableStream<Uint8Array>): Response {
    const ended = () =>
      void this.io.runtime.nextTurn().then(() => this.fail(id, "The connection closed before the answer arrived."));
    const reader = body.getReader();
    const seen = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch {
          controller.close();
        }
        ended();
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(seen, { status: response.status, headers: response.headers });
  }
}

/** Serves one client on stdin and stdout until it disconnects. Throws exit 3 if there is no credential. */
export async function runBridge(io: Io, options: StdioOptions): Promise<void> {
  const { baseUrl } = await clientSettings(io, options);
  const secret = await secretOf(io, options);
  await new Bridge(io, options, new URL(`${baseUrl}/mcp`), secret).run();
}
