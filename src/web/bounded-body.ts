import { type Failure, invalid } from "../platform/errors.ts";
import { forwardContext } from "./request-context.ts";

/** The error for a body that the caller aborted, which is no failure of the server. */
export const bodyAborted = (): Failure => invalid("/body", "ended before it was complete");

/**
 * Reads the body of a request that does not state its length, and returns a request with it. Returns undefined as soon
 * as it exceeds `limit` bytes, without reading further.
 */
export async function withBoundedBody(request: Request, limit: number): Promise<Request | undefined> {
  if (request.body === null) return request;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  const { method, headers, url, signal } = request;
  return forwardContext(request, new Request(url, { method, headers, body: Buffer.concat(chunks), signal }));
}
