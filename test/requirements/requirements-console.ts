/** The tests that prove the routes of the pages and the operator's console; a part of `requirement-routes.ts`. */

const operators = "is refused to keys, tokens, other people's sessions and anonymous callers";
const recently = "is read-only for an old session, until its person signs in again";
const firm = "are shown with the entitlements that they may get; a missing one is 404";
const quota = "stop running at a quota, and continue when it is removed";
const entitlement = "get and lose entitlements; an unknown one is 404";
const gate = "stop runs immediately when closed, and allow them when opened";
const connector = "are disabled, enabled and removed; a connector's secret is never shown";
const backup = "an owner created by init sees doctor's health checks, and backs up while the server runs";
const corpusDocument = "is imported, answers questions, and stops doing so once removed";
const inTurn = "wait while the command line imports, and are imported one after another";

export const consoleRoutes: Readonly<Record<string, readonly string[]>> = {
  "GET /v1/operator/firms": [operators, "are paginated, with their credits"],
  "GET /v1/operator/firms/{firm_id}": [operators, firm],
  "POST /v1/operator/firms/{firm_id}/credits": [
    "get credits once per idempotency key, recorded under the operator's name",
    "keep their balance after an invalid change, which does not claim its key",
  ],
  "PUT /v1/operator/firms/{firm_id}/entitlements/{name}": [operators, entitlement],
  "DELETE /v1/operator/firms/{firm_id}/entitlements/{name}": [operators, entitlement],
  "PUT /v1/operator/firms/{firm_id}/quotas/{name}": [operators, quota],
  "DELETE /v1/operator/firms/{firm_id}/quotas/{name}": [operators, quota],
  "GET /v1/operator/gates": [operators, recently],
  "PUT /v1/operator/gates/{name}": [operators, recently, gate],
  "GET /v1/operator/connectors": [operators, connector],
  "PATCH /v1/operator/connectors/{slug}": [operators, connector],
  "DELETE /v1/operator/connectors/{slug}": [operators, connector],
  "GET /v1/operator/audit": [operators, "the audit log is paginated backwards, and its chain is verified"],
  "GET /v1/operator/audit/verification": [operators, "a modified audit chain is reported"],
  "GET /v1/operator/backups": [operators, backup],
  "POST /v1/operator/backups": [operators, backup],
  "GET /v1/operator/health": [operators, backup],
  "POST /v1/operator/documents": [
    operators,
    corpusDocument,
    "over 32 MiB is refused, whether or not its length is stated, and deleted",
    "is not read if its sender may not import",
  ],
  "GET /v1/operator/documents": [operators, corpusDocument],
  "DELETE /v1/operator/documents/{document_id}": [operators, corpusDocument],
  "GET /v1/operator/document-imports": [operators, inTurn],
  "GET /v1/operator/document-imports/{import_id}": [
    operators,
    inTurn,
    "are imported by the next start after a crash, which deletes leftovers",
  ],
  "GET /v1/validator/audiences": ["an audience is described, listed and previewed by its own firm only"],
  "POST /v1/validator/audiences": ["an audience of an unknown market is refused at the market"],
  "GET /v1/validator/audiences/{audience_id}": ["an audience is described, listed and previewed by its own firm only"],
  "GET /v1/validator/validations": ["an audience is asked once per key, and its study shows each person's answers"],
  "POST /v1/validator/validations": [
    "an audience is asked once per key, and its study shows each person's answers",
    "a study that the firm can't pay is 402, and nothing is reserved",
  ],
  "GET /v1/validator/validations/{simulation_id}": [
    "a study of another firm, or of its audience, is treated as missing",
  ],
  "GET /v1/team/members": ["a removed person is no longer a member, and their keys are refused"],
  "PATCH /v1/team/members/{user_id}": [
    "an owner changes a person's role with immediate effect",
    "an admin cannot change roles",
    "the last owner cannot change role",
  ],
  "DELETE /v1/team/members/{user_id}": ["the last owner cannot leave", "another firm's person is 404"],
  "GET /v1/team/invitations": ["without mail return a link to pass on, which works once and confirms no address"],
  "POST /v1/team/invitations": [
    "with mail send the link to the address only, in the requested language, and confirm it",
    "are rate-limited per firm",
  ],
  "DELETE /v1/team/invitations/{invitation_id}": ["that are withdrawn or expired are refused"],
  "GET /v1/team/api-keys": ["that only tests need are hidden by default"],
  "DELETE /v1/team/api-keys/{key_id}": ["are listed and revoked by an owner only"],
  "GET /v1/usage/days": [
    "usage is counted by day, by capability or use case, and by key",
    "a key sees its own workspace only, and another firm nothing",
  ],
};
