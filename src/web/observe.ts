import type { Log } from "../platform/log.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./request-context.ts";

/** A request that has been answered, as far as an operator may know of it: nothing of what it says. */
export interface Answered {
  readonly request: Request;
  /** As it went out. */
  readonly status: number;
  /** From its arrival until its answer's head. */
  readonly ms: number;
  /** Somebody tried to get in, by a password, a key or a token, and was refused. */
  readonly isFailedSignIn: boolean;
}

/** Is shown every answer, and must not throw. */
export type Observer = (answered: Answered) => void;

/** The pattern of the route that served it, such as `/v1/runs/:run_id`; null: there was none. */
export const routeOf = (request: Request): string | null => contextOf(request).route?.path ?? null;

/**
 * Whether an answer turned away a credential. Without one, 401 says no more than that one is needed; where a route asks
 * for none, its body held it.
 */
export function isFailedSignIn(request: Request, status: number): boolean {
  if (status !== 401) return false;
  const { headers, url } = request;
  return (
    headers.has("authorization") || contextOf(request).route?.access.credential === "none" || url.includes("token=")
  );
}

/** Warns of each failed sign-in, and of each that came after too many: those who guard the server against guessing read the address there. */
export const warnOfFailedSignIns =
  (log: Log): Observer =>
  ({ request, status, isFailedSignIn }) => {
    if (!isFailedSignIn && status !== 429) return;
    const { id: request_id } = contextOf(request);
    const message = status === 429 ? "refused after too many attempts" : "a sign-in failed";
    log.warn(message, { request_id, route: routeOf(request), status, address: clientAddress(request) });
  };
