import { afterAll, describe, expect, test } from "bun:test";
import { connectionById } from "../../db/queries/oauth-connections.ts";
import { unscoped } from "../../db/tenancy.ts";
import { disentitle } from "../../src/accounts/admin/permissions.ts";
import { removeClient } from "../../src/accounts/oauth/manage.ts";
import { mcpScopes } from "../../src/accounts/oauth/scopes.ts";
import { minute } from "../../src/platform/clock.ts";
import { type Person, refusal, until, World } from "../support/harness.ts";
import { base, caller, connected, mcp, protocolRefusal, refresh, register, signedIn } from "../support/oauth-world.ts";

const world = await World.open();
const firm = await world.firm({ entitlements: ["market-intelligence:read"] });
const other = await world.firm();
const client_id = await register(world, { client_name: "A client" });
afterAll(() => world[Symbol.asyncDispose]());

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly client_id: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly url?: string;
}

const tokenOf = ({ id }: Person) => world.tokenOf(id);
const create = (person: Person, body: Readonly<Record<string, unknown>> = {}) =>
  world.ask("/v1/developer/connections", {
    as: tokenOf(person),
    body: { name: "My editor", workspace_id: firm.workspaces[0], ...body },
  });
const made = async (person: Person): Promise<Shown & { readonly token: string }> => {
  const shown = (await (await create(person)).json()) as Shown;
  return { ...shown, token: new URL(shown.url ?? "").searchParams.get("token") ?? "" };
};
const list = async (person: Person) => {
  const answer = await world.ask("/v1/developer/connections", { as: tokenOf(person) });
  return ((await answer.json()) as { items: Shown[] }).items;
};
const revoke = (person: Person, id: string) =>
  world.ask(`/v1/developer/connections/${id}`, { as: tokenOf(person), method: "DELETE" });

describe("a personal connection", () => {
  test("is created with 201, and its address is in that response only", async () => {
    const answer = await create(firm.people.owner);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const shown = (await answer.json()) as Shown;
    expect(shown.url).toStartWith(`${mcp}?token=assay_pc_`);
    const token = shown.url?.split("token=")[1] ?? "";
    await caller(world, "", `/mcp?token=${token}`);
    expect(JSON.stringify(await list(firm.people.owner))).not.toContain("assay_pc_");
    const row = await connectionById.first(unscoped(world.store.read), { id: shown.id });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(world.logged.join("\n")).not.toContain("assay_pc_");
  });

  test("opens /mcp by its address or as a bearer token, for the documentation and the validator only", async () => {
    const { id, token } = await made(firm.people.owner);
    for (const found of [await caller(world, "", `/mcp?token=${token}`), await caller(world, token)]) {
      expect(found).toMatchObject({ kind: "connection", connection_id: id, workspace_id: firm.workspaces[0] });
      expect([...(found?.scopes ?? [])].sort()).toEqual([
        "docs:read",
        "validator:mcp:access",
        "validator:read",
        "validator:run",
      ]);
    }
    const ofApprover = await caller(world, (await made(firm.people.approver)).token);
    expect([...(ofApprover?.scopes ?? [])].sort()).toEqual(["docs:read", "validator:mcp:access", "validator:read"]);
  });

  test("opens only /mcp", async () => {
    const { token } = await made(firm.people.owner);
    for (const path of ["/v1/runs", "/auth/v1/user", "/v1/me", "/v1/developer/connections"])
      expect(await refusal(await world.ask(path, { as: token }))).toEqual([401, "invalid_api_key"]);
    expect((await world.ask(`/v1/runs?token=${token}`)).status).toBe(401);
  });

  test("with a typo, of the wrong kind in the address, or unknown is refused", async () => {
    const { token } = await made(firm.people.owner);
    const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    for (const given of [mistyped, "assay_pc_", `assay_pc_00000000_${"0".repeat(38)}`, firm.key, world.tokenOf("x")])
      expect(await caller(world, "", `/mcp?token=${given}`)).toBeUndefined();
    expect(await caller(world, "")).toBeUndefined();
  });

  test("outlives its session of fifteen minutes, and shows its last use", async () => {
    const { id, token } = await made(firm.people.owner);
    expect(await caller(world, token)).toBeDefined();
    world.clock.advance(16 * minute);
    expect(await caller(world, token)).toBeDefined();
    const now = new Date(world.clock.now()).toISOString();
    const used = async () => (await list(firm.people.owner)).find((one) => one.id === id)?.last_used_at;
    await until(async () => (await used()) === now, "the time of its last use");
  });

  test("is refused by the next request once it is revoked, and stays in the list", async () => {
    const { id, token } = await made(firm.people.owner);
    expect(await caller(world, token)).toBeDefined();
    expect((await revoke(firm.people.owner, id)).status).toBe(204);
    expect(await caller(world, token)).toBeUndefined();
    expect((await revoke(firm.people.owner, id)).status).toBe(204);
    expect((await list(firm.people.owner)).find((one) => one.id === id)?.revoked_at).toBeString();
  });

  test("for another firm's workspace is 404, without a name 422", async () => {
    const theirs = await create(firm.people.owner, { workspace_id: other.workspaces[0] });
    expect(await refusal(theirs)).toEqual([404, "not_found"]);
    for (const name of ["", " ", "x".repeat(81), 7])
      expect((await create(firm.people.owner, { name })).status).toBe(422);
  });
});

describe("a person's connections", () => {
  test("are their own only, of both kinds, newest first", async () => {
    const mine = await made(firm.people.member);
    await connected(world, await signedIn(world, firm.people.member), client_id);
    const shown = await list(firm.people.member);
    expect(shown.map(({ kind, name }) => [kind, name])).toEqual([
      ["oauth", "A client"],
      ["personal", "My editor"],
    ]);
    expect(shown[1]?.id).toBe(mine.id);
    expect(await list(other.people.member)).toEqual([]);
  });

  test("cannot be revoked by others, who get 404", async () => {
    const { id, token } = await made(firm.people.owner);
    for (const person of [firm.people.admin, other.people.owner])
      expect(await refusal(await revoke(person, id))).toEqual([404, "not_found"]);
    expect(await caller(world, token)).toBeDefined();
  });

  test("are for people: no key can list or create them", async () => {
    expect((await world.ask("/v1/developer/connections", { as: firm.key })).status).toBe(401);
  });
});

test("removing a client revokes its connections, and no others", async () => {
  const cookie = await signedIn(world, firm.people.admin);
  const gone = await register(world);
  const [theirs, others] = [await connected(world, cookie, gone), await connected(world, cookie, client_id)];
  const act = { actor: "operator", at: world.clock.now() };
  expect(await world.store.write((tx) => removeClient(tx, act, gone))).toBe(1);
  expect(await caller(world, theirs.access_token)).toBeUndefined();
  expect(await protocolRefusal(refresh(world, gone, theirs.refresh_token))).toEqual([401, "invalid_client"]);
  expect(await caller(world, others.access_token)).toBeDefined();
  expect(await world.store.write((tx) => removeClient(tx, act, gone))).toBeUndefined();
});

describe("a credential for /mcp", () => {
  test("may be an API key, with its own scopes", async () => {
    expect(await caller(world, firm.key)).toMatchObject({ kind: "key", connection_id: null });
  });

  test("may not be a native access token, a cookie, or another scheme", async () => {
    expect(await caller(world, tokenOf(firm.people.owner))).toBeUndefined();
    const cookie = await signedIn(world, firm.people.owner);
    const { identifyMcp } = world.app.parts.connections;
    for (const headers of [{ cookie }, { authorization: `Basic ${firm.key}` }, { authorization: firm.key }])
      expect(await identifyMcp(new Request(mcp, { headers }))).toBeUndefined();
  });

  test("is limited immediately with the role and the firm's entitlements, and ends with the membership", async () => {
    const apart = await world.firm({ entitlements: ["market-intelligence:read"] });
    const { admin } = apart.people;
    const { access_token } = await connected(world, await signedIn(world, admin), client_id);
    const scopes = async () => [...((await caller(world, access_token))?.scopes ?? [])];
    expect(await scopes()).toContain("market-intelligence:read");
    const act = { actor: "operator", at: world.clock.now() };
    await world.store.write((tx) => disentitle(tx, act, apart.id, "market-intelligence:read"));
    expect(await scopes()).not.toContain("market-intelligence:read");
    expect(await scopes()).toContain("validator:run");
    await world.store.write((tx) =>
      tx.updateTable("members").set({ role: "approver" }).where("user_id", "=", admin.id).execute(),
    );
    expect(await scopes()).not.toContain("validator:run");
    await world.store.write((tx) => tx.deleteFrom("members").where("user_id", "=", admin.id).execute());
    expect(await caller(world, access_token)).toBeUndefined();
  });

  test("is rate-limited: after 200 wrong ones in a minute an address has to wait", async () => {
    await using apart = await World.open();
    for (let i = 0; i < 200; i++) expect(await caller(apart, "garbage")).toBeUndefined();
    await expect(caller(apart, "garbage")).rejects.toThrow();
    apart.clock.advance(minute);
    expect(await caller(apart, "garbage")).toBeUndefined();
  });
});

describe("the challenge", () => {
  const { challenge, identifyMcp } = world.app.parts.connections;
  const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;

  test("names every scope useful at first, and an error only for a rejected credential", () => {
    expect(challenge(new Request(mcp))).toBe(`Bearer scope="${mcpScopes.join(" ")}", ${metadata}`);
    const wrong = new Request(mcp, { headers: { authorization: "Bearer wrong" } });
    expect(challenge(wrong)).toStartWith('Bearer error="invalid_token", scope="docs:read ');
  });

  test("names the granted and the required scopes if one is missing", async () => {
    const cookie = await signedIn(world, firm.people.owner);
    const { access_token } = await connected(world, cookie, client_id, { scopes: ["docs:read", "runs:read"] });
    const request = new Request(mcp, { headers: { authorization: `Bearer ${access_token}` } });
    const principal = await identifyMcp(request);
    if (!principal) throw new Error("nobody");
    expect(challenge(request, { principal, scopes: ["validator:run"] })).toBe(
      `Bearer error="insufficient_scope", scope="docs:read runs:read validator:run", ${metadata}`,
    );
  });
});
