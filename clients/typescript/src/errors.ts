import type { components } from "./types.ts";

/** Where an input is wrong, or what a credential lacks. */
export type Detail = components["schemas"]["FailureDetail"];

interface Refusal {
  readonly status: number;
  /** Branch on this, never on the message. */
  readonly code: string;
  readonly message: string;
  readonly details?: readonly Detail[] | undefined;
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** The server refused a request. The subclasses say in which way; `code` says exactly why. */
export class AssayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[];
  /** Quote it to the operator: it is in the server's log. */
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt; null where the answer says nothing of one. */
  readonly retryAfter: number | null;

  constructor({ status, code, message, details = [], requestId, headers }: Refusal) {
    super(`${message} (${code})`);
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
  }
}

/** 401: the credential is missing, malformed, expired or revoked. */
export class AuthenticationError extends AssayError {}
/** 402: a quota is used up. Stop, and ask the account's owner. */
export class QuotaExceededError extends AssayError {}
/** 403: the credential lacks a scope, or its firm an entitlement; `details` name them. */
export class PermissionError extends AssayError {}
/** 404: there is no such thing, or it is another tenant's. */
export class NotFoundError extends AssayError {}
/** 409: the state forbids it, or the idempotency key was used for another input. */
export class ConflictError extends AssayError {}
/** 422: the request is invalid; `details` point at the places. */
export class ValidationError extends AssayError {}
/** 429: too many attempts. Wait as long as `retryAfter` says. */
export class RateLimitError extends AssayError {}
/** 5xx: the server could not do it. */
export class ServerError extends AssayError {}

/** There was no answer: the server can't be reached, or the connection broke. `cause` says how. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

const byStatus: Readonly<Record<number, typeof AssayError>> = {
  401: AuthenticationError,
  402: QuotaExceededError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

type ErrorBody = components["schemas"]["Error"];
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === "object" && body !== null && "error" in body && typeof body.error === "object";

/** A refusal as an error of its class. */
export async function errorOf(response: Response): Promise<AssayError> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const told = isErrorBody(body) ? body.error : { code: "unexpected_answer", message: `The answer was ${status}.` };
  const Refused = byStatus[status] ?? (status >= 500 ? ServerError : AssayError);
  return new Refused({ ...told, status, headers, requestId: headers.get("x-request-id") });
}
