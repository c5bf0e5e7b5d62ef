import type { Outbound, OutboundRequest } from "./types.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof methods)[number];
const isMethod = (method: string): method is Method => methods.some((one) => one === method);

const textOf = (body: unknown): string | undefined =>
  typeof body === "string" ? body : body instanceof URLSearchParams ? body.toString() : undefined;

/** Statuses whose responses have no body. */
const bodiless = new Set([204, 205, 304]);

/** The part of a request that libraries pass to `fetch`. */
interface Init {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Wraps the guard in the signature of `fetch`, for libraries that take one. Redirects are returned, not followed,
 * because a credential would be sent along. Throws what the guard throws.
 */
export function asFetch(outbound: Outbound, bounds: Pick<OutboundRequest, "max_bytes" | "timeout_ms">) {
  return async (url: string | URL, { method = "GET", headers, body, signal }: Init = {}): Promise<Response> => {
    if (!isMethod(method)) throw new TypeError("unsupported method");
    const sent = textOf(body);
    const answer = await outbound.fetch(url, {
      ...bounds,
      method,
      headers: Object.fromEntries(new Headers(headers).entries()),
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
      max_redirects: 0,
    });
    const kept = new Headers(answer.headers);
    // The body is already decompressed.
    for (const name of ["content-encoding", "content-length"]) kept.delete(name);
    const status = answer.status < 200 ? 502 : answer.status;
    return new Response(bodiless.has(status) ? null : new Uint8Array(answer.body), { status, headers: kept });
  };
}
