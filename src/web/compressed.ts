import { promisify } from "node:util";
import { zlib } from "../platform/builtins.ts";
import { once } from "../platform/once.ts";
import { bestEncoding } from "./encoding.ts";
import { surfaceHeader } from "./surface.ts";

const deflate = once(() => promisify(zlib().gzip));

/** Size in bytes below which compression saves nothing noticeable. */
const least = 1_400;

/**
 * Returns whether the response should be compressed, which it is only for the console. For a program on the same
 * network latency matters more than size, and other callers have a proxy that compresses. No page of another site can
 * send this header, so none can learn secrets from response lengths.
 */
export const isForConsole = ({ method, headers }: Request): boolean =>
  method === "GET" &&
  headers.get(surfaceHeader) === "web" &&
  bestEncoding(headers.get("accept-encoding")) !== "identity";

/** Compresses a response, for the edge. Returns it unchanged if it is not JSON or is short. */
export async function compressed(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!headers.get("content-type")?.startsWith("application/json")) return response;
  headers.append("vary", `accept-encoding, ${surfaceHeader}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength < least) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  const etag = headers.get("etag");
  // The same content, in other bytes (RFC 9110, 8.8.1).
  if (etag?.startsWith('"')) headers.set("etag", `W/${etag}`);
  return new Response(await deflate()(bytes), { status, headers });
}
