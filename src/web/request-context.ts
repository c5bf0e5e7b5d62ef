import type { Principal } from "../identity/principal.ts";
import type { Route } from "./define-route.ts";

/** What is known of a request besides what it says itself, told by one part of the edge and asked for by another. */
interface RequestContext {
  id?: string;
  /** Where it comes from: looked up only where it matters, since the look-up costs. */
  address?: () => string;
  /** What serves it. */
  route?: Pick<Route, "path" | "access">;
  /** Who called. */
  principal?: Principal;
  /** Lines of `Set-Cookie` for its answer. */
  cookies?: readonly string[];
}

const kept = Symbol("context");
type Carrying = Request & { [kept]?: RequestContext };

/** Kept on the request itself: a property of its own costs a request less than an entry in a weak map. */
export function contextOf(request: Carrying): RequestContext {
  request[kept] ??= {};
  return request[kept];
}

/** A request made in place of another is the same one: what is told of either is told of both. */
export function forwardContext(original: Request, made: Carrying): Request {
  made[kept] = contextOf(original);
  return made;
}

/** The id that a request's answer carries as `X-Request-Id`, and the log beside it. */
export const requestId = (request: Request): string => contextOf(request).id ?? "";
