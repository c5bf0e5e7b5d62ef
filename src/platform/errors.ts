/**
 * The one catalogue of error codes: status and fixed message. Services throw `failure(code)`; only the HTTP edge knows
 * what a status is, and causes go to the log, never to a body. Callers branch on code and status, never on messages.
 */
const catalogue = {
  invalid_api_key: [401, "The credential is missing, malformed, expired or revoked. Send a valid one as a bearer."],
  invalid_credentials: [401, "The credentials are wrong. Check them, or reset the password."],
  quota_exceeded: [402, "The quota is used up. Stop, and ask the account's owner to top up."],
  missing_scope: [
    403,
    "The credential lacks a scope or the firm an entitlement that this needs. Ask the firm's owner.",
  ],
  not_found: [404, "There is no such resource."],
  profile_not_found: [404, "The credential's user has no profile."],
  method_not_allowed: [405, "This path does not take that method. See the Allow header."],
  idempotency_conflict: [409, "This idempotency key was already used with another input. Use a fresh key."],
  commercial_validation_required: [409, "This use case waits for its commercial validation. Do not retry."],
  price_exceeds_maximum: [409, "The current price is above maximum_credits. Get a new price, then raise the maximum."],
  quote_invalid: [409, "The quote has expired or is for another input. Get a new quote."],
  trial_not_available: [409, "This capability has no trial. Run it with mode live."],
  approval_already_decided: [409, "This approval was already decided. Read the run for the decision."],
  not_awaiting_approval: [409, "Nothing in this run waits for an approval."],
  run_already_finished: [409, "This run has already finished."],
  run_not_finished: [409, "This run has not finished yet. Poll it until it is terminal."],
  payload_too_large: [413, "The body is over the limit. Send a smaller one."],
  validation_error: [422, "The request is invalid. See details."],
  rate_limit_exceeded: [429, "Too many attempts. Wait as long as Retry-After says."],
  internal_error: [500, "Unexpected server error. Quote the X-Request-Id to the operator."],
  capability_runs_disabled: [503, "Runs of this are off at present. Retry later; this is not permanent."],
  sign_in_unavailable: [503, "The external identity provider does not answer. Retry later, or sign in by password."],
  database_unavailable: [503, "The database is not available at present. Retry later."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof catalogue;
export const errorCodes = Object.keys(catalogue) as ErrorCode[];
export const statusOf = (code: ErrorCode): number => catalogue[code][0];
export const messageOf = (code: ErrorCode): string => catalogue[code][1];

/** Where an input is wrong: a JSON Pointer behind its place (`/body/input/market`), and what is wanted there. */
export interface Detail {
  readonly path: string;
  readonly message: string;
}

/** What a service throws for a caller's mistake or a state that forbids the request. */
export class Failure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: readonly Detail[] = [],
    options?: ErrorOptions,
  ) {
    super(messageOf(code), options);
    this.name = "Failure";
  }
}

export const failure = (code: ErrorCode, cause?: unknown) => new Failure(code, [], { cause });
/** A 422 that points at its place. */
export const invalid = (path: string, message: string) => new Failure("validation_error", [{ path, message }]);
