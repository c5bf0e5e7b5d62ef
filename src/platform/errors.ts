/**
 * The catalogue of error codes with their HTTP status and fixed message. Services throw `failure(code)`; only the HTTP
 * edge maps codes to statuses, and causes are logged, never returned. Callers branch on code and status, never on
 * messages.
 */
const catalogue = {
  invalid_api_key: [
    401,
    "The credential is missing, malformed, expired or revoked, or of a kind not accepted here. Send `Authorization: Bearer` with a valid key or token; the reference says which.",
  ],
  invalid_credentials: [
    401,
    "The password, token, code or link is wrong, expired or already used. Correct it, or get a new one.",
  ],
  quota_exceeded: [
    402,
    "The quota is used up. Stop, and ask the account's owner: the operator of the installation can raise it.",
  ],
  missing_scope: [
    403,
    "The credential lacks a required scope or role, or the firm an entitlement. Ask the firm's owner; the operator grants entitlements.",
  ],
  recent_sign_in_required: [
    403,
    "This requires a sign-in within the last 15 minutes. Sign in again, then repeat the request.",
  ],
  not_found: [404, "There is no such resource."],
  profile_not_found: [404, "The credential's user has no profile."],
  method_not_allowed: [405, "This path does not support that method. See the Allow header."],
  idempotency_conflict: [
    409,
    "This idempotency key was already used with another input, or in another workspace. Use a new key.",
  ],
  commercial_validation_required: [409, "This use case awaits commercial validation. Do not retry."],
  price_exceeds_maximum: [409, "The current price exceeds maximum_credits. Check the price, then raise the maximum."],
  quote_invalid: [409, "The quote has expired or is for another input. Get a new quote."],
  trial_not_available: [409, "This capability has no trial. Run it in live mode."],
  approval_already_decided: [409, "This approval was already decided. Read the run for the decision."],
  not_awaiting_approval: [409, "Nothing in this run awaits approval."],
  run_already_finished: [409, "This run has already finished."],
  run_not_finished: [409, "This run has not finished yet. Poll it until it has ended."],
  payload_too_large: [413, "The body is too large. Send a smaller one."],
  validation_error: [422, "The request is invalid. See details."],
  input_too_costly: [422, "The input takes more time or memory than its budget allows. Send a shorter one."],
  rate_limit_exceeded: [429, "Too many attempts. Retry after the time in Retry-After."],
  internal_error: [500, "Unexpected server error. Contact the operator and quote the X-Request-Id."],
  capability_runs_disabled: [503, "Runs are currently disabled. Retry later; this is not permanent."],
  sign_in_unavailable: [
    503,
    "The external identity provider does not respond. Retry later, or sign in with a password.",
  ],
  database_unavailable: [503, "The database is currently unavailable. Retry later."],
  backups_unavailable: [
    503,
    "The backup folder can't be used. The operator has to repair it; `assay doctor` says how.",
  ],
  dataset_unavailable: [503, "Imported data that this request needs can't be read. The operator has to restore it."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof catalogue;
export const errorCodes = Object.keys(catalogue) as ErrorCode[];
/** Returns whether a text is an error code of the catalogue. */
export const isErrorCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(catalogue, code);
/** Returns the HTTP status of an error code. */
export const statusOf = (code: ErrorCode): number => catalogue[code][0];
/** Returns the message of an error code, which is the same in every response. */
export const messageOf = (code: ErrorCode): string => catalogue[code][1];

/**
 * One problem with an input: a JSON Pointer that starts with the part of the request (`/body/input/market`), and what
 * is expected there.
 */
export interface Detail {
  readonly path: string;
  readonly message: string;
}

/** Thrown by services for a caller's mistake, or when the current state does not allow the request. */
export class Failure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: readonly Detail[] = [],
    options?: ErrorOptions,
    /** For `missing_scope`: the scopes that the credential needs. */
    readonly scopes: readonly string[] = [],
  ) {
    super(messageOf(code), options);
    this.name = "Failure";
  }
}

/** Creates the `Failure` for a code. `cause` is only logged, never returned. */
export const failure = (code: ErrorCode, cause?: unknown) => new Failure(code, [], { cause });
/** Creates a 403 with one message per missing requirement. `scopes` are those that the credential needs. */
export const insufficient = (messages: readonly string[], scopes: readonly string[] = []) =>
  new Failure(
    "missing_scope",
    messages.map((message) => ({ path: "/header/authorization", message })),
    undefined,
    scopes,
  );
/** Like `insufficient`, when every one of the scopes is needed. */
export const lacksScopes = (scopes: readonly string[]) =>
  insufficient(
    scopes.map((scope) => `needs the scope ${scope}`),
    scopes,
  );
/** Like `insufficient`, when the caller's firm lacks entitlements. */
export const lacksEntitlements = (names: readonly string[]) =>
  insufficient(names.map((name) => `needs a firm with the entitlement ${name}`));
/** Creates a 401 for a token or link that is no longer valid. `message` says how to get a new one. */
export const noLongerValid = (path: string, message: string) => new Failure("invalid_credentials", [{ path, message }]);
/** Creates a 422 for one place in the request. */
export const invalid = (path: string, message: string) => new Failure("validation_error", [{ path, message }]);
