import type { Runtime } from "../../platform/runtime.ts";

/**
 * All outbound traffic: every request to another machine goes through an `Outbound`. It blocks addresses that are not
 * public, however they are written, and connects to the exact address that it has checked.
 */

/** The product name in the User-Agent, which a robots.txt may address. */
export const botName = "AssayBot";

/** Why a request was not made or not completed. Only the last hop's reason is reported, never a URL. */
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

/** The error type of this folder. The message is safe to log and to show: it contains no URL, query or credential. */
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

/** Additional limits for one request and all its redirects. */
export interface OutboundPolicy {
  /** Reject http from the first hop on. */
  readonly https_only?: boolean;
  /**
   * Called before each hop, including the first; false rejects it with `url_not_allowed`. It may throw its own error.
   */
  readonly allow_hop?: (url: URL) => boolean | Promise<boolean>;
}

export interface OutboundRequest {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `host`, `connection`, `content-length` and similar are set by the guard; values for them are dropped. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** When it aborts, its reason is thrown unchanged. */
  readonly signal?: AbortSignal;
  /** Maximum size of the body in bytes, as received and again as decompressed. */
  readonly max_bytes: number;
  /** For the whole request, including look-ups, redirects and body. */
  readonly timeout_ms: number;
  /** 0 to 5; default 5. With 0, a redirect is returned as the response. */
  readonly max_redirects?: number;
  /** Accepted media types, such as `text/html`; default: all. Checked only for statuses 200 to 299. */
  readonly content_types?: readonly string[];
  readonly policy?: OutboundPolicy;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The final URL, after redirects. */
  readonly url: string;
  /** Decompressed. */
  readonly body: Uint8Array;
}

export interface Outbound {
  /** Resolves for any status. Throws an `OutboundError`, or the signal's reason. */
  fetch(url: string | URL, request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Returns the canonical URL. Throws `url_not_allowed` if the URL alone shows that it is not allowed; makes no
   * look-up.
   */
  checkUrl(text: string): URL;
}

export interface OutboundOptions {
  /** Timers and name resolution. */
  readonly runtime: Pick<Runtime, "after" | "resolveHost">;
  /** `host:port` entries of `outbound_allow_private`, which are allowed even if private or on another port. */
  readonly allow_private?: readonly string[];
  /** Ports allowed on public hosts; default: 80 and 443. */
  readonly ports?: readonly number[];
  /** User-Agent of requests that set none; default: `AssayBot`. */
  readonly user_agent?: string;
  /** PEM certificates trusted in addition to the system's. */
  readonly trusted_certificates?: readonly string[];
  /** For each address tried, including TLS; default: 10 seconds. */
  readonly connect_timeout_ms?: number;
}
