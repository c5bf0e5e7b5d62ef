import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { membershipsOf, userById } from "../../db/queries/firms.ts";
import { addMember, changeRole, removeMember } from "../../src/accounts/admin/members.ts";
import { setOperator } from "../../src/accounts/admin/users.ts";
import { present } from "../../src/platform/assert.ts";
import { minute } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";
import { Installation } from "../support/operator.ts";

// The commands are separate processes.
setDefaultTimeout(10 * minute);

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());
const act = () => ({ actor: "operator", at: world.clock.now() });

describe("a person's role", () => {
  test("applies immediately to their keys and their session, in both directions", async () => {
    const firm = await world.firm();
    const { admin } = firm.people;
    const { secret } = await world.key(firm, ["capabilities:run", "runs:read"], { user: admin.id });
    const set = (role: "approver" | "admin") =>
      world.store.write((tx) => changeRole(tx, act(), { firm_id: firm.id, user_id: admin.id }, role));
    expect(await set("approver")).toBe(true);
    for (const as of [secret, admin.token])
      expect(await refusal(await world.start(firm, { as }))).toEqual([403, "missing_scope"]);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    expect(await set("admin")).toBe(true);
    expect(await set("admin")).toBe(false);
    expect((await world.start(firm, { as: secret })).status).toBe(202);
  });

  test("cannot be taken from the last owner", async () => {
    const firm = await world.firm();
    const member = { firm_id: firm.id, user_id: firm.people.owner.id };
    const demote = () => world.store.write((tx) => changeRole(tx, act(), member, "member"));
    await expect(demote()).rejects.toMatchObject({ code: "validation_error" });
    await expect(world.store.write((tx) => removeMember(tx, act(), firm.id, member.user_id))).rejects.toMatchObject({
      code: "validation_error",
    });
    await world.store.write((tx) => changeRole(tx, act(), { ...member, user_id: firm.people.admin.id }, "owner"));
    expect(await demote()).toBe(true);
  });
});

describe("removing a person", () => {
  test("revokes keys, connections and sessions; their runs finish and are charged", async () => {
    const firm = await world.firm();
    const { admin } = firm.people;
    const { secret } = await world.key(firm, ["capabilities:run", "runs:read"], { user: admin.id });
    const session = await world.app.parts.sessions.open(admin.id, "email");
    const body = { name: "mine", workspace_id: firm.workspaces[0] };
    await world.ask("/v1/developer/connections", { as: session.access_token, body });
    const { id } = await world.accepted(firm, { as: secret });
    const removed = await world.store.write((tx) => removeMember(tx, act(), firm.id, admin.id));
    expect(removed).toEqual({ api_keys: 1, connections: 1, sessions: 1 });
    for (const as of [secret, admin.token, session.access_token])
      expect((await world.ask("/v1/runs", { as })).status).toBe(401);
    await world.idle();
    expect(await world.run(firm, id)).toMatchObject({ status: "succeeded", charges: { charged_credits: 500 } });
    expect(await membershipsOf.all(world.store.read, { user_id: admin.id })).toEqual([]);
  });
});

describe("a person who returns", () => {
  const removed = async () => {
    const firm = await world.firm();
    const { admin } = firm.people;
    const { secret } = await world.key(firm, ["runs:read"], { user: admin.id });
    const user = present(await userById(world.store.read, admin.id), "the person");
    await world.store.write(async (tx) => {
      await setOperator(tx, act(), user, true);
      await removeMember(tx, act(), firm.id, admin.id);
    });
    return { firm, user, secret, admin };
  };
  const add = (firm_id: string, email: string) =>
    world.store.write((tx) => addMember(tx, { ...act(), runtime: world.clock }, { firm_id, email, role: "member" }));

  test.each(["the same", "another"])(
    "to %s firm has the same account, without what was revoked and without operator rights",
    async (which) => {
      const { firm, user, secret, admin } = await removed();
      const home = which === "another" ? await world.firm() : firm;
      const back = await add(home.id, user.email.toUpperCase());
      expect(back).toMatchObject({ isBack: true, user: { id: user.id, full_name: user.full_name, is_operator: 0 } });
      expect(await membershipsOf.all(world.store.read, { user_id: user.id })).toEqual([
        { firm_id: home.id, role: "member" },
      ]);
      expect((await world.ask("/v1/runs", { as: admin.token })).status).toBe(200);
      expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
    },
  );

  test("joins one firm, not two", async () => {
    const { firm, user } = await removed();
    await add(firm.id, user.email);
    await expect(add((await world.firm()).id, user.email)).rejects.toMatchObject({ code: "validation_error" });
  });
});

describe("on the command line", () => {
  const installation = new Installation();
  afterAll(() => installation[Symbol.asyncDispose]());

  test("a role is changed, a person removed and a password set, each with a confirmation", async () => {
    await installation.init();
    await installation.run("admin", "users", "create", "--email", "two@acme.test", "--role", "admin");
    const changed = await installation.run("admin", "users", "role", "two@acme.test", "approver");
    expect([changed.code, changed.out.trim()]).toEqual([0, "two@acme.test is now approver"]);
    const removed = await installation.run("admin", "users", "remove", "two@acme.test");
    expect([removed.code, removed.out]).toEqual([
      0,
      expect.stringContaining("ended 0 keys, 0 connections and 0 sessions"),
    ]);
    const last = await installation.run("admin", "users", "remove", "owner@acme.test");
    expect([last.code, last.err]).toEqual([
      2,
      expect.stringContaining("owner@acme.test of acme is the firm's last owner"),
    ]);
    expect((await installation.run("admin", "users", "role", "owner@acme.test", "nonsense")).code).toBe(2);
    expect((await installation.run("admin", "users", "remove", "nobody@acme.test")).code).toBe(2);
  });

  test("no unusable link is printed for a removed person, who can return", async () => {
    const token = await installation.run("admin", "users", "token", "two@acme.test");
    expect([token.code, token.out, token.err]).toEqual([2, "", expect.stringContaining("users create --email two@")]);
    const invited = await installation.run("admin", "invitations", "create", "--email", "two@acme.test");
    expect(invited.code).toBe(0);
    const back = await installation.run("admin", "users", "create", "--email", "two@acme.test");
    expect([back.code, back.out]).toEqual([0, expect.stringMatching(/^brought back two@acme.test \(.*\), member/)]);
    expect((await installation.run("admin", "users", "token", "two@acme.test")).code).toBe(0);
    const twice = await installation.run("admin", "users", "create", "--email", "two@acme.test");
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("already belongs to a user")]);
  });

  test("an installation's files are readable by their owner only, whatever the permissions were", async () => {
    chmodSync(installation.data, 0o755);
    for (const name of readdirSync(installation.data)) chmodSync(join(installation.data, name), 0o644);
    const mode = (name: string) => statSync(join(installation.data, name)).mode & 0o777;
    await installation.run("admin", "users", "list");
    expect(readdirSync(installation.data).map((name) => [name, mode(name)])).toEqual(
      readdirSync(installation.data).map((name) => [name, 0o600]),
    );
  });
});
