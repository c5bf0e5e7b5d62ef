import { consoleRoutes } from "./requirements-console.ts";

/** The tests that prove each served route. A missing route fails `bun run check`. */
export const routes: Readonly<Record<string, readonly string[]>> = {
  ...consoleRoutes,
  "GET /v1/docs": ["are all readable, and link to existing pages"],
  "GET /v1/docs/search": ["ranks a word in a title first", "invalid values are refused at their path"],
  "GET /v1/docs/{slug}": ["that do not exist are not_found, without repeating their name"],
  "GET /llms.txt": ["is the same under both names, and Markdown"],
  "GET /docs.md": ["is the same under both names, and Markdown"],
  "GET /openapi-public.json": [
    "has no lint errors",
    "carries version 0.3.0, the licence and this installation's address",
  ],
  "GET /health": ["health is static, and ready queries the database"],
  "GET /ready": ["without a database health returns 200, and ready 503 database_unavailable without a cause"],
  "GET /v1/capabilities": [
    "has the public capabilities with the values to filter by, and never the private ones",
    "filters by each of its parameters",
    "states `runnable` exactly while a run would be accepted",
  ],
  "GET /v1/me/capabilities": ["an account's own list has the public capabilities and those private to its firm"],
  "GET /v1/capabilities/{slug}": [
    "shows a private capability only to its own firm",
    "withholds statistics while fewer than five tenants have used it",
  ],
  "POST /v1/capabilities/{slug}/runs": ["a run is accepted with 202 and its engine's charge is settled"],
  "GET /v1/use-cases": ["a filter out of its bounds is 422"],
  "GET /v1/use-cases/{slug}": ["shows its steps, prices, input, limits and what currently prevents a run"],
  "POST /v1/use-cases/{slug}/quote": ["a quote's input is validated against the use case"],
  "POST /v1/use-cases/{slug}/runs": ["a run by its quote is accepted and bound by the quoted maximum"],
  "GET /v1/runs": [
    "paginates by cursor, newest first, each run once",
    "filters by each status and by capability",
    "a limit of 0 is 422",
    "a limit of 101 is 422",
  ],
  "GET /v1/runs/{run_id}": ["a key sees its own workspace, a person the whole firm, another tenant nothing"],
  "GET /v1/runs/{run_id}/receipt": [
    "a finished run's receipt verifies with the public keys alone and states the run's facts",
    "a changed receipt does not verify",
  ],
  "GET /v1/runs/{run_id}/document": [
    "delivers everything once approved, and every section of the report names its step",
    "has its document in Markdown and as a page, with all of its parts",
  ],
  "POST /v1/runs/{run_id}/approval": [
    "a second decision returns 409 approval_already_decided and changes nothing",
    "a run that is not awaiting approval returns 409 not_awaiting_approval",
    "exactly one of many concurrent decisions counts",
  ],
  "POST /v1/runs/{run_id}/cancel": [
    "a run cancelled after a charge has failed, and keeps only that charge",
    "a finished run cannot be cancelled",
    "cancelling requires the scope of the run's kind",
  ],
  "POST /v1/company-analyses": [
    "is queued with 202 and a URL to poll, and finishes with its result",
    "creates one job for 32 identical concurrent submissions, counted once",
    "does not conflict with another firm's, and conflicts with another workspace of the same firm",
    "that may not be fetched is 422 immediately, and is not echoed",
    "counts each key's new analyses, and refuses with 402 before any work starts",
  ],
  "GET /v1/jobs": ["is listed for those who may see it, newest first, by status and paginated"],
  "GET /v1/jobs/{job_id}": [
    "can be awaited in one request, until it has finished or the time is up",
    "is visible to the keys of the submitting key's user, in its workspace, and to no one else",
    "shows neither its input nor the submitting key",
    "reports its stage and progress, at most once a second",
  ],
  "GET /v1/partner-tool/access": [
    "lists which of the firm's own tools may be called, and which are off",
    "requires account:read and the firm's entitlement",
  ],
  "POST /v1/partner-tool/call": [
    "executes a call as a run, waits for it, and returns its result and charge",
    "creates one run per idempotency key, charged once",
    "returns 404 for another firm's tools and the catalogue's, as for a tool that does not exist",
    "refuses arguments that the tool does not accept, at their path",
  ],
  "GET /v1/saved-configurations": ["are run once per idempotency key, with one charge"],
  "GET /v1/saved-configurations/{configuration_id}": [
    "are read and renamed by id, in their workspace, with the saved input",
  ],
  "PATCH /v1/saved-configurations/{configuration_id}": [
    "are read and renamed by id, in their workspace, with the saved input",
  ],
  "POST /v1/saved-configurations": ["a configuration is saved with 201 and costs nothing"],
  "DELETE /v1/saved-configurations/{configuration_id}": ["are deleted without their runs"],
  "POST /v1/saved-configurations/{configuration_id}/runs": [
    "running a saved configuration reserves and charges like any run",
    "are run once per idempotency key, with one charge",
  ],
  "GET /v1/usage/summary": [
    "summarises finished runs by status, capability and day, and states the reserved credits",
    "days of 366 are 422",
  ],
  "GET /v1/provider/overview": [
    "shows a provider nothing of the platform or of other firms, however many use it",
    "has usage figures for the firm that provides it only, even after its removal",
  ],
  "GET /v1/credits": ["the ledger's entries are paginated, and add up to the balance"],
  "GET /v1/developer/scopes": [
    "include 18 for owners and admins of a firm with every entitlement",
    "exclude those of an entitlement that the firm lacks",
  ],
  "GET /v1/developer/workspaces": ["come with the firm's workspaces and the person's role, and no other firm's"],
  "GET /v1/developer/api-keys": ["a person sees only their own keys, newest first, with their last use"],
  "POST /v1/developer/api-keys": [
    "a person's key is created with 201, and works in its workspace",
    "the secret is in that response only, and not in a list, the log or the database",
    "a key for another firm's workspace is 404",
  ],
  "GET /v1/developer/api-keys/{key_id}": [
    "is read and renamed by id, even after it is revoked, and never shows its secret",
  ],
  "PATCH /v1/developer/api-keys/{key_id}": [
    "is read and renamed by id, even after it is revoked, and never shows its secret",
  ],
  "DELETE /v1/developer/api-keys/{key_id}": [
    "a revoked key is refused by the next request, and stays in the list",
    "another person's, another firm's or an unknown key is 404 and keeps working",
  ],
  "GET /v1/developer/usage/summary": ["are counted by key and by tool, for their owner only, and reset each month"],
  "GET /v1/developer/connections": ["are their own only, of both kinds, newest first"],
  "POST /v1/developer/connections": [
    "is created with 201, and its address is in that response only",
    "for another firm's workspace is 404, without a name 422",
  ],
  "DELETE /v1/developer/connections/{connection_id}": [
    "is refused by the next request once it is revoked, and stays in the list",
    "cannot be revoked by others, who get 404",
  ],
  "GET /oauth/authorize": [
    "shows the program's name as text, the redirect host, the person, and the scopes in words",
    "without a session redirects to the sign-in, and back",
    "with a repeated parameter is refused; the same resource twice is accepted",
  ],
  "POST /oauth/authorize": [
    "grants the ticked scopes in the chosen workspace",
    "grants nothing that was not on the page, whatever the form contains",
    "with a modified, expired or invalid ticket is ignored",
  ],
  "POST /oauth/register": [
    "returns the registration, always as a public client",
    "too often from one address is 429 for a minute",
  ],
  "POST /oauth/token": [
    "a strict client gets from the MCP endpoint to a token, refreshes it and revokes it",
    "used a second time is refused, and revokes what the first use granted",
    "reused later is stolen: its connection ends",
    "opens a session of the person's own, which is refreshed and ended natively",
  ],
  "POST /oauth/revoke": [
    "takes effect immediately with either token, and may be repeated",
    "with another client's token changes nothing, and an unknown token is no error",
  ],
  "GET /.well-known/oauth-protected-resource": ["names the single public address, whatever host is requested"],
  "GET /.well-known/oauth-authorization-server": ["names the single public address, whatever host is requested"],
  "GET /.well-known/openid-configuration": ["names the single public address, whatever host is requested"],
  "GET /v1/me": [
    "has six fields and is the owner's only, whatever is requested",
    "is 404 profile_not_found if missing",
  ],
  "GET /v1/workspaces": ["lists the key's own workspace only, with its owner's role"],
  "POST /v1/solution-architect/intake": [
    "without consent gets no token",
    "reports that it is complete, or each thing that is missing",
    "with two constraints that exclude each other reports them and asks which one applies",
  ],
  "GET /v1/solution-architect/inventory": ["is the catalogue as currently sold, with the registry's texts and prices"],
  "POST /v1/solution-architect/blueprint": [
    "gives each need and product a verdict with its reason",
    "another firm's solution is treated as missing on every route",
  ],
  "POST /v1/solution-architect/design": [
    "connects channels, sources, products, approvals and results, at the registry's price",
  ],
  "POST /v1/solution-architect/recommendations": [
    "show the parts of each score, which add up to it, the best first",
    "report that no option meets the budget, and by how much",
  ],
  "POST /v1/solution-architect/compose": [
    "is the same for the same needs, products and prices, and passes its own checks",
    "writes its own words before the rules' text, and leaves every fact to the rules",
    "is refused if a goal talked the model into it, and the goal was sent as data",
    "that is unavailable leaves the document to the rules, with a note, and is asked again a minute later",
  ],
  "POST /v1/solution-architect/compose/stream": [
    "reports its stages in order and each section, and ends with the document of `compose`",
    "requires access, and is refused before the first byte",
    "resumes after a restart of the server",
    "is asked once: its text is streamed, resumed after a restart, expanded and saved",
    "a failure after the first byte is an event, without its cause",
  ],
  "POST /v1/solution-architect/expand": ["is expanded by section, and an unknown section is 422 with the valid names"],
  "POST /v1/solution-architect/unlock": ["without consent is 422, and nothing is saved"],
  "GET /v1/solution-architect/resume/{token}": [
    "works for seven days",
    "opens nothing if it belongs to another installation or was altered anywhere",
    "opens nothing when used again after another save",
  ],
  "GET /v1/solution-architect/builder-spec/{token}": [
    "accepts only the template from a caller",
    "continues to show what was saved, whatever is chosen afterwards",
  ],
  "POST /auth/v1/token": [
    "returns the same body for a wrong password, an unknown person and a bad refresh token",
    "is exchanged for the next one, and an access token of the same session",
    "used later than that ends its session with all of its tokens",
    "supabase's client signs in by password, and reports a wrong one",
  ],
  "GET /auth/v1/authorize": [
    "redirects a browser, with a cookie that scripts can't read",
    "opens a session for a new person",
  ],
  "GET /auth/v1/callback": ["with another browser's cookie", "with a changed state", "the second time"],
  "POST /auth/v1/exchange-code": [
    "is valid once",
    "is valid for a minute",
    "bound to a challenge is valid with its verifier",
  ],
  "GET /auth/v1/user": ["an access token grants what its person may see"],
  "PATCH /auth/v1/user": [
    "name and language need no reauthentication",
    "the password can be changed within five minutes of the sign-in, which ends the other sessions",
    "later the current password is required, and the error says so",
  ],
  "PUT /auth/v1/user": ["supabase's client changes the password"],
  "POST /auth/v1/signup": [
    "creates a firm with a workspace, with the person as owner, without credits",
    "with an invitation joins the inviting firm, once, and only with the invited address",
    "signing up with a taken address returns the same as with a free one, and notifies its owner",
  ],
  "POST /auth/v1/verify": [
    "a new person gets no session before the address is confirmed through the link, which works once",
  ],
  "POST /auth/v1/logout": [
    "with the refresh token or the access token ends the session immediately, and may be repeated",
    "without stating the scope is refused",
  ],
  "POST /auth/v1/recover": ["is requested with the same response whether or not there is an account"],
  "POST /auth/v1/reset-link": [
    "has a link that states the number of keys and connections, and revokes them on request",
  ],
  "POST /auth/v1/reset-password": ["is replaced through the link, once, and every session ends"],
  "GET /auth/v1/sessions": ["of another session works from the list of sessions"],
  "DELETE /auth/v1/sessions/{session_id}": ["of another session works from the list of sessions"],
  "GET /auth/v1/.well-known/jwks.json": [
    "tokens signed before a key rotation still work, and new ones are signed with the new key",
    "supabase's client verifies access tokens itself with the public keys",
  ],
  "GET /.well-known/jwks.json": [
    "a finished run's receipt verifies with the public keys alone and states the run's facts",
  ],
  "GET /v1/public/eu-overview": [
    "the public overview needs no credential, has every country, and has the same bytes until an import",
  ],
  "GET /v1/market-intelligence/de/summary": [
    "the summary is public, matches its schema, and has the same bytes until an import",
  ],
  "GET /v1/market-intelligence/de/dashboard": [
    "every other route requires scope and entitlement, and the universe the enterprise tier",
    "are on no route for others, and reported as withheld",
  ],
  "GET /v1/market-intelligence/de/access": ["`access` states this in advance, for any credential"],
  "GET /v1/market-intelligence/de/entities": [
    "can't be found out by searching for them",
    "refuses values out of bounds, and unknown fields",
  ],
  "GET /v1/market-intelligence/de/entities/{target_key}": ["are on no route for others, and reported as withheld"],
  "GET /v1/market-intelligence/de/universe": [
    "filters by exact values, and by several at once",
    "paginates by offset and by cursor, and refuses the cursor of other data",
    "reports in every response that there are no data",
  ],
  "GET /v1/market-intelligence/de/universe/counts": [
    "every other route requires scope and entitlement, and the universe the enterprise tier",
    "reports in every response that there are no data",
  ],
  "GET /v1/market-intelligence/de/universe/{candidate_id}": [
    "are proposed by register number, and by name and place, and never merged",
  ],
  "POST /v1/market-intelligence/de/enrichments": [
    "proposes values with evidence from the firm's own pages, and changes no record",
    "counts towards its user's month, and stops at the limit",
  ],
  "GET /v1/market-intelligence/de/enrichments/{job_id}": ["is visible to its own firm only, and not among other jobs"],
  "GET /v1/market-intelligence/de/research-playbook": [
    "every other route requires scope and entitlement, and the universe the enterprise tier",
  ],
  "GET /v1/market-intelligence/de/structure": ["is summed from the rows, and always the same"],
  "GET /v1/market-intelligence/depth": [
    "puts Germany on the last rung of the ladder, which it leaves if there are no rows",
  ],
  "GET /v1/insurance/catalog": ["the public catalogue counts live documents, and samples and legal notes separately"],
  "GET /v1/insurance/coverage": ["coverage states the documents and the state of the index per market"],
  "GET /v1/insurance/providers": ["providers are those with documents of the country and the line"],
  "POST /v1/validator/usage": [
    "on a study charged by its own run returns that charge, and charges nothing",
    "on an imported study charges its stored personas once, even for simultaneous reports",
    "on a study without personas is 422 at its id",
    "that the firm can't pay is 402, and can be repeated after a top-up",
    "requires an API key with its scope, and finds only the firm's own studies",
  ],
  "POST /v1/insurance/ask": [
    "each quotation is verbatim in the passage that it cites",
    "without evidence the answer says so in the question's language, cites nothing and is FAIL",
    "the month's last question is answered, the next is 402 before any work, for that user only",
    "a closed gate is 503 and does not count towards the quota",
  ],
};
