import { createSocket } from "node:dgram";
import { Resolver as DnsResolver } from "node:dns/promises";
import { createServer, type Server, type Socket } from "node:net";
import packet, { type Answer } from "dns-packet";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import {
  type OutboundCode,
  OutboundError,
  type OutboundOptions,
  type OutboundRequest,
} from "../../src/integrations/outbound/types.ts";
import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";

/** Real peers for the guard's tests: raw TCP servers with scripted responses, and a name server. */

/** A listener that counts its connections. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
  /** The data received on each connection. */
  readonly heard: string[];
  readonly connections: () => number;
}

/** Listens on an address; calls `answer` with a connection once its request head is complete. */
export async function listen(
  answer: (socket: Socket, head: string) => void,
  address = "127.0.0.1",
  port = 0,
): Promise<Listener> {
  const heard: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    const at = connections++;
    heard[at] = "";
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const before = heard[at] ?? "";
      heard[at] = before + data.toString("latin1");
      if (!before.includes("\r\n\r\n") && heard[at].includes("\r\n\r\n")) answer(socket, heard[at]);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound ? bound.port : 0,
    heard,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a complete response as bytes. */
export const answer = (status: string, headers: readonly string[] = [], body: string | Uint8Array = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join("")}`),
    Buffer.from(`content-length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);

/** Returns a resolver that knows only these names and counts its lookups. */
export function resolverOf(
  names: Readonly<Record<string, readonly string[]>>,
): Runtime["resolveHost"] & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    const found = names[name];
    if (!found) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return found;
  };
  return Object.assign(resolve, { asked });
}

/** Starts a name server on UDP. `zone` returns the answers to each query. */
export async function nameServer(zone: (name: string, type: string) => Answer[]) {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (message, { port, address }) => {
    const { id, questions: asked = [] } = packet.decode(message);
    const [question] = asked;
    if (!question) return;
    questions.push(`${question.type} ${question.name}`);
    const flags = packet.AUTHORITATIVE_ANSWER | packet.RECURSION_AVAILABLE;
    const answers = zone(question.name, question.type);
    socket.send(
      packet.encode({ type: "response", ...(id !== undefined && { id }), flags, questions: asked, answers }),
      port,
      address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  const resolve: Runtime["resolveHost"] = async (name) => {
    // A new client each time, because it has no cache.
    const client = new DnsResolver({ timeout: 30_000, tries: 1 });
    client.setServers([`127.0.0.1:${port}`]);
    const found = await Promise.allSettled([client.resolve4(name), client.resolve6(name)]);
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
  return {
    resolve,
    questions,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

/** Default limits of a request. */
export const bounds: OutboundRequest = { max_bytes: 100_000, timeout_ms: 60_000 };

/** Returns the code with which the request is refused; throws if it is not, or not by the guard. */
export async function refusal(work: Promise<unknown> | (() => unknown)): Promise<OutboundCode> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof OutboundError) return error.code;
    throw error;
  }
  throw new Error("it was not refused");
}

/** The host names of the tests. */
export const name = "shop.example.org";
export const other = "other.example.org";
export const home = { [name]: ["127.0.0.1"], [other]: ["127.0.0.1"] };
/** Decodes a body as text. */
export const told = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body);

/** Creates a guard that may connect to these listeners under the tests' names. */
export const guardFor = (peers: readonly Pick<Listener, "port">[], more: Partial<OutboundOptions> = {}) =>
  createOutbound({
    runtime: { ...systemRuntime, resolveHost: resolverOf(home) },
    allow_private: peers.flatMap(({ port }) => [`${name}:${port}`, `${other}:${port}`]),
    ...more,
  });

/** Returns what the guard makes of one raw response. */
export async function fetched(raw: Buffer | ((socket: Socket) => void), request = {}) {
  await using peer = await listen((socket) => (typeof raw === "function" ? raw(socket) : socket.end(raw)));
  return await guardFor([peer]).fetch(`http://${name}:${peer.port}/`, { ...bounds, ...request });
}
/** Returns the code with which a response is refused. */
export const refused = (raw: Parameters<typeof fetched>[0], request: Partial<OutboundRequest> = {}) =>
  refusal(fetched(raw, request));
