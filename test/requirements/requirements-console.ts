/** The tests that prove the routes of the pages and the operator's console; a part of `requirement-routes.ts`. */

const operators = "every route of the operator refuses keys, tokens, strangers' sessions and nobody";
const recently = "an old session may look and change nothing, until its person signs in again";
const firm = "one is shown with what it may be given; a missing one is 404";
const quota = "a quota stops the firm's runs, and lifted lets them go on";
const entitlement = "an entitlement is granted and withdrawn, and an unknown one is 404";
const gate = "a gate that is closed stops runs at once, and opened lets them in";
const connector = "a connector is disabled, enabled and removed; its secret is never shown";
const backup = "an owner that init made sees the health that doctor prints, and backs up while the server runs";
const corpusDocument = "is imported, answers questions, and answers none once it is removed";
const inTurn = "wait while somebody imports at the terminal, and are imported one after the other";

export const consoleRoutes: Readonly<Record<string, readonly string[]>> = {
  "GET /v1/operator/firms": [operators, "are listed page by page with their credits"],
  "GET /v1/operator/firms/{firm_id}": [operators, firm],
  "POST /v1/operator/firms/{firm_id}/credits": [
    "credits are given once for each key, under the operator's own name",
    "a change that can't be leaves its key free and the balance as it was",
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
  "GET /v1/operator/audit": [operators, "the audit log is read backwards page by page, and its chain is verified"],
  "GET /v1/operator/audit/verification": [operators, "a chain that somebody rewrote is reported"],
  "GET /v1/operator/backups": [operators, backup],
  "POST /v1/operator/backups": [operators, backup],
  "GET /v1/operator/health": [operators, backup],
  "POST /v1/operator/documents": [
    operators,
    corpusDocument,
    "is refused beyond 32 MiB, whether its length is stated or not, and nothing stays of it",
    "is not read where its sender may not import",
  ],
  "GET /v1/operator/documents": [operators, corpusDocument],
  "DELETE /v1/operator/documents/{document_id}": [operators, corpusDocument],
  "GET /v1/operator/document-imports": [operators, inTurn],
  "GET /v1/operator/document-imports/{import_id}": [
    operators,
    inTurn,
    "are imported by the next start where the process ends, which takes out what nobody needs",
  ],
  "GET /v1/validator/audiences": ["an audience is described, listed and previewed by its own firm alone"],
  "POST /v1/validator/audiences": ["an audience of a market that nobody knows is refused at its market"],
  "GET /v1/validator/audiences/{audience_id}": ["an audience is described, listed and previewed by its own firm alone"],
  "GET /v1/validator/validations": [
    "an audience is asked once for one key, and its study tells what each of its people said",
  ],
  "POST /v1/validator/validations": [
    "an audience is asked once for one key, and its study tells what each of its people said",
    "asking what the firm can't pay is 402, and nothing is reserved",
  ],
  "GET /v1/validator/validations/{simulation_id}": [
    "a study of another firm, or of its audience, is as one that is missing",
  ],
  "GET /v1/team/members": ["somebody who is removed is in no more, and their keys open nothing"],
  "PATCH /v1/team/members/{user_id}": [
    "an owner gives somebody another role, which counts at once",
    "an admin changes nobody",
    "the last owner stays one",
  ],
  "DELETE /v1/team/members/{user_id}": ["the last owner can't leave", "another firm's person is 404"],
  "GET /v1/team/invitations": ["without mail the link is handed over, works once, and proves no address"],
  "POST /v1/team/invitations": [
    "with mail the link goes to the address alone, in the language asked for, and proves it",
    "a firm that invites the world has to wait",
  ],
  "DELETE /v1/team/invitations/{invitation_id}": ["one that is withdrawn or too old lets nobody in"],
  "GET /v1/team/api-keys": ["those that only tests need are out of sight until they are asked for"],
  "DELETE /v1/team/api-keys/{key_id}": ["are seen and revoked by an owner, and by nobody else"],
  "GET /v1/usage/days": [
    "usage is counted by day, by what was run, and by the key that asked",
    "a key sees its own workspace alone, and another firm nothing",
  ],
};
