import { afterAll, describe, expect, test } from "bun:test";
import { insertApiKey } from "../../db/queries/api-keys.ts";
import { insertSession } from "../../db/queries/sessions.ts";
import type { Role } from "../../db/schema/tables.ts";
import { revokeKey } from "../../src/accounts/admin/keys.ts";
import { grantableScopes, type Scope } from "../../src/contracts/scopes.ts";
import { issueAccessToken } from "../../src/identity/access-token.ts";
import { decideNewJob } from "../../src/jobs/decide.ts";
import { day, minute } from "../../src/platform/clock.ts";
import { newId, sha256Hex } from "../../src/platform/ids.ts";
import { freshKey, refusal, World } from "../support/harness.ts";
import { type Declared, operationsOf } from "../support/operations.ts";

const world = await World.open();
const entitlements = ["market-intelligence:read", "distribution:read", "partner-tool", "enterprise"];
const firm = await world.firm({ entitlements });
const other = await world.firm({ entitlements });
const operations = await operationsOf(world);
afterAll(() => world[Symbol.asyncDispose]());

/** What the firm has that a path can name. A new parameter needs a line here; the tests below report it otherwise. */
const saved = await world.ask("/v1/saved-configurations", {
  as: firm.key,
  body: { name: "mine", capability: "echo", input: { text: "mine" } },
});
const waiting = await world.settled(firm, { useCase: "triage" });
const session = { id: newId(), user_id: firm.people.owner.id, provider: "email", user_agent: null, revoked_at: null };
const since = { created_at: world.clock.now(), last_used_at: world.clock.now(), authenticated_at: null };
await world.store.write((tx) => insertSession(tx, { ...session, ...since }));
const job = { id: newId(), type: "company.analyze_url" as const, input_json: "{}", api_key_id: null, quota: null };
const holder = { firm_id: firm.id, workspace_id: firm.workspaces[0], user_id: firm.people.owner.id };
const created = { ...job, ...holder, created_at: world.clock.now() };
await world.store.commit(decideNewJob(created, "operator", { random: () => 0, owner: "test" }).transition);
const connection = await world.ask("/v1/developer/connections", {
  as: world.tokenOf(firm.people.owner.id),
  body: { name: "mine", workspace_id: firm.workspaces[0] },
});
const invitation = await world.ask("/v1/team/invitations", {
  as: world.tokenOf(firm.people.owner.id),
  body: { email: "guest@people.test", role: "member" },
});
const audience = await world.ask("/v1/validator/audiences", {
  as: world.tokenOf(firm.people.owner.id),
  body: { name: "Families", description: "Young families in Prague", market: "CZ" },
});
const { audience_id } = (await audience.json()) as { audience_id: string };
const own: Readonly<Record<string, string>> = {
  audience_id,
  // This world does not sell the validator.
  simulation_id: newId(),
  job_id: job.id,
  key_id: (await world.key(firm, ["docs:read"])).key.id,
  session_id: session.id,
  connection_id: ((await connection.json()) as { id: string }).id,
  run_id: waiting.id,
  configuration_id: ((await saved.json()) as { id: string }).id,
  slug: "echo",
  // The operator's universe belongs to no firm; a missing row is the same for every firm.
  target_key: "none",
  candidate_id: "none",
  token: "none",
  firm_id: firm.id,
  name: "platform",
  user_id: firm.people.member.id,
  invitation_id: ((await invitation.json()) as { id: string }).id,
  // Documents and imports belong to the installation.
  document_id: newId(),
  import_id: newId(),
};

const named = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the tests have nothing to name as ${name} in ${path}`);
    return value;
  });
const unknown = Object.fromEntries(Object.keys(own).map((name) => [name, crypto.randomUUID()]));
const mine = (path: string): string => named(path, path.includes("use-cases") ? { ...own, slug: "triage" } : own);

/** Sends a request to a route with a credential, a header of any scheme, or neither. */
function ask(
  { method, path, body }: Declared,
  as?: string,
  given: { path?: string; raw?: string; header?: string } = {},
) {
  const sent = given.raw ?? body;
  return world.ask(given.path ?? mine(path), {
    method,
    as,
    headers: { "idempotency-key": freshKey(), ...(given.header !== undefined && { authorization: given.header }) },
    ...(sent !== undefined && method !== "GET" && { body: sent }),
  });
}

const person = (role: Role): string => world.tokenOf(firm.people[role].id);
const keyWith = async (scopes: readonly Scope[]): Promise<string> => (await world.key(firm, scopes)).secret;

async function wrongCredentials(): Promise<Record<string, string>> {
  const revoked = await world.key(firm, grantableScopes);
  await world.store.write((tx) => revokeKey(tx, { actor: "operator", at: world.clock.now() }, firm.id, revoked.key.id));
  const expired = await world.key(firm, grantableScopes, { expires_at: world.clock.now() - 1 });
  // Stored on purpose, so that only its checksum is wrong.
  const mistyped = firm.key.slice(0, -1) + (firm.key.at(-1) === "0" ? "1" : "0");
  const { key } = await world.key(firm, grantableScopes);
  await world.store.write((tx) => insertApiKey(tx, { ...key, id: newId(), hash: sha256Hex(mistyped) }));
  const token = person("owner");
  const late = { ...world.clock, now: () => world.clock.now() - day };
  const { keyring } = world.app.parts;
  return {
    garbage: "garbage",
    empty: "",
    "a key with a wrong checksum": mistyped,
    "a well-formed unknown key": "assay_sk_00000000_00000000000000000000000000000000000000",
    "an expired key": expired.secret,
    "a revoked key": revoked.secret,
    "an expired token": issueAccessToken(keyring, world.app.parts.baseUrl, firm.people.owner.id, late).token,
    "another issuer's token": issueAccessToken(keyring, "http://elsewhere.test", firm.people.owner.id, world.clock)
      .token,
    "a token with a changed claim": token.replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"x"}').toString("base64url")}.`),
    "a receipt as a token": keyring.sign(JSON.stringify({ sub: firm.people.owner.id }), "assay-receipt+jws"),
  };
}

const wrong = await wrongCredentials();
const title = ({ method, path }: Declared): string => `${method} ${path}`;
const guarded = operations.filter(({ open, takes }) => !open || takes.keys || takes.tokens);
const closed = operations.filter(({ open }) => !open);

test("the app declares its routes, some public and some not", () => {
  expect(operations.length).toBeGreaterThan(20);
  expect(closed.length).toBeGreaterThan(10);
});

describe("a missing, malformed, expired or revoked credential returns 401", () => {
  for (const operation of guarded)
    test(title(operation), async () => {
      world.clock.advance(minute);
      if (!operation.open) {
        const answer = await ask(operation);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        expect(await refusal(answer)).toEqual([401, "invalid_api_key"]);
      }
      for (const [what, credential] of Object.entries(wrong))
        expect([what, ...(await refusal(await ask(operation, credential)))]).toEqual([what, 401, "invalid_api_key"]);
      for (const header of [`Basic ${firm.key}`, firm.key, `Token ${firm.key}`])
        expect(await refusal(await ask(operation, undefined, { header }))).toEqual([401, "invalid_api_key"]);
      if (!operation.takes.keys) expect((await ask(operation, firm.key)).status).toBe(401);
      if (!operation.takes.tokens) expect((await ask(operation, person("owner"))).status).toBe(401);
    });
});

/** A failed sign-in is also 401, but it is not about the caller's credential. */
const asksForCredential = /^\{"error":\{"code":"(invalid_api_key|missing_scope)"/;
/** It ends the session of the token sent with it, so there the token is input. */
const takesTokenAsInput = ["POST /auth/v1/logout"];
describe("no credential is required, and a wrong one does no harm", () => {
  for (const operation of operations.filter(({ open }) => open))
    test(title(operation), async () => {
      world.clock.advance(minute);
      expect(await (await ask(operation)).text()).not.toMatch(asksForCredential);
      if (guarded.includes(operation) || takesTokenAsInput.includes(title(operation))) return;
      expect(await (await ask(operation, "garbage")).text()).not.toMatch(asksForCredential);
    });
});

describe("a credential without the scope or the role returns 403 missing_scope", () => {
  for (const operation of closed.filter(({ scopes, roles }) => scopes.length + roles.length > 0))
    test(title(operation), async () => {
      const { scopes, anyScope, roles, takes } = operation;
      if (takes.keys) {
        const without = grantableScopes.filter((scope) => !scopes.includes(scope));
        for (const key of [await keyWith(without), await keyWith(["docs:read"])])
          expect(await refusal(await ask(operation, key))).toEqual([403, "missing_scope"]);
        for (const some of anyScope ? scopes.map((scope) => [scope]) : [scopes])
          expect([401, 403]).not.toContain((await ask(operation, await keyWith(some), unreachable(operation))).status);
      }
      if (roles.length > 0)
        for (const role of ["owner", "admin", "approver", "member"] as const) {
          const answer = await ask(operation, person(role), unreachable(operation));
          if (roles.includes(role)) expect([401, 403]).not.toContain(answer.status);
          else expect(await refusal(answer)).toEqual([403, "missing_scope"]);
        }
    });

  /**
   * Makes a request that passes the scope check and no more: it names nothing of the firm's, and its body is not JSON.
   */
  function unreachable({ path, body }: Declared) {
    return { path: named(path, unknown), ...(body !== undefined && { raw: "{" }) };
  }
});

test("a key for the documentation only cannot change anything", async () => {
  const docsOnly = await keyWith(["docs:read"]);
  for (const operation of closed.filter(({ method }) => method !== "GET"))
    expect([401, 403]).toContain((await ask(operation, docsOnly)).status);
});

describe("the credential and the scope are checked before the input", () => {
  for (const operation of closed)
    test(title(operation), async () => {
      world.clock.advance(minute);
      const malformed = {
        path: `${named(operation.path, { ...own, run_id: "no-uuid", configuration_id: "no-uuid", key_id: "no-uuid", connection_id: "no-uuid" })}?limit=-1&days=x`,
        ...(operation.method !== "GET" && { raw: "{" }),
      };
      expect((await ask(operation, undefined, malformed)).status).toBe(401);
      if (!operation.takes.keys) return;
      if (operation.scopes.length > 0)
        expect((await ask(operation, await keyWith(["docs:read"]), malformed)).status).toBe(403);
      expect([404, 422, 200]).toContain((await ask(operation, firm.key, malformed)).status);
    });
});

describe("another tenant's ids return byte for byte the same as missing ones", () => {
  const withIds = closed.filter(({ path }) => /_id\}|_key\}/.test(path));
  test("there are routes with ids", () => expect(withIds.length).toBeGreaterThan(4));
  for (const operation of withIds)
    test(title(operation), async () => {
      const token = world.tokenOf(other.people.owner.id);
      const inOtherWorkspace = await world.key(firm, grantableScopes, { workspace: firm.workspaces[1] });
      const keys = operation.takes.keys ? [other.key, inOtherWorkspace.secret] : [];
      for (const theirs of [...keys, ...(operation.takes.tokens ? [token] : [])]) {
        const answers = [];
        for (const path of [mine(operation.path), named(operation.path, unknown)]) {
          const answer = await ask(operation, theirs, { path });
          const headers = [...answer.headers].filter(([name]) => name !== "x-request-id");
          answers.push([answer.status, headers, await answer.text()]);
        }
        expect(answers[0]?.[0]).toBe(404);
        expect(answers[0]).toEqual(answers[1]);
      }
    });

  test("and none of these requests has changed anything of the firm's", async () => {
    expect(await world.run(firm, waiting.id)).toEqual(waiting);
    const kept = await world.ask("/v1/saved-configurations", { as: firm.key });
    expect(await kept.text()).toContain(own.configuration_id ?? "");
  });
});

test("after 200 wrong keys in a minute an address has to wait as long as Retry-After says", async () => {
  world.clock.advance(minute);
  for (let i = 0; i < 200; i++) expect((await world.ask("/v1/runs", { as: "garbage" })).status).toBe(401);
  const limited = await world.ask("/v1/runs", { as: "garbage" });
  expect(limited.headers.get("retry-after")).toBe("60");
  expect(await refusal(limited)).toEqual([429, "rate_limit_exceeded"]);
  expect((await world.ask("/v1/capabilities")).status).toBe(200);
  expect((await world.ask("/v1/runs", { as: firm.key })).status).toBe(200);
  world.clock.advance(minute);
  expect((await world.ask("/v1/runs", { as: "garbage" })).status).toBe(401);
});

test("a key is limited by its owner's current role", async () => {
  const { secret } = await world.key(firm, ["runs:read", "capabilities:run"], { user: firm.people.admin.id });
  const member = world.store.read.selectFrom("members").select("role").where("user_id", "=", firm.people.admin.id);
  expect(await member.execute()).toEqual([{ role: "admin" }]);
  expect((await world.start(firm, { as: secret })).status).toBe(202);
  await world.store.write((tx) =>
    tx.updateTable("members").set({ role: "approver" }).where("user_id", "=", firm.people.admin.id).execute(),
  );
  world.clock.advance(minute);
  expect(await refusal(await world.start(firm, { as: secret }))).toEqual([403, "missing_scope"]);
  expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
});

test("a key stops working once its owner has left the firm", async () => {
  const { secret } = await world.key(firm, ["runs:read"], { user: firm.people.member.id });
  expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
  await world.store.write((tx) => tx.deleteFrom("members").where("user_id", "=", firm.people.member.id).execute());
  expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
  expect((await world.ask("/v1/runs", { as: world.tokenOf(firm.people.member.id) })).status).toBe(401);
});
