import { type Failure, invalid } from "../platform/errors.ts";
import { forwardContext } from "./request-context.ts";

/** The refusal for a body that its caller broke off: it is no failure of ours. */
export const bodyAborted = (): Failure => invalid("/body", "ended before it was whole");

/**
 * A request whose body does not state its length, with the body read; undefined once it turns out longer than `limit`
 * bytes, of which no more is read then.
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
