import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import type { Clock } from "../../platform/clock.ts";
import { OutboundError } from "./types.ts";
import { effectivePort, hostOf } from "./url.ts";

/**
 * One request to one checked address. The socket connects to that address, so no second look-up can lead elsewhere; the
 * host name is sent in `Host` and in TLS, where the certificate must match it. HTTP_PROXY and HTTPS_PROXY are ignored,
 * because a proxy would bypass the address check.
 */

export interface Hop {
  readonly clock: Pick<Clock, "after">;
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
  readonly connect_timeout_ms: number;
  readonly trusted_certificates: readonly string[];
}

/** Maximum size of the response headers, in bytes. */
const headMax = 32_768;
/** Maximum number of a host's addresses tried, when connecting fails. */
const addressesTried = 4;

const unreachable = () =>
  new OutboundError("connection_failed", "The host can't be reached, or closed the connection.", true);
const distrusted = () =>
  new OutboundError("connection_failed", "The host's certificate is not trusted, or is for another name.", false);
const tooSlow = () => new OutboundError("timeout", "The host took too long to connect.", true);
const unreadable = () => new OutboundError("connection_failed", "The host's response is not valid HTTP.", false);
const longHead = () => new OutboundError("too_large", "The response's headers are too large.", false);

function reasonOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "HPE_HEADER_OVERFLOW") return longHead();
  if (code.startsWith("HPE_")) return unreadable();
  return /CERT|SELF_SIGNED|VERIFY|SSL|TLS|ISSUER/.test(code) ? distrusted() : unreachable();
}

/** A connection failure, after which another address of the host may work. */
class NotConnected extends Error {
  constructor(readonly reason: OutboundError) {
    super(reason.message);
  }
}

function optionsOf(hop: Hop, address: string): RequestOptions & { servername?: string } {
  const { url, signal, trusted_certificates: more } = hop;
  const host = hostOf(url);
  const tls = {
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
    ...(more.length > 0 && { ca: [...rootCertificates, ...more] }),
  };
  return {
    host: address,
    port: effectivePort(url),
    path: `${url.pathname}${url.search}`,
    method: hop.method,
    headers: { ...Object.fromEntries(hop.headers), host: url.host, connection: "close" },
    agent: false,
    maxHeaderSize: headMax,
    signal,
    ...(url.protocol === "https:" && tls),
  };
}

function attempt(hop: Hop, address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isTls = hop.url.protocol === "https:";
    const request = (isTls ? tlsRequest : plainRequest)(optionsOf(hop, address));
    let connected = false;
    const fail = (error: unknown) => {
      disarm();
      const reason = reasonOf(error);
      reject(connected || !reason.retryable ? reason : new NotConnected(reason));
      request.destroy();
    };
    const disarm = hop.clock.after(hop.connect_timeout_ms, () => fail(tooSlow()));
    request.on("socket", (socket) => {
      socket.once(isTls ? "secureConnect" : "connect", () => {
        connected = true;
        disarm();
      });
    });
    request.on("error", fail);
    let answered = false;
    // The connection closed without a response, for example after a protocol upgrade. A response may still be being
    // read.
    request.on("close", () => answered || fail(unreachable()));
    request.on("response", (message) => {
      answered = true;
      disarm();
      resolve(message);
    });
    request.end(hop.body);
  });
}

/** Returns the response once its headers have arrived; the body is still to be read. Throws `OutboundError`. */
export async function exchange(hop: Hop, addresses: readonly string[]): Promise<IncomingMessage> {
  let last = unreachable();
  for (const address of addresses.slice(0, addressesTried)) {
    hop.signal.throwIfAborted();
    try {
      return await attempt(hop, address);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      last = error.reason;
    }
  }
  throw last;
}
