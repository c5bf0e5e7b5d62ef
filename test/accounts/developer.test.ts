import { describe, expect, test } from "bun:test";
import type { Static } from "@sinclair/typebox";
import { auditPage } from "../../db/queries/audit.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createApiKey, revokeKey } from "../../src/accounts/admin/keys.ts";
import type {
  CreatedApiKey,
  DeveloperApiKey,
  DeveloperScope,
  DeveloperUsage,
} from "../../src/accounts/developer/schema.ts";
import { recordToolCall } from "../../src/accounts/developer/usage.ts";
import { day, minute, rfc3339 } from "../../src/platform/clock.ts";
import { errorIn, type Firm, refusal, until, World } from "../support/harness.ts";
import { type Scenario, type Scene, scenarios } from "../support/scenario.ts";

type Role = keyof Firm["people"];
type Created = Static<typeof CreatedApiKey>;
const path = "/v1/developer/api-keys";
const bodyFor = ({ firm }: Scene, more: object = {}) => ({
  name: "Nightly import",
  scopes: ["runs:read"],
  workspace_id: firm.workspaces[1],
  ...more,
});
const createBy =
  (role: Role, more: (scene: Scene) => object = () => ({})) =>
  (scene: Scene) =>
    scene.world.ask(path, { as: scene.firm.people[role].token, body: bodyFor(scene, more(scene)) });

async function created(world: World, firm: Firm, role: Role = "owner", scopes = ["runs:read"]): Promise<Created> {
  const body = { name: "Nightly import", scopes, workspace_id: firm.workspaces[0] };
  const answer = await world.ask(path, { as: firm.people[role].token, body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Created;
}
/** A year that takes five digits in UTC. */
const after9999 = "9999-12-31T23:59:59-01:00";
const keysOf = async (world: World, as: string): Promise<DeveloperApiKey[]> =>
  (await (await world.ask(path, { as })).json()) as DeveloperApiKey[];
const revoke = (world: World, id: string, as: string) => world.ask(`${path}/${id}`, { method: "DELETE", as });

const granted = { status: 201, hides: ["hash"] };
const refused = { status: 422, code: "validation_error" };
/** Checks that no key was created. */
const noKey = async ({ world, firm }: Scene) => {
  for (const role of ["member", "approver", "admin"] as const)
    expect(await keysOf(world, firm.people[role].token)).toEqual([]);
  expect((await keysOf(world, firm.people.owner.token)).map((key) => key.name)).toEqual(["all"]);
};
const wrong = (
  name: string,
  more: (scene: Scene) => object,
  paths: readonly string[],
  role: Role = "owner",
): Scenario => ({
  name,
  ask: createBy(role, more),
  ...refused,
  paths,
  afterwards: noKey,
});

describe("creating a key", () => {
  scenarios([
    {
      name: "a person's key is created with 201, and works in its workspace",
      ask: createBy("owner", () => ({ scopes: ["runs:read", "capabilities:run"] })),
      ...granted,
      headers: { "cache-control": "no-store" },
      shows: ['"last_used_at":null', '"expires_at":null', '"revoked_at":null'],
      async afterwards({ world, firm }, answer) {
        const { secret, prefix, workspace_id } = JSON.parse(answer) as Created;
        expect(workspace_id).toBe(firm.workspaces[1]);
        expect(secret.startsWith(`${prefix}_`)).toBe(true);
        expect((await world.accepted(firm, { as: secret })).workspace_id).toBe(firm.workspaces[1]);
        await world.idle();
      },
    },
    {
      name: "a member's key has what members may do",
      ask: createBy("member", () => ({ scopes: ["capabilities:run"] })),
      ...granted,
    },
    { name: "an approver's key reads", ask: createBy("approver"), ...granted },
    {
      name: "a name of 80 characters is accepted",
      ask: createBy("admin", () => ({ name: "n".repeat(80) })),
      ...granted,
    },
    {
      name: "an expiry with an offset is converted to UTC",
      ask: createBy("owner", () => ({ expires_at: "2026-03-01T14:00:01+01:00" })),
      ...granted,
      shows: ['"expires_at":"2026-03-01T13:00:01.000Z"'],
    },
    {
      name: "a scope named twice is stored once",
      ask: createBy("owner", () => ({ scopes: ["runs:read", "runs:read"] })),
      ...granted,
      shows: ['"scopes":["runs:read"]'],
    },
    wrong("a name of 81 characters is 422", () => ({ name: "n".repeat(81) }), ["/body/name"]),
    wrong("a name of blanks is 422", () => ({ name: "  " }), ["/body/name"]),
    wrong("no scopes are 422", () => ({ scopes: [] }), ["/body/scopes"]),
    wrong("an unknown scope is 422", () => ({ scopes: ["runs:read", "everything"] }), ["/body/scopes/1"]),
    wrong("a personal connection's scope is 422", () => ({ scopes: ["validator:mcp:access"] }), ["/body/scopes/0"]),
    wrong("a firm's flag is 422 as a scope", () => ({ scopes: ["verified_workspace"] }), ["/body/scopes/0"]),
    wrong("a scope that the firm is not entitled to is 422", () => ({ scopes: ["distribution:read"] }), [
      "/body/scopes/0",
    ]),
    wrong(
      "an approver's key can't run",
      () => ({ scopes: ["runs:read", "capabilities:run"] }),
      ["/body/scopes/1"],
      "approver",
    ),
    wrong(
      "a member's key can't report usage",
      () => ({ scopes: ["validator:usage:report"] }),
      ["/body/scopes/0"],
      "member",
    ),
    wrong("an expiry that has passed is 422", () => ({ expires_at: "2026-03-01T12:00:00Z" }), ["/body/expires_at"]),
    wrong("an expiry without an offset is 422", () => ({ expires_at: "2027-03-01T12:00:00" }), ["/body/expires_at"]),
    wrong("an expiry that is not a time is 422", () => ({ expires_at: "tomorrow" }), ["/body/expires_at"]),
    wrong("an expiry in the year 10000 in UTC or later is 422", () => ({ expires_at: after9999 }), [
      "/body/expires_at",
    ]),
    wrong("an expiry before the year 0 in UTC is 422", () => ({ expires_at: "0000-01-01T00:00:00+01:00" }), [
      "/body/expires_at",
    ]),
    {
      name: "a key may expire at the last moment of the year 9999 in UTC, in any offset",
      ask: createBy("owner", () => ({ expires_at: "9999-12-31T22:59:59.999-01:00" })),
      ...granted,
      shows: ['"expires_at":"9999-12-31T23:59:59.999Z"'],
    },
    wrong("a hash chosen by the caller is 422", () => ({ hash: "00" }), ["/body/hash"]),
    {
      name: "a key for another firm's workspace is 404",
      ask: createBy("owner", ({ other }) => ({ workspace_id: other.workspaces[0] })),
      status: 404,
      code: "not_found",
      afterwards: noKey,
    },
  ]);

  test("the secret is in that response only, and not in a list, the log or the database", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { secret } = await created(world, firm);
    const listed = await (await world.ask(path, { as: firm.people.owner.token })).text();
    const rows = JSON.stringify(await unscoped(world.store.read).selectFrom("api_keys").selectAll().execute());
    const audit = JSON.stringify(await auditPage(unscoped(world.store.read), 0, 1_000));
    for (const text of [listed, rows, audit, world.logged.join("\n")]) expect(text).not.toContain(secret);
    expect(listed).not.toContain("hash");
    expect(audit).toContain(`"actor":"user:${firm.people.owner.id}","action":"key.created"`);
  });

  test("a key never exceeds its creator's role, even when that changes", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { secret } = await created(world, firm, "member", ["capabilities:run", "runs:read"]);
    expect((await world.start(firm, { as: secret })).status).toBe(202);
    await world.store.write((tx) =>
      tx.updateTable("members").set({ role: "approver" }).where("user_id", "=", firm.people.member.id).execute(),
    );
    expect(await refusal(await world.start(firm, { as: secret }))).toEqual([403, "missing_scope"]);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
  });

  test("a key stops working at its expiry", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const expires_at = rfc3339(world.clock.now() + minute);
    const body = { name: "short", scopes: ["runs:read"], workspace_id: firm.workspaces[0], expires_at };
    const answer = await world.ask(path, { as: firm.people.owner.token, body });
    const { secret } = (await answer.json()) as Created;
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    world.clock.advance(minute);
    expect(await refusal(await world.ask("/v1/runs", { as: secret }))).toEqual([401, "invalid_api_key"]);
  });
});

describe("listing and revoking keys", () => {
  test("a person sees only their own keys, newest first, with their last use", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const first = await created(world, firm, "admin");
    world.clock.advance(minute);
    const { secret: _, ...second } = await created(world, firm, "admin");
    await created(world, firm, "member");
    await world.ask("/v1/runs", { as: first.secret });
    const listed = () => keysOf(world, firm.people.admin.token);
    await until(async () => (await listed()).at(-1)?.last_used_at !== null, "the key's use is told");
    const [newest, oldest, ...others] = await listed();
    expect(newest).toEqual(second);
    expect(oldest).toMatchObject({ id: first.id, last_used_at: rfc3339(world.clock.now()) });
    expect(others).toEqual([]);
  });

  test("a key that an earlier version let expire after the year 9999 is listed, and can be revoked", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const owner = firm.people.owner;
    const left = { ...{ firm_id: firm.id, workspace_id: firm.workspaces[0], user_id: owner.id }, name: "left behind" };
    const { key } = await world.store.write((tx) =>
      createApiKey(
        tx,
        { actor: "test", at: world.clock.now(), runtime: world.clock },
        { ...left, scopes: ["runs:read"], expires_at: Date.parse(after9999) },
      ),
    );
    const shown = { id: key.id, expires_at: "9999-12-31T23:59:59.999Z" };
    expect(await keysOf(world, owner.token)).toContainEqual(expect.objectContaining(shown));
    const team = await world.ask("/v1/team/api-keys", { as: owner.token });
    expect(await team.json()).toMatchObject({ items: expect.arrayContaining([expect.objectContaining(shown)]) });
    expect((await revoke(world, key.id, owner.token)).status).toBe(204);
  });

  test("a revoked key is refused by the next request, and stays in the list", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id, secret } = await created(world, firm);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    const answer = await revoke(world, id, firm.people.owner.token);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await refusal(await world.ask("/v1/runs", { as: secret }))).toEqual([401, "invalid_api_key"]);
    const shown = () => keysOf(world, firm.people.owner.token).then((keys) => keys.find((key) => key.id === id));
    const revoked = await shown();
    expect(revoked?.revoked_at).toBe(rfc3339(world.clock.now()));
    world.clock.advance(minute);
    expect((await revoke(world, id, firm.people.owner.token)).status).toBe(204);
    expect(await shown()).toEqual(revoked);
  });

  test("another person's, another firm's or an unknown key is 404 and keeps working", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const { id, secret } = await created(world, firm, "member");
    for (const as of [firm.people.owner.token, firm.people.admin.token, other.people.owner.token])
      expect(await refusal(await revoke(world, id, as))).toEqual([404, "not_found"]);
    expect(await refusal(await revoke(world, crypto.randomUUID(), firm.people.owner.token))).toEqual([
      404,
      "not_found",
    ]);
    expect((await errorIn(await revoke(world, "no-uuid", firm.people.owner.token))).details?.[0]?.path).toBe(
      "/path/key_id",
    );
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
  });

  test("a key cannot list, create or revoke keys", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const body = { name: "more", scopes: ["runs:read"], workspace_id: firm.workspaces[0] };
    for (const answer of [
      await world.ask(path, { as: firm.key }),
      await world.ask(path, { as: firm.key, body }),
      await revoke(world, crypto.randomUUID(), firm.key),
    ])
      expect(await refusal(answer)).toEqual([401, "invalid_api_key"]);
  });
});

describe("the scopes of a key", () => {
  const grantable = async (world: World, as: string) => {
    const listed = (await (await world.ask("/v1/developer/scopes", { as })).json()) as Static<typeof DeveloperScope>[];
    expect(listed).toHaveLength(19);
    return listed.filter((scope) => scope.grantable).map((scope) => scope.name);
  };

  test("include 18 for owners and admins of a firm with every entitlement", async () => {
    await using world = await World.open();
    const firm = await world.firm({ entitlements: ["market-intelligence:read", "distribution:read"] });
    for (const role of ["owner", "admin"] as const)
      expect(await grantable(world, firm.people[role].token)).toHaveLength(18);
    const member = await grantable(world, firm.people.member.token);
    expect(member).toHaveLength(17);
    expect(member).not.toContain("validator:usage:report");
    for (const name of await grantable(world, firm.people.approver.token)) expect(name).toEndWith(":read");
  });

  test("exclude those of an entitlement that the firm lacks", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const names = await grantable(world, firm.people.owner.token);
    expect(names).toHaveLength(16);
    expect(names).not.toContain("market-intelligence:read");
  });

  test("come with the firm's workspaces and the person's role, and no other firm's", async () => {
    await using world = await World.open();
    const [firm] = [await world.firm(), await world.firm()];
    const answer = await world.ask("/v1/developer/workspaces", { as: firm.people.approver.token });
    const shown = { role: "approver", status: "active", created_at: rfc3339(world.clock.now()) };
    const owner = { id: firm.id, name: expect.any(String) };
    expect(await answer.json()).toEqual([
      { id: firm.workspaces[0], name: "First", slug: "first", firm: owner, ...shown },
      { id: firm.workspaces[1], name: "Second", slug: "second", firm: owner, ...shown },
    ]);
  });
});

describe("this month's calls", () => {
  const usageOf = async (world: World, as: string) =>
    (await (await world.ask("/v1/developer/usage/summary", { as })).json()) as DeveloperUsage;

  test("are zero at first", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    expect(await usageOf(world, firm.people.owner.token)).toEqual({
      period: { from: "2026-03-01T00:00:00.000Z", to: "2026-03-01T12:00:00.000Z" },
      calls_total: 0,
      by_key: [],
      by_tool: [],
    });
  });

  test("are counted by key and by tool, for their owner only, and reset each month", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const mine = await created(world, firm);
    const gone = await created(world, firm);
    const colleagues = await created(world, firm, "member");
    const call = (key: Created, tool: string, more: { failed?: boolean; at?: number } = {}) =>
      world.store.write((tx) =>
        recordToolCall(tx, {
          firm_id: firm.id,
          key_id: key.id,
          tool,
          failed: more.failed ?? false,
          at: more.at ?? world.clock.now(),
        }),
      );
    await Promise.all([call(mine, "list_docs"), call(mine, "list_docs", { failed: true }), call(mine, "list_docs")]);
    await call(mine, "list_use_cases");
    await call(gone, "list_docs");
    await call(colleagues, "list_docs");
    await call(mine, "list_docs", { at: Date.parse("2026-02-28T23:59:59.999Z") });
    await world.store.write((tx) => revokeKey(tx, { actor: "operator", at: world.clock.now() }, firm.id, gone.id));
    const usage = await usageOf(world, firm.people.owner.token);
    expect(usage.calls_total).toBe(5);
    expect(usage.by_key).toEqual([
      { key_id: mine.id, name: "Nightly import", calls: 4, errors: 1 },
      { key_id: gone.id, name: "Nightly import", calls: 1, errors: 0 },
    ]);
    expect(usage.by_tool).toEqual([
      { tool: "list_docs", calls: 4, errors: 1, credits: 0 },
      { tool: "list_use_cases", calls: 1, errors: 0, credits: 0 },
    ]);
    expect((await usageOf(world, firm.people.member.token)).calls_total).toBe(1);
    expect((await usageOf(world, other.people.owner.token)).calls_total).toBe(0);
    world.clock.advance(31 * day);
    const next = await usageOf(world, world.tokenOf(firm.people.owner.id));
    expect([next.period.from, next.calls_total]).toEqual(["2026-04-01T00:00:00.000Z", 0]);
  });
});

describe("a person's own key", () => {
  test("is read and renamed by id, even after it is revoked, and never shows its secret", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id, secret } = await created(world, firm);
    const { token } = firm.people.owner;
    const rename = (body: unknown, as = token) => world.ask(`${path}/${id}`, { method: "PATCH", as, body });
    expect(await (await rename({ name: "Reports" })).json()).toMatchObject({ id, name: "Reports" });
    await revoke(world, id, token);
    expect((await rename({ name: "Old reports" })).status).toBe(200);
    const read = await world.ask(`${path}/${id}`, { as: token });
    const text = await read.text();
    expect(JSON.parse(text)).toMatchObject({ id, name: "Old reports", scopes: ["runs:read"] });
    expect(text).not.toContain(secret);
    for (const body of [{}, { name: " " }, { name: "x".repeat(81) }, { name: "a", scopes: ["runs:read"] }])
      expect(await refusal(await rename(body))).toEqual([422, "validation_error"]);
    for (const as of [firm.people.admin.token, (await world.firm()).people.owner.token]) {
      expect(await refusal(await rename({ name: "taken" }, as))).toEqual([404, "not_found"]);
      expect(await refusal(await world.ask(`${path}/${id}`, { as }))).toEqual([404, "not_found"]);
    }
  });
});
