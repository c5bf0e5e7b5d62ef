import createClient from "openapi-fetch";
import type { components, paths } from "../../../../../clients/typescript/src/types.ts";
import { askedAhead, fromConsole } from "./asked-ahead.ts";
import { installedAt } from "./browser.ts";
import { type SignInReason, signInAgain } from "./session-gate.ts";
import { isOfAnother, mark } from "./shown-to.ts";

/** All schemas of the API by name, such as `Schemas["Run"]`. */
export type Schemas = components["schemas"];

/** A request that the server refused or that never reached it, with the server's message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** HTTP status; 0 if the server was not reached. */
    readonly status: number,
    /** The error code, as listed in the documentation. */
    readonly code: string,
    message: string,
    readonly details: readonly { readonly path: string; readonly message: string }[],
    /** The request's id in the server's log. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

interface Refusal {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: ApiError["details"];
  };
}

/** Returns why the person has to sign in before the request can be repeated; null if they do not. */
async function reasonToSignIn(response: Response): Promise<SignInReason | null> {
  if (![401, 403, 422].includes(response.status)) return null;
  const { error }: Refusal = await response.clone().json();
  if (error?.code === "recent_sign_in_required") return "again";
  if (error?.details?.some(isOfAnother)) return "another";
  // A wrong password in the request leaves the session valid.
  return response.status === 401 && error?.code !== "invalid_credentials" ? "ended" : null;
}

type Transport = (request: Request) => Promise<Response>;

/**
 * Sends a request, repeating it after a sign-in. `before` is the reason for the last sign-in: if the same reason
 * returns, the error is reported instead of asking again.
 */
async function sent(carry: Transport, request: Request, before: SignInReason | null): Promise<Response> {
  mark(request);
  const again = request.clone();
  const response = await carry(request);
  const reason = await reasonToSignIn(response);
  if (reason === null || (reason === before && reason !== "another")) return response;
  await signInAgain(reason);
  return sent(carry, again, reason);
}

/**
 * Wraps a transport: if a request requires a new sign-in, it waits for it and is then sent once more. `carry` sends a
 * request to the server, as `fetch` does.
 */
export const sending =
  (carry: Transport): Transport =>
  (request) =>
    sent(carry, request, null);

/** The client of the public API, using the browser's session. Its types come from the server's OpenAPI document. */
export const api = createClient<paths>({
  baseUrl: installedAt,
  fetch: sending((request) => askedAhead(request.url) ?? fetch(request)),
  // Marks runs as started from the console.
  headers: fromConsole,
});

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

async function answerOf<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call.catch((cause: unknown) => {
    throw new ApiError(0, "unreachable", String(cause), [], null);
  });
  const { error, response } = answer;
  if (response.ok) return answer;
  const {
    code = "unexpected",
    message = response.statusText,
    details = [],
  } = (error as Refusal | undefined)?.error ?? {};
  throw new ApiError(response.status, code, message, details, response.headers.get("x-request-id"));
}

/** Returns the response body of a call to `api`. Throws `ApiError` if the call was refused or failed to arrive. */
export async function bodyOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, response } = await answerOf(call);
  if (data !== undefined) return data;
  throw new ApiError(response.status, "unexpected", response.statusText, [], response.headers.get("x-request-id"));
}

/** Waits for a call to `api` that has no response body. Throws `ApiError`, as `bodyOf` does. */
export async function done(call: Promise<Answer<unknown>>): Promise<void> {
  await answerOf(call);
}
