import createClient from "openapi-fetch";
import type { components, paths } from "../../../../../clients/typescript/src/types.ts";
import { askedAhead, fromConsole } from "./asked-ahead.ts";
import { installedAt } from "./browser.ts";
import { type SignInReason, signInAgain } from "./session-gate.ts";
import { isOfAnother, mark } from "./shown-to.ts";

/** Every shape of the API by its name, such as `Schemas["Run"]`. */
export type Schemas = components["schemas"];

/** What the server refused, in its own words. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** 0: it was never reached. */
    readonly status: number,
    /** The machine's name of it, as the documentation lists them. */
    readonly code: string,
    message: string,
    readonly details: readonly { readonly path: string; readonly message: string }[],
    /** What the server's log knows the request by. */
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

/** Why somebody has to sign in before it is sent once more; null where nobody has to. */
async function reasonToSignIn(response: Response): Promise<SignInReason | null> {
  if (![401, 403, 422].includes(response.status)) return null;
  const { error }: Refusal = await response.clone().json();
  if (error?.code === "recent_sign_in_required") return "again";
  if (error?.details?.some(isOfAnother)) return "another";
  // The session stands where a password is wrong that was sent along.
  return response.status === 401 && error?.code !== "invalid_credentials" ? "ended" : null;
}

type Transport = (request: Request) => Promise<Response>;

/** `before`: why it was waited for. Whoever has just signed in is told what is refused, and not asked again. */
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
 * Sends a request; where somebody has to sign in again it waits until they have, and sends it once more. `carry`: what
 * brings it to the server, where that is not `fetch`.
 */
export const sending =
  (carry: Transport): Transport =>
  (request) =>
    sent(carry, request, null);

/** The public API with the browser's session, typed by the server's own OpenAPI document. */
export const api = createClient<paths>({
  baseUrl: installedAt,
  fetch: sending((request) => askedAhead(request.url) ?? fetch(request)),
  // Runs remember that they were started here.
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

/** The answer's body of a call by `api`. Throws `ApiError` for what was refused or never arrived. */
export async function bodyOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, response } = await answerOf(call);
  if (data !== undefined) return data;
  throw new ApiError(response.status, "unexpected", response.statusText, [], response.headers.get("x-request-id"));
}

/** Waits for a call by `api` that is answered without a body. Throws `ApiError` as `bodyOf` does. */
export async function done(call: Promise<Answer<unknown>>): Promise<void> {
  await answerOf(call);
}
