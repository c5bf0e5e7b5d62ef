import { sha256 } from "../platform/ids.ts";

/** A body that is serialised once and served many times. */
export interface Prerendered {
  readonly text: string;
  readonly etag: string;
  readonly type: string;
}

export function prerender(body: unknown, type = "application/json; charset=utf-8"): Prerendered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { text, type, etag: `"${sha256(text).toString("base64url").slice(0, 22)}"` };
}

/** 304 where the caller holds it already. */
export function respond(request: Request, { text, etag, type }: Prerendered, cache = "no-cache"): Response {
  const headers = { etag, "content-type": type, "cache-control": cache };
  const held = request.headers.get("if-none-match");
  if (held?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*"))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/** What `respond` may answer besides, for a route's description. */
export const notModified = { 304: { description: "Not changed since the answer whose `ETag` is in `If-None-Match`." } };
