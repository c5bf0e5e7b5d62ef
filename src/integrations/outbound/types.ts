import type { Runtime } from "../../platform/runtime.ts";

/**
 * The one way out: every request of the product to another machine goes through an `Outbound`. It refuses what is not
 * a public address, whatever its spelling, and connects to the very address that it has checked.
 */

/** What we call ourselves to other hosts, and what a robots.txt may name. */
export const botName = "AssayBot";

/** Why a request was not made, or not finished. Only the last hop's reason is told; never a URL. */
export const outboundCodes = [
  "url_not_allowed",
  "unresolvable",
  "timeout",
  "too_large",
  "too_many_redirects",
  "content_type",
  "connection_failed",
  "decompression",
] as const;
export type OutboundCode = (typeof outboundCodes)[number];

/** Thrown by everything here. The message is safe to log and to show: it has no URL, query or credential in it. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundCode,
    message: string,
    /** Whether the same request may succeed later. */
    readonly retryable: boolean,
  ) {
    super(message);
    this.name = "OutboundError";
  }
}

/** Bounds beyond the guard's own, for one request and all that it is redirected to. */
export interface OutboundPolicy {
  /** Refuse http from the first hop on. */
  readonly https_only?: boolean;
  /** Asked before each hop, the first too; false refuses it with `url_not_allowed`. It may throw its own error. */
  readonly allow_hop?: (url: URL) => boolean | Promise<boolean>;
}

export interface OutboundRequest {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `host`, `connection`, `content-length` and the like are the guard's own, and dropped. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Its reason is thrown as it stands when it aborts. */
  readonly signal?: AbortSignal;
  /** Bytes of the body as it arrives, and again as it is unpacked. */
  readonly max_bytes: number;
  /** For the whole request: look-ups, redirects and body. */
  readonly timeout_ms: number;
  /** 0 to 5; absent: 5. With 0 an answer that redirects is handed back as it is. */
  readonly max_redirects?: number;
  /** Media types that are taken, such as `text/html`; absent: all. Judged for answers of status 200 to 299 alone. */
  readonly content_types?: readonly string[];
  readonly policy?: OutboundPolicy;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Unpacked. */
  readonly body: Uint8Array;
}

export interface Outbound {
  /** Any status is an answer; what is thrown is an `OutboundError`, or the signal's reason. */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>;
  /** The canonical address. Throws `url_not_allowed` for what its spelling alone tells, without a look-up. */
  checkUrl(text: string): URL;
}

export interface OutboundOptions {
  /** Limits the time that things take, and finds the addresses of names. */
  readonly runtime: Pick<Runtime, "after" | "resolveHost">;
  /** `host:port`, as the operator names them in `outbound_allow_private`: taken although private or on another port. */
  readonly allow_private?: readonly string[];
  /** The ports that may be connected to on public hosts; absent: 80 and 443. */
  readonly ports?: readonly number[];
  /** Sent as User-Agent when a request names none; absent: `AssayBot`. */
  readonly user_agent?: string;
  /** PEM certificates that are trusted beside the usual ones. */
  readonly trusted_certificates?: readonly string[];
  /** For each address that is tried, TLS included; absent: 10 seconds. */
  readonly connect_timeout_ms?: number;
}
