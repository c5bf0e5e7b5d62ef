import { consoleRoutes } from "./requirements-console.ts";

/** The tests that prove each served route. A missing route fails `bun run check`. */
export const routes: Readonly<Record<string, readonly string[]>> = {
  ...consoleRoutes,
  "GET /v1/docs": ["every page of the list can be read, and leads on to pages that exist"],
  "GET /v1/docs/search": ["a word in a title comes first", "what is out of bounds is refused at its place"],
  "GET /v1/docs/{slug}": ["an unknown page is not_found, without its name coming back"],
  "GET /llms.txt": ["is the same by both names, and Markdown"],
  "GET /docs.md": ["is the same by both names, and Markdown"],
  "GET /openapi-public.json": [
    "has no lint errors",
    "carries version 0.3.0, the licence and this installation's address",
  ],
  "GET /health": ["health is static and ready asks the database"],
  "GET /ready": ["without a database health answers 200, and ready 503 database_unavailable without a cause"],
  "GET /v1/capabilities": [
    "shows what is public with the values to filter by, and never what is private",
    "filters by each of its parameters",
    "says runnable exactly while a run would be accepted",
  ],
  "GET /v1/me/capabilities": ["an account's own list holds the public ones and what is private to its firm"],
  "GET /v1/capabilities/{slug}": [
    "shows what is private to a firm to that firm alone",
    "withholds statistics while fewer than five tenants have used it",
  ],
  "POST /v1/capabilities/{slug}/runs": ["a run is accepted with 202 and its engine's charge is settled"],
  "GET /v1/use-cases": ["a filter out of its bounds is 422"],
  "GET /v1/use-cases/{slug}": ["shows its steps, prices, input, limits and what stands in the way of a run now"],
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
    "delivers all of it once approved, and every section of the report names its step",
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
    "is queued with 202 and a URL to poll, and ends with its result",
    "makes one job of 32 identical submissions at once, counted once",
    "is free for another firm, and a conflict for another workspace of its own",
    "that may not be fetched is 422 at once, and is not echoed",
    "counts each key's new analyses, and refuses with 402 before any work starts",
  ],
  "GET /v1/jobs": ["is in the list of those who may see it, the newest first, by status and page by page"],
  "GET /v1/jobs/{job_id}": [
    "is waited for in one request, until it has ended or the time is over",
    "is visible to the keys of the user whose key submitted it, in its workspace, and to nobody else",
    "shows neither its input nor whose key asked for it",
    "tells its stage and progress, at most once a second",
  ],
  "GET /v1/partner-tool/access": [
    "says which of the firm's own tools may be called, and which are off",
    "needs account:read and the firm's entitlement",
  ],
  "POST /v1/partner-tool/call": [
    "carries a call out as a run, waits for it, and answers with its result and its charge",
    "under one idempotency key is one run, charged once",
    "knows neither another firm's tools nor the catalogue's: 404, as for a tool that nobody has",
    "refuses arguments that the tool does not take, at their place",
  ],
  "GET /v1/saved-configurations": ["a repeat under the same key answers the same run and charges once"],
  "GET /v1/saved-configurations/{configuration_id}": [
    "one is read and renamed by its id, in its workspace, with the input as it was saved",
  ],
  "PATCH /v1/saved-configurations/{configuration_id}": [
    "one is read and renamed by its id, in its workspace, with the input as it was saved",
  ],
  "POST /v1/saved-configurations": ["a configuration is saved with 201 and costs nothing"],
  "DELETE /v1/saved-configurations/{configuration_id}": ["a deleted one is gone, and its runs stay"],
  "POST /v1/saved-configurations/{configuration_id}/runs": [
    "running a saved configuration reserves and charges as any run",
    "a repeat under the same key answers the same run and charges once",
  ],
  "GET /v1/usage/summary": [
    "the summary counts finished runs by status, capability and day, and says what is held now",
    "days of 366 are 422",
  ],
  "GET /v1/provider/overview": [
    "a provider's overview has nothing of the platform's and of other firms', however many use it",
    "is seen in figures by the firm that provides it, and by no other, also once it was removed",
  ],
  "GET /v1/credits": ["the ledger's entries can be paged through, and add up to the balance"],
  "GET /v1/developer/scopes": [
    "18 scopes are grantable to owners and admins of a firm that holds everything",
    "a firm without an entitlement has no scope of it to grant",
  ],
  "GET /v1/developer/workspaces": ["a person's workspaces are the firm's, with the role in it, and no other firm's"],
  "GET /v1/developer/api-keys": ["a person sees their own keys alone, the newest first, with when they were used"],
  "POST /v1/developer/api-keys": [
    "a person's key is made with 201, and works in its workspace",
    "the secret is in that one answer, and neither in a list, nor in the log, nor in the database",
    "a key for another firm's workspace is 404",
  ],
  "GET /v1/developer/api-keys/{key_id}": [
    "is read and renamed by its id, also once it is revoked, and never shows its secret",
  ],
  "PATCH /v1/developer/api-keys/{key_id}": [
    "is read and renamed by its id, also once it is revoked, and never shows its secret",
  ],
  "DELETE /v1/developer/api-keys/{key_id}": [
    "a revoked key is refused by the very next request, and stays in the list",
    "a key of somebody else, of another firm or of nobody is 404 and goes on working",
  ],
  "GET /v1/developer/usage/summary": [
    "are counted by key and by tool, for their owner alone, and start anew with the month",
  ],
  "GET /v1/developer/connections": ["are their own alone, of both kinds, the newest first"],
  "POST /v1/developer/connections": [
    "is made with 201, and its address is in that one answer alone",
    "for another firm's workspace is 404, without a name 422",
  ],
  "DELETE /v1/developer/connections/{connection_id}": [
    "is refused by the very next request once it is revoked, and stays in the list",
    "can be revoked by nobody else: for others they are 404, and go on working",
  ],
  "GET /oauth/authorize": [
    "names the program as text, where it leads back to, who is asked, and the scopes in words",
    "of somebody who has not signed in leads to the sign-in, and back to itself",
    "with a parameter that comes twice is refused; a resource named twice alike is not",
  ],
  "POST /oauth/authorize": [
    "grants what stays ticked, in the workspace that was chosen",
    "grants nothing that was not on the page, whatever the form says",
    "by a ticket that was changed, is too old, or is no ticket counts for nothing",
  ],
  "POST /oauth/register": [
    "answers what was registered, and makes every client a public one",
    "too often from one address is 429, until the minute is over",
  ],
  "POST /oauth/token": [
    "a strict client finds its way from the MCP endpoint to a token, refreshes it and gives it back",
    "that is used a second time is refused, and ends what the first use gave",
    "that is used again later is a stolen one: its connection ends",
    "gives a session of the person's own, which is refreshed and ended natively",
  ],
  "POST /oauth/revoke": [
    "ends it at once, by either token, and again is no mistake",
    "of another client's token changes nothing, and an unknown token is no mistake",
  ],
  "GET /.well-known/oauth-protected-resource": ["names the one public address, whatever host is asked"],
  "GET /.well-known/oauth-authorization-server": ["names the one public address, whatever host is asked"],
  "GET /.well-known/openid-configuration": ["names the one public address, whatever host is asked"],
  "GET /v1/me": [
    "a key reads its owner's profile: six fields, and nobody else's, whatever is asked for",
    "a profile that is gone is 404 profile_not_found",
  ],
  "GET /v1/workspaces": ["a key lists its own workspace alone, with its owner's role"],
  "POST /v1/solution-architect/intake": [
    "without consent gets no token",
    "that says everything is complete, and one that says nothing is told each thing that is missing",
    "with two constraints that can't both hold says so and asks which counts",
  ],
  "GET /v1/solution-architect/inventory": ["is the catalogue as it is sold now, with the registry's words and prices"],
  "POST /v1/solution-architect/blueprint": [
    "gives each need and product a verdict with its reason",
    "another firm's solution is as one that is not there, on every route",
  ],
  "POST /v1/solution-architect/design": [
    "joins channels, sources, products, approvals and results, at the registry's price",
  ],
  "POST /v1/solution-architect/recommendations": [
    "show the parts of each score, which add up to it, the best first",
    "say that no option meets the budget, and by how much",
  ],
  "POST /v1/solution-architect/compose": [
    "is the same for the same needs, products and prices, and passes its own checks",
    "in its own words before the rules' text, and every fact stays theirs",
    "is refused where a goal talked the model into it, and the goal was data",
    "leaves the document to the rules, which say so, and is asked again a minute later",
  ],
  "POST /v1/solution-architect/compose/stream": [
    "tells its stages in order and each section, and ends with the document of compose",
    "opens for nobody who may not read it: the refusal comes before the first byte",
    "goes on after a restart",
    "once: what was composed is what is streamed, resumed after a restart, expanded and saved",
    "what fails after the first byte is an event, without its cause",
  ],
  "POST /v1/solution-architect/expand": [
    "is expanded by section, and another name is 422 with the names that there are",
  ],
  "POST /v1/solution-architect/unlock": ["without consent is 422, and nothing is saved"],
  "GET /v1/solution-architect/resume/{token}": [
    "works for seven days and not longer",
    "of another installation opens nothing, nor one that was changed anywhere",
    "that is used again after another save opens nothing",
  ],
  "GET /v1/solution-architect/builder-spec/{token}": [
    "takes nothing from a caller but its template",
    "goes on to show it as it was saved, whatever is chosen afterwards",
  ],
  "POST /auth/v1/token": [
    "answers a wrong password, an unknown person and a bad refresh token with the same body",
    "is exchanged for the next one, and for an access token of the same session",
    "that is used later than that ends its session, every token of it included",
    "supabase's client signs in by password, and understands a wrong one",
  ],
  "GET /auth/v1/authorize": [
    "sends a browser that navigates on its way, with a cookie that scripts can't read",
    "leads to a session of somebody who was not known before",
  ],
  "GET /auth/v1/callback": ["with another browser's cookie", "with a changed state", "for a second time"],
  "POST /auth/v1/exchange-code": [
    "is good once",
    "is good for a minute",
    "bound to a challenge is good with its verifier",
  ],
  "GET /auth/v1/user": ["an access token as it was given opens what its person may see"],
  "PATCH /auth/v1/user": [
    "name and language need no proof",
    "a password can be changed within five minutes of the sign-in, and ends the other sessions",
    "later it asks for the present one, and says so",
  ],
  "PUT /auth/v1/user": ["supabase's client changes the password"],
  "POST /auth/v1/signup": [
    "gives a firm of one's own, with a workspace, as its owner, without credits",
    "with an invitation leads into the firm that invites, once, and for the address it is for",
    "signing up with a taken address answers as with a free one, and tells its owner",
  ],
  "POST /auth/v1/verify": [
    "a newcomer gets no session before the address is confirmed through the link, which works once",
  ],
  "POST /auth/v1/logout": [
    "by the refresh token or by the access token ends the session at once, and again is no mistake",
    "without saying what ends is refused",
  ],
  "POST /auth/v1/recover": ["is answered alike whether or not there is such an account"],
  "POST /auth/v1/reset-link": [
    "a link says how many keys and connections there are, and revokes them where that is asked for",
  ],
  "POST /auth/v1/reset-password": ["is replaced through the link, once, and every session ends"],
  "GET /auth/v1/sessions": ["sessions are listed, and one of them can be ended from another"],
  "DELETE /auth/v1/sessions/{session_id}": ["sessions are listed, and one of them can be ended from another"],
  "GET /auth/v1/.well-known/jwks.json": [
    "the tokens signed before a key's rotation go on to work, and new ones are signed by the new key",
    "supabase's client checks access tokens itself, by the public keys",
  ],
  "GET /.well-known/jwks.json": [
    "a finished run's receipt verifies with the public keys alone and states the run's facts",
  ],
  "GET /v1/public/eu-overview": [
    "the public overview needs no credential, has every country, and is the same bytes until an import",
  ],
  "GET /v1/market-intelligence/de/summary": [
    "the summary is for everybody, by its schema, and the same bytes until an import",
  ],
  "GET /v1/market-intelligence/de/dashboard": [
    "every other route needs scope and entitlement, and the universe the enterprise tier",
    "is on no route for others, and said to be withheld",
  ],
  "GET /v1/market-intelligence/de/access": ["access says so beforehand, to any credential"],
  "GET /v1/market-intelligence/de/entities": [
    "can't be found out by searching for it",
    "refuses what is out of bounds, and fields that there are not",
  ],
  "GET /v1/market-intelligence/de/entities/{target_key}": ["is on no route for others, and said to be withheld"],
  "GET /v1/market-intelligence/de/universe": [
    "filters by whole values, and by several at once",
    "pages by offset and by cursor, and refuses the cursor of other data",
    "says in every answer that there is nothing",
  ],
  "GET /v1/market-intelligence/de/universe/counts": [
    "every other route needs scope and entitlement, and the universe the enterprise tier",
    "says in every answer that there is nothing",
  ],
  "GET /v1/market-intelligence/de/universe/{candidate_id}": [
    "are proposed by register number, and by name and place, and never merged",
  ],
  "POST /v1/market-intelligence/de/enrichments": [
    "proposes values with their evidence from the firm's own pages, and changes no record",
    "counts towards the month of its user, and stops at the limit",
  ],
  "GET /v1/market-intelligence/de/enrichments/{job_id}": ["is seen by its own firm alone, and not among other jobs"],
  "GET /v1/market-intelligence/de/research-playbook": [
    "every other route needs scope and entitlement, and the universe the enterprise tier",
  ],
  "GET /v1/market-intelligence/de/structure": ["is added up from the rows, and the same each time"],
  "GET /v1/market-intelligence/depth": ["puts Germany on the last rung of the ladder, which it leaves without rows"],
  "GET /v1/insurance/catalog": ["the public catalogue counts live documents and keeps samples and legal notes apart"],
  "GET /v1/insurance/coverage": ["coverage tells per market what there is and how the index is"],
  "GET /v1/insurance/providers": ["providers are those with documents of the country and the line"],
  "POST /v1/validator/usage": [
    "of a study that its own run has charged answers with that charge, and charges nothing",
    "of an imported study charges its stored personas once, however many report it at once",
    "of a study without personas is 422 at its id",
    "that the firm can't pay is 402, and can be made again after a top-up",
    "asks for an API key with its scope, and finds the firm's own studies alone",
  ],
  "POST /v1/insurance/ask": [
    "each quotation stands word for word in the passage that it cites",
    "without evidence it says so in the question's language, cites nothing and answers FAIL",
    "the month's last question is answered, the next is 402 before any work, for that user alone",
    "a closed gate answers 503 and uses nothing of the month",
  ],
};
