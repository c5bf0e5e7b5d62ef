import { sha256 } from "../platform/ids.ts";

/** A body that is serialised and encoded once and served many times, with its headers. */
export interface Prerendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly headers: Headers;
}

/** Serialises a body (text as it is, anything else as JSON), for routes that serve the same response to many. */
export function prerender(body: unknown, type = "application/json; charset=utf-8"): Prerendered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const etag = `"${sha256(text).toString("base64url").slice(0, 22)}"`;
  const headers = new Headers({ etag, "content-type": type, "cache-control": "no-cache" });
  return { bytes: new TextEncoder().encode(text), etag, headers };
}

/** Returns the value that was serialised. */
export const parsed = ({ bytes }: Prerendered) => JSON.parse(new TextDecoder().decode(bytes));

/** Returns whether an `If-None-Match` header matches the tag. A weak tag matches too (RFC 9110, 13.1.2). */
export const namesTag = (held: string, etag: string): boolean =>
  held === etag || held.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");

/** Returns whether the caller already has the content with this tag. */
export function isHeld(request: Request, etag: string): boolean {
  const held = request.headers.get("if-none-match");
  return held !== null && namesTag(held, etag);
}

/** Returns the 304 for a caller that already has the content. */
export const unchanged = ({ headers }: Prerendered): Response => new Response(null, { status: 304, headers });

/** Returns the response, or 304 if the caller already has it. */
export const respond = (request: Request, answer: Prerendered): Response =>
  isHeld(request, answer.etag) ? unchanged(answer) : new Response(answer.bytes, { headers: answer.headers });

/** The additional response of `respond`, for a route's description. */
export const notModified = {
  304: { description: "Not modified since the response whose `ETag` is in `If-None-Match`." },
};
