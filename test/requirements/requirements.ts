import { clientRules } from "./requirements-client.ts";
import { connectorRules } from "./requirements-connectors.ts";
import { validatorRules } from "./requirements-validator.ts";

/** A sentence of the specification or of its contract, and the names of the tests that prove it. */
export interface Requirement {
  readonly says: string;
  readonly tests: readonly string[];
}

/** Requirements that hold for every request. */
export const rules: readonly Requirement[] = [
  {
    says: "Discovery never implies access, entitlement, or permission to spend credits.",
    tests: [
      "a quote is free: it reserves nothing and needs no credential",
      "a capability that the firm is not entitled to returns 403 missing_scope",
      "a key for the documentation only cannot change anything",
    ],
  },
  {
    says: "Charging: quote first; reserve the maximum only when a run starts; settle each successful step once; release the unused amount.",
    tests: [
      "a run is accepted with 202 and its engine's charge is settled",
      "a run whose engine is busy is queued, reserves nothing yet, and runs in its turn",
      "a run by its quote is accepted and bound by the quoted maximum",
      "end with reserved = charged + released, and the actions agree with the context",
      "settle each step at most once, withhold it or settle it, and charge it at most its maximum",
      "sums to zero, leaves no account below zero, and is provable from its transfers",
      "a second settlement of a step",
    ],
  },
  {
    says: "A refused run is not charged.",
    tests: [
      "a run without enough credits is refused and not charged",
      "a gate that closes while a run is queued refuses it",
      "a queued run is refused if the credits have been spent meanwhile",
      "a run cancelled before its first charge is refused, its engine aborted and nothing charged",
      "a refused trial is refunded",
    ],
  },
  {
    says: "A status of awaiting_approval is a pause; no named-contact output proceeds without human approval.",
    tests: [
      "the output is shown to owners and approvers, and hidden from keys, admins and members",
      "the step's credits stay reserved and are not charged yet",
      "approving charges the step, shows its output and continues the run",
      "rejecting withholds the step, releases its credits, erases its output and continues the run",
      "unapproved output is not stored in clear text, and rejected output is erased",
      "expires after seven days: the step is withheld and the run continues",
      "keys, admins and members cannot decide",
    ],
  },
  {
    says: "Health is static and public; readiness checks database connectivity only, and never returns connection details.",
    tests: [
      "health is static, and ready queries the database",
      "without a database health returns 200, and ready 503 database_unavailable without a cause",
    ],
  },
  {
    says: "All input schemas reject unknown properties.",
    tests: [
      "an unknown property is refused and not stripped",
      "an unknown property of the input is refused and not stripped",
    ],
  },
  {
    says: "Trial: per capability, a number of runs for each firm.",
    tests: [
      "trials are counted per firm and refused with 402 when exhausted",
      "a trial of a capability without trials returns 409 trial_not_available",
      "a trial costs the trial's price",
    ],
  },
  {
    says: "Quote: current maximum price, step breakdown, approval requirement, execution gate. Valid one hour; reserved_credits is always 0.",
    tests: [
      "a quote is free: it reserves nothing and needs no credential",
      "a quote is valid for one hour, and for the same input with its properties in any order",
      "a quote of a gated use case says which gate is closed",
      "a quote for another input is refused with quote_invalid",
    ],
  },
  {
    says: "Run states: queued, running, succeeded, failed, refused, awaiting_approval; terminal are succeeded, failed, refused.",
    tests: [
      "reach every state of the machine",
      "take every transition that the run's diagram shows, and no other",
      "filters by each status and by capability",
      "order nothing after the end, whatever event follows",
    ],
  },
  {
    says: "Company analyses: a repeat with the same canonical input returns the original job and consumes no quota.",
    tests: [
      "creates one job for 32 identical concurrent submissions, counted once",
      "returns the same job after a restart too, whatever its state",
      "is the same in every spelling of it",
    ],
  },
  {
    says: "Work is a durable tenant-owned queue.",
    tests: [
      "after any commit of a run loses nothing and charges nothing twice",
      "while an engine runs repeats the step with the same key, charged once",
      "100 runs of a killed process all finish after a restart, each charged once",
      "a step that finishes while the disk is full is written once there is space again, charged once",
      "with 100 unfinished jobs lets all of them finish",
      "a job that finishes while the disk is full is written once there is space again",
      "stopping starts nothing more and leaves queued runs to the next start",
    ],
  },
  {
    says: "Keys carry explicit scopes, are bounded to one workspace, and can be revoked instantly.",
    tests: [
      "a credential without the scope or the role returns 403 missing_scope",
      "a key sees its own workspace, a person the whole firm, another tenant nothing",
      "a revoked key is refused by the next request, and stays in the list",
      "a key never exceeds its creator's role, even when that changes",
      "a missing, malformed, expired or revoked credential returns 401",
    ],
  },
  {
    says: "Browser sign-in is by password grant, refresh-token grant, or a one-time OAuth callback code exchanged for a session.",
    tests: [
      "supabase's client signs in by password, and reports a wrong one",
      "supabase's client refreshes its session",
      "lets 250 people in at once while the server keeps responding, hashing at most two at a time",
      "opens a session for a new person",
    ],
  },
  {
    says: "A personal connection URL carries a personal token; the MCP server exchanges it for a short-lived session scoped validator:mcp:access bound to the account; the URL never reaches a log.",
    tests: [
      "opens /mcp by its address or as a bearer token, for the documentation and the validator only",
      "opens only /mcp",
      "outlives its session of fifteen minutes, and shows its last use",
      "is created with 201, and its address is in that response only",
      "an operator lists a firm's connections, and revokes one with immediate effect",
    ],
  },
  {
    says: "OAuth for MCP: PKCE S256 only, exact redirects but for loopback ports, one resource, codes for 60 s and once; a second use revokes what the first gave.",
    tests: [
      "a strict client gets from the MCP endpoint to a token, refreshes it and revokes it",
      "used a second time is refused, and revokes what the first use granted",
      "of another client is refused, and stays valid for its own",
      "may redirect to loopback with any port",
      "is valid for sixty seconds",
      "used many times concurrently gives at most one connection, which is revoked",
    ],
  },
  {
    says: "Client id metadata documents are fetched through the guard.",
    tests: [
      "a client is accepted by the document at the URL that is its id, without registration",
      "nothing is fetched for people who have not signed in",
      "if its host is inside the network",
      "a document is refused with an error page",
    ],
  },
  {
    says: "The first 401 challenges with all scopes that make sense, the consent page narrows them; a later insufficient_scope names the union of granted and needed.",
    tests: [
      "names every scope useful at first, and an error only for a rejected credential",
      "names the granted and the required scopes if one is missing",
      "offers what the person's role and firm allow, and nothing else",
    ],
  },
  {
    says: "One canonical public URL for issuer, resource and audience.",
    tests: [
      "names the single public address, whatever host is requested",
      "of an installation on a path is where the standards look for it",
      "is exchanged for uncacheable tokens, for this resource only",
    ],
  },
  {
    says: "A short-lived state cookie protects the callback.",
    tests: [
      "without the cookie",
      "with another browser's cookie",
      "with a changed cookie",
      "after more than ten minutes",
    ],
  },
  {
    says: "The browser session is in HttpOnly, SameSite=Lax, Secure cookies, with an Origin check on every unsafe method.",
    tests: [
      "is kept in cookies unreadable to scripts, not sent from other sites, and never cached",
      "waits for TLS at an https address, with cookie names that no sibling host can set",
      "a change authorised by a cookie, sent from",
      "is not accepted where only API keys are",
    ],
  },
  {
    says: "Wrong password, unknown user and bad refresh token: 401 invalid_credentials, same body and same time.",
    tests: [
      "returns the same body for a wrong password, an unknown person and a bad refresh token",
      "takes the same time for an unknown person as for a known one",
    ],
  },
  {
    says: "A token whose successor was never used, or used within the last 10 s, gives a fresh session of the same family; any other reuse revokes the family.",
    tests: [
      "may be reused until its successor is used, as the response may have been lost",
      "may be reused within ten seconds of its successor's first use, for parallel tabs",
      "used later than that ends its session with all of its tokens",
    ],
  },
  {
    says: "Ten wrong passwords an account, thirty an address, each per minute; Retry-After at most 60.",
    tests: [
      "locks an account for a minute after ten wrong passwords, even for the right one",
      "rate-limits concurrent wrong passwords too",
      "locks an address for a minute after thirty wrong passwords for any accounts",
    ],
  },
  {
    says: "Missing, invalid, expired or revoked credential: 401 invalid_api_key. Valid credential without the needed scope: 403 missing_scope.",
    tests: [
      "a missing, malformed, expired or revoked credential returns 401",
      "a credential without the scope or the role returns 403 missing_scope",
      "the credential and the scope are checked before the input",
      "a key stops working once its owner has left the firm",
    ],
  },
  {
    says: "Tenant isolation: a job or run belonging to another tenant is indistinguishable from a missing one (404).",
    tests: [
      "another tenant's ids return byte for byte the same as missing ones",
      "another firm's owner gets 404",
      "shows a private capability only to its own firm",
      "the ledger's entries of another firm are not shown",
      "a query without its tenant is refused before it reaches the database",
    ],
  },
  {
    says: "Error body: { error: { code, message } }; messages are fixed strings.",
    tests: [
      "every error code has a status of the contract and a message that says what to do",
      "no rejected value is echoed or logged",
      "an unexpected error is 500 internal_error, with its cause in the log under the request's id only",
    ],
  },
  {
    says: "402 quota_exceeded, returned before work starts.",
    tests: [
      "an exhausted monthly quota returns 402 before any work starts",
      "a monthly quota resets with the next month",
      "counts each key's new analyses, and refuses with 402 before any work starts",
      "admits exactly as many concurrent requests as are left",
    ],
  },
  {
    says: "409 idempotency_conflict: the idempotency key was already used with different input.",
    tests: [
      "a reused key with another input returns 409 idempotency_conflict and creates nothing",
      "32 identical concurrent submissions create one run",
      "the order of an input's properties does not matter for its key",
      "a replay returns the same run after its gate was closed and after a restart",
      "a refused request does not claim its key",
      "one firm's key does not conflict with another's",
    ],
  },
  {
    says: "409 commercial_validation_required: use-case run gated; do not retry.",
    tests: [
      "a use case with a closed commercial gate returns 409 without Retry-After",
      "opening the commercial gate opens the use case",
    ],
  },
  {
    says: "capability_runs_disabled: temporary, retry later.",
    tests: [
      "a closed platform gate returns 503 capability_runs_disabled with Retry-After",
      "a closed capability gate returns 503 capability_runs_disabled",
      "an engine that is not ready returns 503 capability_runs_disabled",
    ],
  },
  {
    says: "429 rate_limit_exceeded guards against guessing keys.",
    tests: ["after 200 wrong keys in a minute an address has to wait as long as Retry-After says"],
  },
  {
    says: "503 database_unavailable: database temporarily unavailable.",
    tests: ["a full disk is 503 database_unavailable with Retry-After, and health still responds"],
  },
  {
    says: "Idempotency-Key length, capability runs and saved-configuration repeat: 8-200 characters.",
    tests: [
      "an idempotency key of seven characters is 422",
      "an idempotency key of 201 characters is 422",
      "idempotency keys of 8 and of 200 characters are accepted",
      "running a saved configuration requires an idempotency key",
    ],
  },
  {
    says: "An unknown route is 404, a known path with a wrong method 405 with Allow, a body over the limit 413.",
    tests: [
      "an unknown path is 404",
      "a known path with a wrong method is 405 with Allow",
      "over the limit is 413",
      "a body over the limit without a stated length is 413 too",
    ],
  },
  {
    says: "HEAD works wherever GET does; ETag and If-None-Match on catalogue reads.",
    tests: [
      "HEAD works wherever GET does, with the same status and headers and no body",
      "catalogue reads have an ETag and return 304 to callers that send it, until something changes",
    ],
  },
  {
    says: "Every response carries X-Request-Id.",
    tests: ["every response has its own request id"],
  },
  {
    says: "Retries: exponential back-off with full jitter, at most 5 attempts, only for retryable errors; a deadline per step.",
    tests: [
      "a retryable failure is retried after a pause, up to five attempts in total",
      "that fails with a retryable error is retried after a pause, five attempts in total",
      "a permanent failure is not retried, and its reservation is released",
      "a step past its deadline is aborted and retried, even if its engine ignores the signal",
      "attempt no step more than five times",
    ],
  },
  {
    says: "A hosted MCP server is available at {base_url}/mcp; both generations of clients, stateless, and no session is lost.",
    tests: [
      "of the SDK connects, lists, calls, reads and prompts, and does not notice a restart",
      "discovers the server, and how long lists may be cached",
      "with a session of another server is told to start again",
    ],
  },
  {
    says: "Read-only documentation group, scope docs:read; all free (no reservation or charge).",
    tests: [
      "lists, finds and reads pages",
      "shows a firm's private pages to that firm only",
      "quotes without reserving anything",
    ],
  },
  {
    says: "List only the tools the caller's scopes allow, in a fixed order, together under 5,000 tokens.",
    tests: [
      "in a fixed order, the documentation's first, for a key with every scope",
      "only within the caller's scopes and the firm's entitlements",
      "only while they have an engine",
      "fits into 5,000 tokens, at four characters each",
    ],
  },
  {
    says: "api_key_required: connection is not an API key carrying both company:analyze and jobs:read; OAuth and personal tokens refused.",
    tests: ["accepts only an API key with both of its scopes", "is refused the company analysis, whatever its scopes"],
  },
  {
    says: "Nothing blocks longer than 45 s: long work returns its handle with a polling hint; progress where the client asked.",
    tests: [
      "returns its handle after 45 seconds, and get_run the result",
      "returns running with its handle after 45 seconds",
      "reports its progress to a client that asks, and never goes back",
    ],
  },
  {
    says: "/mcp opens to OAuth tokens for its own resource, API keys and personal connections; a native sign-in token is 401 there.",
    tests: [
      "if missing is 401, with where to get one and the scopes",
      "if invalid is 401 invalid_token, as is a session's",
      "opens the documentation's tools by its address alone",
    ],
  },
  {
    says: "Host and Origin are checked.",
    tests: ["to a forged host is 403", "from an origin that is neither ours nor configured is 403"],
  },
  {
    says: "Usage is metered per key and connection.",
    tests: ["by key and tool, with errors and credits", "has its calls counted under its own name, for its owner only"],
  },
  {
    says: "Concurrency per engine and per tenant is bounded and fair.",
    tests: [
      "delays a firm's first entry by one turn however many another firm has queued (%p)",
      "limits hold, no slot stays free while an entry may take it, and each firm's order is kept",
      "another firm's run goes before the second of a firm already being served",
    ],
  },
  ...clientRules,
  ...connectorRules,
  ...validatorRules,
];
