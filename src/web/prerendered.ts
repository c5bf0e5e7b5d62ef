import { sha256 } from "../platform/ids.ts";

/** A body that is serialised and encoded once and served many times, with its headers. */
export interface Prerendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly headers: Headers;
}

/** Serialises a body (a text as it is, else JSON), for routes that serve the same to many. */
export function prerender(body: unknown, type = "application/json; charset=utf-8"): Prerendered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const etag = `"${sha256(text).toString("base64url").slice(0, 22)}"`;
  const headers = new Headers({ etag, "content-type": type, "cache-control": "no-cache" });
  return { bytes: new TextEncoder().encode(text), etag, headers };
}

/** What was serialised, once more as a value. */
export const parsed = ({ bytes }: Prerendered) => JSON.parse(new TextDecoder().decode(bytes));

/** Whether an `If-None-Match` names what is served. A weak tag is as good here (RFC 9110, 13.1.2). */
export const namesTag = (held: string, etag: string): boolean =>
  held === etag || held.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");

/** Whether the caller holds what has this tag already. */
export function isHeld(request: Request, etag: string): boolean {
  const held = request.headers.get("if-none-match");
  return held !== null && namesTag(held, etag);
}

/** The answer to a caller that holds it already. */
export const unchanged = ({ headers }: Prerendered): Response => new Response(null, { status: 304, headers });

/** 304 where the caller holds it already. */
export const respond = (request: Request, answer: Prerendered): Response =>
  isHeld(request, answer.etag) ? unchanged(answer) : new Response(answer.bytes, { headers: answer.headers });

/** What `respond` may answer besides, for a route's description. */
export const notModified = { 304: { description: "Not changed since the answer whose `ETag` is in `If-None-Match`." } };
