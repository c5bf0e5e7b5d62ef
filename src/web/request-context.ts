import type { Principal } from "../identity/principal.ts";
import type { Route } from "./define-route.ts";

/** Data about a request that one part of the edge sets and another reads. */
interface RequestContext {
  id?: string;
  /** Returns the origin. A function, because the look-up is costly and rarely needed. */
  address?: () => string;
  /** The route that serves it. */
  route?: Pick<Route, "path" | "access">;
  /** The caller. */
  principal?: Principal;
  /** `Set-Cookie` lines for the response. */
  cookies?: readonly string[];
}

const kept = Symbol("context");
type Carrying = Request & { [kept]?: RequestContext };

/** Stored on the request itself, which costs less per request than an entry in a weak map. */
export function contextOf(request: Carrying): RequestContext {
  request[kept] ??= {};
  return request[kept];
}

/** Shares the context of a request with one created in its place. */
export function forwardContext(original: Request, made: Carrying): Request {
  made[kept] = contextOf(original);
  return made;
}

/** Returns the id that the response carries as `X-Request-Id` and that the log uses. */
export const requestId = (request: Request): string => contextOf(request).id ?? "";
