import { promisify } from "node:util";
import { zlib } from "../platform/builtins.ts";
import { once } from "../platform/once.ts";
import { bestEncoding } from "./encoding.ts";
import { surfaceHeader } from "./surface.ts";

const deflate = once(() => promisify(zlib().gzip));

/** Bytes below which nothing is saved that anybody would notice. */
const least = 1_400;

/**
 * Whether the console asks. A program on the same network wants its answer rather than fewer bytes, a proxy compresses
 * for the others, and no page of another site can send this header, to learn from lengths what it can't read.
 */
export const isForConsole = ({ method, headers }: Request): boolean =>
  method === "GET" &&
  headers.get(surfaceHeader) === "web" &&
  bestEncoding(headers.get("accept-encoding")) !== "identity";

/** The answer in fewer bytes, for the edge; as it is where it is no JSON, or short. */
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
