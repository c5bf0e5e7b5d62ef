import { passOnClientAddress } from "./client-address.ts";
import { passOnRequestId } from "./request-id.ts";

/**
 * A request whose body does not tell its length, with the body read; undefined once it turns out longer than `limit`
 * bytes, of which no more is read then. A request without such a body comes back as it is.
 */
export async function withBoundedBody(request: Request, limit: number): Promise<Request | undefined> {
  if (request.method === "GET" || request.headers.has("content-length") || request.body === null) return request;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  const { method, headers, url, signal } = request;
  const read = new Request(url, { method, headers, body: Buffer.concat(chunks), signal });
  passOnRequestId(request, read);
  passOnClientAddress(request, read);
  return read;
}
