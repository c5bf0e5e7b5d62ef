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

/** A request made in place of another answers under its id. */
export const passOnRequestId = (from: Request, to: Request): void => void ids.set(to, requestId(from));
