import { type ErrorCode, errorCodes, messageOf, statusOf } from "../platform/errors.ts";
import type { OpenApi, ResponseObject } from "./openapi-document.ts";

/** What all operations of the document share: error responses, headers, security schemes and descriptions. */

const header = (description: string) => ({ description, schema: { type: "string" } });

export const headers = {
  RequestId: header("Identifies this response in the operator's log."),
  RetryAfter: header("Seconds to wait before the next attempt."),
  Challenge: header('`Bearer`; if a scope is missing, `Bearer error="insufficient_scope", scope="…"`.'),
  Location: header("Where to read the accepted resource, relative to the base URL."),
  Replayed: header("`true` if the idempotency key was used before and this is the earlier response."),
};
/** Returns a reference to a shared header. */
export const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

/** Every response has it. */
export const requestIdHeader = { "X-Request-Id": headerRef("RequestId") };

export const securitySchemes: OpenApi["components"]["securitySchemes"] = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "assay_sk_…",
    description: "An API key. It has explicit scopes, is bound to one workspace, and can be revoked at any time.",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A person's access token, valid for 15 minutes. Its permissions follow from the person's role in the firm.",
  },
  browserSession: {
    type: "apiKey",
    in: "cookie",
    name: "assay_refresh",
    description: "An operator's browser session, started by `POST /session`. Neither a key nor a token can replace it.",
  },
};

const refusalNames: Readonly<Record<string, string>> = {
  401: "Unauthorized",
  402: "QuotaExceeded",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "TooLarge",
  422: "Invalid",
  429: "TooManyAttempts",
  500: "InternalError",
  503: "Unavailable",
};

/** Errors that any route may return, declared or not. */
const anywhere: readonly ErrorCode[] = [
  "payload_too_large",
  "rate_limit_exceeded",
  "internal_error",
  "database_unavailable",
];

const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** Returns a reference to the shared error response with this status. */
export const refusalRef = (status: string) => responseRef(refusalNames[status] ?? "Refused");

/** The response for any other error. */
export const anyRefusal = responseRef("Refused");

function refusal(codes: readonly ErrorCode[]): ResponseObject {
  const statuses = new Set(codes.map(statusOf));
  const examples = codes.map((code) => [code, { value: { error: { code, message: messageOf(code) } } }]);
  return {
    description: `\`error.code\` is one of ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: {
      ...requestIdHeader,
      ...((statuses.has(429) || statuses.has(503)) && { "Retry-After": headerRef("RetryAfter") }),
      ...((statuses.has(401) || statuses.has(403)) && { "WWW-Authenticate": headerRef("Challenge") }),
    },
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples: Object.fromEntries(examples) },
    },
  };
}

/** Returns the shared error responses that the paths refer to: for each status, the catalogue's codes. */
export function refusalResponses(paths: OpenApi["paths"]): Record<string, ResponseObject> {
  const named = Object.entries(refusalNames).map(([status, name]): [string, ResponseObject] => [
    name,
    refusal(errorCodes.filter((code) => statusOf(code) === Number(status))),
  ]);
  const references = JSON.stringify(paths);
  const used = named.filter(([name]) => references.includes(`"${responseRef(name).$ref}"`));
  return { ...Object.fromEntries(used), Refused: refusal(anywhere) };
}

/** Descriptions of parameters whose schema has none. */
export const parameterWords: Readonly<Record<string, string>> = {
  access: "Only those with this access.",
  capability: "Only runs of this capability, by its slug.",
  category: "Only those of this category; case-insensitive.",
  configuration_id: "The saved configuration's id.",
  connection_id: "The connection's id, which is not a secret.",
  country: "An ISO 3166-1 alpha-2 code, `EU` or `GLOBAL`.",
  cursor: "`next_cursor` of the previous page. If absent, the first page.",
  days: "Number of days up to and including today (UTC).",
  document_id: "The document's id.",
  firm_id: "The firm's id.",
  from: "Not before this day (UTC).",
  "idempotency-key": "A new key for each operation. Repeating a key with the same input returns the earlier result.",
  include: "Which other keys are included.",
  import_id: "The import's id.",
  invitation_id: "The invitation's id.",
  job_id: "The job's id.",
  key_id: "The API key's id, which is not a secret.",
  limit: "Maximum number of items.",
  max_price: "Only those with a maximum price, in credits, of at most this.",
  outcome: "Only those with this outcome; case-insensitive.",
  pricing_model: "Only those with this pricing model.",
  product_line: "Only this line of insurance; documents for all lines count for each.",
  provider: "Only those of this provider.",
  q: "Words to search for; accents and case do not matter.",
  run_id: "The run's id.",
  grant_type: "What is exchanged for a session: a password or a refresh token.",
  scope: "Which of the person's sessions end: this one (`local`, the default), the `others`, or all (`global`).",
  session_id: "The session's id.",
  slug: "The slug, as lists show it.",
  target_key: "The record's key, as returned by lists.",
  tier: "Only those of this tier.",
  sector: "Only those of this sector.",
  city: "Only those of this place.",
  name: "The name, as lists show it.",
  offset: "Number of items to skip.",
  candidate_id: "The row's id, as returned by lists.",
  to: "Not after this day (UTC).",
  user_id: "The person's id.",
  use_case: "Only runs of this use case, by its slug.",
  wait: "Wait for it to end, for at most this many seconds, before responding.",
  workspace_id: "Only those of this workspace.",
  status: "Only those with this status.",
  template: "What is to be built.",
  token: "A token of the solution's intake or unlock.",
};

/** The tags, in display order. */
export const tagWords: Readonly<Record<string, string>> = {
  Runs: "Start runs, poll them, decide approvals, and fetch their signed receipts.",
  Capabilities: "Discover and inspect what can be run.",
  "Use cases": "Outcomes built from capabilities: discover, inspect, quote and run them.",
  Jobs: "Submit company analyses, and poll their jobs.",
  Insurance: "Ask about insurance, and see which documents answers come from.",
  Validator: "Report the usage of a market validator study.",
  "Market intelligence": "Look up market data, each figure with its period and source.",
  "Solution architect": "Turn goals into a priced solution that can be built.",
  "Partner tool": "Call the tools of the firm's own connectors.",
  "Saved configurations": "Save inputs by name and run them again.",
  Usage: "Reconcile: what ran, what it cost, what is left.",
  Account: "The user, firm and workspace of an API key.",
  Developer: "Manage your API keys and connections, and see their usage.",
  Team: "The people of your firm: roles, invitations, and their keys.",
  "Sign-in": "Sign up, sign in, refresh sessions, and manage your account.",
  OAuth: "Authorise applications for `/mcp`: the protocol's endpoints (OAuth 2.1) and their metadata.",
  Operator: "Run the installation: firms, gates, connectors, documents, audit log, backups, health.",
  Keys: "The public keys for verifying receipts and access tokens.",
  Documentation: "The documentation as data, as plain Markdown, and as this document.",
  Status: "Whether the server is up, and whether it can reach its database.",
};
