import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { httpsEngine, manifestText } from "../support/connectors-world.ts";
import { type Initialised, Installation, type Serving } from "../support/operator.ts";

// Every command is a process of its own.
setDefaultTimeout(60_000);

let place: Installation;
let server: Serving;
let first: Initialised;

beforeAll(async () => {
  place = new Installation();
  first = await place.init();
  server = await place.serve();
});
afterAll(() => place[Symbol.asyncDispose]());

const users = () => place.json<{ email: string; role: string }[]>("admin", "users", "list");
const asked = async (path: string, key: string): Promise<number> =>
  (await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })).status;

async function newPerson(email: string, role: string): Promise<string> {
  await place.json("admin", "users", "create", "--email", email, "--role", role);
  const flags = ["--name", email, "--user", email, "--scopes", "account:read"];
  const { secret } = await place.json<{ secret: string }>("admin", "keys", "create", ...flags);
  return secret;
}

test("a person's role is changed, and counts at the next request", async () => {
  await newPerson("eva@acme.test", "member");
  const { access_token } = await place.json<{ access_token: string }>("admin", "users", "token", "eva@acme.test");
  // Deciding is an approver's: to them, there is no such run.
  const decide = async () => {
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ decision: "approve" }) };
    return (await fetch(`${server.url}/v1/runs/0197f1e0-0000-7000-8000-000000000000/approval`, init)).status;
  };
  expect(await decide()).toBe(403);
  expect((await place.run("admin", "users", "role", "eva@acme.test", "approver")).out).toBe(
    "eva@acme.test is approver now\n",
  );
  expect(await decide()).toBe(404);
  expect((await place.run("admin", "users", "role", "eva@acme.test", "approver")).out).toContain("already");
});

test("a person who is removed gets in nowhere, and their address may come back", async () => {
  const key = await newPerson("old@acme.test", "admin");
  expect(await asked("/v1/credits", key)).toBe(200);
  const { access_token } = await place.json<{ access_token: string }>("admin", "users", "token", "old@acme.test");
  expect(await asked("/auth/v1/user", access_token)).toBe(200);
  const removed = await place.run("admin", "users", "remove", "old@acme.test");
  expect([removed.code, removed.out]).toEqual([0, "removed old@acme.test; revoked 1 keys and 0 connections\n"]);
  expect([await asked("/v1/credits", key), await asked("/auth/v1/user", access_token)]).toEqual([401, 401]);
  expect((await users()).map(({ email }) => email)).not.toContain("old@acme.test");
  expect(await asked("/v1/credits", await newPerson("old@acme.test", "member"))).toBe(200);
  expect((await place.run("admin", "users", "remove", "nobody@acme.test")).code).toBe(2);
  expect((await place.run("verify")).code).toBe(0);
});

test("the only owner is neither removed nor made anything less", async () => {
  for (const args of [
    ["role", first.owner.email, "member"],
    ["remove", first.owner.email],
  ]) {
    const { code, err } = await place.run("admin", "users", ...args);
    expect([code, err]).toEqual([2, expect.stringContaining("only owner")]);
  }
  await newPerson("next@acme.test", "owner");
  expect((await place.run("admin", "users", "role", first.owner.email, "member")).code).toBe(0);
});

test("a connector that was withdrawn from its firm can be granted again", async () => {
  const file = join(place.folder, "connector.yaml");
  writeFileSync(file, manifestText(httpsEngine("127.0.0.1:1")));
  const config = join(place.folder, "c.toml");
  writeFileSync(config, 'outbound_allow_private = "127.0.0.1:1"\n');
  const added = await place.run("admin", "connectors", "add", file, "--config", config);
  expect({ code: added.code, err: added.err }).toMatchObject({ code: 0 });
  const held = () => place.json<string[]>("admin", "entitlements", "list");
  expect(await held()).toContain("connector:claims-triage");
  await place.json("admin", "entitlements", "withdraw", "connector:claims-triage");
  expect(await held()).not.toContain("connector:claims-triage");
  expect(await place.json<string[]>("admin", "entitlements", "grant", "connector:claims-triage")).toContain(
    "connector:claims-triage",
  );
  expect((await place.run("admin", "entitlements", "grant", "connector:another")).code).toBe(2);
});

test("a demo on another port says where it is", async () => {
  await using demo = new Installation();
  const told = () => Bun.file(join(demo.data, "demo-credentials.json")).json();
  const one = await demo.serve("--demo");
  expect((await told()).base_url).toBe(one.url);
  await one.end();
  const two = await demo.serve("--demo");
  expect(two.url).not.toBe(one.url);
  const { base_url, firms } = await told();
  expect(base_url).toBe(two.url);
  expect(firms[0].connection_url).toStartWith(`${two.url}/mcp?token=`);
  expect((await fetch(`${two.url}/v1/me`, { headers: { authorization: `Bearer ${firms[0].keys.all}` } })).status).toBe(
    200,
  );
});
