import type { Log } from "../platform/log.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./request-context.ts";

/** `sign-in`: a password, key or token that identifies a caller. `token`: one that only opens the route. */
export type RejectedCredential = "sign-in" | "token";

/** An answered request, limited to what an operator may know: nothing of its content. */
export interface Answered {
  readonly request: Request;
  /** The status that was sent. */
  readonly status: number;
  /** Milliseconds from arrival to the response's headers. */
  readonly ms: number;
  /** The kind of credential that was sent and rejected; undefined if none was. */
  readonly rejected: RejectedCredential | undefined;
}

/** Receives every answered request. Must not throw. */
export type Observer = (answered: Answered) => void;

/** Returns the pattern of the route that served a request, such as `/v1/runs/:run_id`, or null if there was none. */
export const routeOf = (request: Request): string | null => contextOf(request).route?.path ?? null;

/**
 * Returns the kind of credential that a response rejected, if any. A 401 without one only says that one is needed. On a
 * route that requires none, the credential was in the body, unless the route has a token of its own.
 */
export function rejectedCredential(request: Request, status: number): RejectedCredential | undefined {
  if (status !== 401) return undefined;
  const { headers, url } = request;
  const { credential, ownToken } = contextOf(request).route?.access ?? {};
  const isInHeader = headers.has("authorization");
  if (ownToken) return isInHeader ? "token" : undefined;
  return isInHeader || credential === "none" || url.includes("token=") ? "sign-in" : undefined;
}

const rejections: Readonly<Record<RejectedCredential, string>> = {
  "sign-in": "a sign-in failed",
  token: "a wrong token was sent",
};

/**
 * Logs a warning for each rejected credential and each rate-limited one, with the address, for tools that block
 * attackers.
 */
export const warnOfRejectedCredentials =
  (log: Log): Observer =>
  ({ request, status, rejected }) => {
    if (rejected === undefined && status !== 429) return;
    const { id: request_id } = contextOf(request);
    const message = rejected === undefined ? "refused after too many attempts" : rejections[rejected];
    log.warn(message, { request_id, route: routeOf(request), status, address: clientAddress(request) });
  };
