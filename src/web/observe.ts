import type { Log } from "../platform/log.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./request-context.ts";

/** An answered request, limited to what an operator may know: nothing of its content. */
export interface Answered {
  readonly request: Request;
  /** The status that was sent. */
  readonly status: number;
  /** Milliseconds from arrival to the response's headers. */
  readonly ms: number;
  /** A password, key or token was sent and rejected. */
  readonly isFailedSignIn: boolean;
}

/** Receives every answered request. Must not throw. */
export type Observer = (answered: Answered) => void;

/** Returns the pattern of the route that served a request, such as `/v1/runs/:run_id`, or null if there was none. */
export const routeOf = (request: Request): string | null => contextOf(request).route?.path ?? null;

/**
 * Returns whether a response rejected a credential. A 401 without one only says that one is needed; on a route that
 * requires none, the credential was in the body.
 */
export function isFailedSignIn(request: Request, status: number): boolean {
  if (status !== 401) return false;
  const { headers, url } = request;
  return (
    headers.has("authorization") || contextOf(request).route?.access.credential === "none" || url.includes("token=")
  );
}

/**
 * Logs a warning for each failed sign-in and each rate-limited one, with the address, for tools that block attackers.
 */
export const warnOfFailedSignIns =
  (log: Log): Observer =>
  ({ request, status, isFailedSignIn }) => {
    if (!isFailedSignIn && status !== 429) return;
    const { id: request_id } = contextOf(request);
    const message = status === 429 ? "refused after too many attempts" : "a sign-in failed";
    log.warn(message, { request_id, route: routeOf(request), status, address: clientAddress(request) });
  };
