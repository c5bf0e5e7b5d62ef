import { newId } from "../platform/ids.ts";

const ids = new WeakMap<Request, string>();

/** The id that a request's answer carries as `X-Request-Id`, and the log beside it. */
export function requestId(request: Request): string {
  let id = ids.get(request);
  if (id === undefined) {
    id = newId();
    ids.set(request, id);
  }
  return id;
}
