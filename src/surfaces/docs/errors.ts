import { type ErrorCode, errorCodes, messageOf, statusOf } from "../../platform/errors.ts";
import { fenced, list } from "./markdown.ts";
import type { Page } from "./schema.ts";

interface Advice {
  /** When the API returns the code. */
  readonly when: string;
  /** What the caller should do. */
  readonly steps: readonly string[];
  /** Whether the same request may succeed later without a change. */
  readonly retry: string;
  readonly related?: readonly string[];
}

const never = "No. The same request gets the same response.";
const later = "Yes, after the seconds in `Retry-After`.";

/** The advice for each error code. A new code does not compile without its advice. */
export const advice: Readonly<Record<ErrorCode, Advice>> = {
  invalid_api_key: {
    when: "The credential is missing, malformed, expired or revoked, or is of a kind that the endpoint does not accept, such as an API key where a person's access token is required.",
    steps: [
      "Send `Authorization: Bearer …` with the whole secret; it ends in a checksum, so a truncated one is refused.",
      "Check in the reference which credential the endpoint accepts.",
      "Create a new key if this one has expired or was revoked.",
    ],
    retry: "No, not with this credential.",
    related: ["authentication"],
  },
  invalid_credentials: {
    when: "E-mail address and password do not match, or a refresh token, code or link is wrong, expired or already used. An unknown address gets the same response.",
    steps: [
      "Check the address and the password, or reset the password.",
      "Sign in again if a refresh token or code was refused.",
      "Request a new link if a link was refused.",
    ],
    retry: "No, not with these credentials.",
    related: ["authentication"],
  },
  quota_exceeded: {
    when: "A monthly quota or the firm's trial runs are used up. Nothing was started and nothing was charged.",
    steps: [
      "Stop.",
      "Ask the account's owner: the operator of the installation can raise the quota.",
      "If it was the trial runs, run with `mode: live`.",
    ],
    retry: "Not until the quota is renewed or raised.",
    related: ["credits", "limits"],
  },
  missing_scope: {
    when: "The credential is valid, but lacks a scope, its owner lacks a role, or the firm lacks an entitlement.",
    steps: [
      "Read which scope, role or entitlement is missing: `details` names it, and `WWW-Authenticate` the scopes.",
      "Create a key with that scope, or ask the firm's owner for one.",
      "If an entitlement is missing, the firm's owner can ask the operator to grant it.",
    ],
    retry: never,
    related: ["authentication"],
  },
  not_found: {
    when: "There is nothing at this address that you have access to. A resource of another tenant gets the same response as one that does not exist.",
    steps: ["Check the id or slug, and that the key belongs to the workspace in which the resource was created."],
    retry: never,
    related: ["authentication"],
  },
  recent_sign_in_required: {
    when: "An operator's change was requested in a session whose sign-in is 15 minutes old or older. Nothing was changed.",
    steps: ["Sign in again, for example with `POST /session`.", "Repeat the request."],
    retry: "Yes, after a sign-in.",
    related: ["authentication"],
  },
  profile_not_found: {
    when: "The key is valid, but its user has no profile.",
    steps: ["Ask the operator to check the user's record."],
    retry: never,
    related: ["authentication"],
  },
  method_not_allowed: {
    when: "The path exists, but not with this method.",
    steps: ["Use one of the methods in the `Allow` header."],
    retry: never,
  },
  idempotency_conflict: {
    when: "The firm has already used this idempotency key for the same operation with another input. Nothing was started.",
    steps: ["Send a new key with the new input.", "Send the old input to get the original answer again."],
    retry: never,
    related: ["idempotency"],
  },
  commercial_validation_required: {
    when: "The use case awaits commercial validation, and its gate is closed.",
    steps: ["Do not retry.", "Contact the operator of the installation."],
    retry: "No.",
    related: ["product-loop"],
  },
  price_exceeds_maximum: {
    when: "The current price exceeds the `maximum_credits` of the request. Nothing was reserved.",
    steps: ["Read the current price in the capability's record.", "Raise `maximum_credits`, if you accept that price."],
    retry: never,
    related: ["credits"],
  },
  quote_invalid: {
    when: "The quote has expired (it is valid for one hour), or was made for another input, version or price.",
    steps: ["Get a new quote for exactly this input.", "Run with the new `quote_id`."],
    retry: never,
    related: ["product-loop"],
  },
  trial_not_available: {
    when: "The request has `mode: trial`, but the capability has no trial.",
    steps: ["Run with `mode: live`."],
    retry: never,
    related: ["credits"],
  },
  approval_already_decided: {
    when: "Someone has already decided this approval, or it has expired.",
    steps: ["Read the run: `approval` shows the decision, who made it, and when."],
    retry: never,
    related: ["approvals"],
  },
  not_awaiting_approval: {
    when: "Nothing in the run awaits approval.",
    steps: ["Read the run's `status` first: an approval can be decided only while it is `awaiting_approval`."],
    retry: never,
    related: ["approvals"],
  },
  run_already_finished: {
    when: "The run to be cancelled has already ended.",
    steps: ["Read the run: its `charges` show what was charged and what was released."],
    retry: never,
    related: ["runs"],
  },
  run_not_finished: {
    when: "The receipt was requested before the run had ended.",
    steps: ["Poll the run until it is `succeeded`, `failed` or `refused`; then `receipt_url` is set."],
    retry: "Yes, once the run has ended.",
    related: ["receipts"],
  },
  payload_too_large: {
    when: "The body is larger than the limit. It was refused before it was read.",
    steps: ["Send less in one request: fewer sources, shorter texts."],
    retry: never,
    related: ["limits"],
  },
  validation_error: {
    when: "The request does not match the endpoint's schema: a field is missing, unknown, too long or of another type, the JSON is malformed, or the content type is not `application/json`.",
    steps: [
      "Read `details`: each entry has a `path` such as `/body/input/country`, `/query/limit` or `/header/idempotency-key`, and says what is expected there.",
      "Correct these values. The response never repeats a rejected value.",
    ],
    retry: never,
    related: ["errors"],
  },
  input_too_costly: {
    when: "Processing the input would take more processor time or memory than the capability's budget, or the answer has more sentences than are compared. A run fails with this code, and nothing is charged; `POST /v1/insurance/ask` returns it.",
    steps: [
      "Send a shorter text, or split it into several runs. The run's `status_reason` says which limit was exceeded.",
      "Remove anything that is not prose: rows of symbols, tables of single letters, repeated lines.",
    ],
    retry: never,
    related: ["limits"],
  },
  rate_limit_exceeded: {
    when: "Too many attempts within a minute: failed ones from one address or for one account, or invitations, registrations and changes of address, which count even if they succeed.",
    steps: ["Wait as long as `Retry-After` says.", "If a credential was refused before, correct it first."],
    retry: later,
    related: ["limits"],
  },
  internal_error: {
    when: "An unexpected error occurred. Its cause is in the operator's log.",
    steps: [
      "Send the request again with the same idempotency key: it can't be carried out twice.",
      "Quote the `X-Request-Id` of the response to the operator.",
    ],
    retry: "Once, with the same idempotency key.",
    related: ["support", "idempotency"],
  },
  capability_runs_disabled: {
    when: "Runs are currently disabled: a gate is closed, or the engine is not ready. This is not permanent.",
    steps: [
      "Read `runnable` in the capability's or use case's record.",
      "Try again later with the same idempotency key.",
    ],
    retry: later,
    related: ["product-loop"],
  },
  sign_in_unavailable: {
    when: "The external identity provider of this installation does not respond.",
    steps: [
      "Sign in with e-mail address and password in the meantime.",
      "Inform the operator: the log has the provider's response.",
    ],
    retry: later,
    related: ["authentication"],
  },
  database_unavailable: {
    when: "The database can't be read or written.",
    steps: ["Send the request again with the same idempotency key.", "Check `/ready`."],
    retry: later,
    related: ["support"],
  },
  backups_unavailable: {
    when: "The server can't read or write the folder `backups`, for example because another user's command created it, or because the disk is full.",
    steps: [
      "Run `assay doctor`, which names the paths that the server's user can't access. The server's log has the system's error.",
    ],
    retry: "Not until the folder can be used.",
    related: ["operations"],
  },
  dataset_unavailable: {
    when: "The rows of an imported dataset are missing or can't be read, for example after a restore without the folder `datasets`. A run that needs them fails with this code.",
    steps: ["Inform the operator: `assay doctor` names the tables, and the server's log the files."],
    retry: "Not until the operator has put the data back.",
    related: ["datasets", "support"],
  },
};

function errorPage(errorCode: ErrorCode): Page {
  const { when, steps, retry, related = [] } = advice[errorCode];
  const error = { code: errorCode, message: messageOf(errorCode) };
  return {
    slug: errorCode,
    title: errorCode,
    summary: `HTTP ${statusOf(errorCode)}. ${error.message}`,
    kind: "error",
    group: "Error codes",
    related: ["errors", ...related.filter((slug) => slug !== "errors")],
    body: [
      `HTTP status ${statusOf(errorCode)}.`,
      "## When",
      when,
      "## What to do",
      list(steps),
      "## Retry",
      retry,
      "## Body",
      fenced("json", JSON.stringify({ error }, null, 2)),
    ].join("\n\n"),
  };
}

/** Builds a page for each error code, with the code as its slug. */
export const errorPages = (): Page[] => errorCodes.map(errorPage);
