import { describe, expect, test } from "bun:test";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { day } from "../../src/platform/clock.ts";
import { type Firm, refusal, World } from "../support/harness.ts";
import { freshEmail, goodPassword, sessionIn, signUp, tokenIn } from "../support/people.ts";
import { type Scenario, type Scene, scenarios } from "../support/scenario.ts";
import { PostOffice } from "../support/smtp.ts";

type Role = keyof Firm["people"];
const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;
const by =
  (role: Role, path: string | ((scene: Scene) => string), method = "GET", body?: unknown) =>
  (scene: Scene) =>
    scene.world.ask(typeof path === "string" ? path : path(scene), {
      method,
      as: scene.firm.people[role].token,
      ...(body !== undefined && { body }),
    });
const member =
  (role: Role) =>
  ({ firm }: Scene) =>
    `/v1/team/members/${firm.people[role].id}`;
const refused = { status: 403, code: "missing_scope", paths: ["/header/authorization"] };
const isRole = (role: Role, expected: string) => async (scene: Scene) => {
  const { items } = await json<{ items: { id: string; role: string }[] }>(await by("owner", "/v1/team/members")(scene));
  expect(items.find(({ id }) => id === scene.firm.people[role].id)?.role).toBe(expected);
};

describe("members of the firm", () => {
  const all: Scenario[] = (["owner", "admin", "approver", "member"] as const).map((role) => ({
    name: `a person with the role ${role} sees every member, and none of another firm`,
    ask: by(role, "/v1/team/members"),
    status: 200,
    async afterwards({ firm }, answer) {
      const { items } = JSON.parse(answer) as { items: { id: string; role: string; current: boolean }[] };
      expect(items.map((one) => one.id).sort()).toEqual(
        Object.values(firm.people)
          .map(({ id }) => id)
          .sort(),
      );
      expect(items.filter(({ current }) => current).map((one) => one.role)).toEqual([role]);
    },
  }));
  scenarios([
    ...all,
    {
      name: "an owner changes a person's role with immediate effect",
      ask: by("owner", member("member"), "PATCH", { role: "approver" }),
      status: 200,
      shows: ['"role":"approver"'],
      async afterwards(scene) {
        await isRole("member", "approver")(scene);
        const keys = await scene.world.ask("/v1/developer/scopes", { as: scene.firm.people.member.token });
        const scopes = await json<{ name: string; grantable: boolean }[]>(keys);
        expect(scopes.find(({ name }) => name === "capabilities:run")?.grantable).toBe(false);
      },
    },
    {
      name: "an admin cannot change roles",
      ask: by("admin", member("member"), "PATCH", { role: "owner" }),
      ...refused,
      afterwards: isRole("member", "member"),
    },
    {
      name: "the last owner cannot change role",
      ask: by("owner", member("owner"), "PATCH", { role: "member" }),
      status: 422,
      code: "validation_error",
      paths: ["/path/user_id"],
      afterwards: isRole("owner", "owner"),
    },
    {
      name: "the last owner cannot leave",
      ask: by("owner", member("owner"), "DELETE"),
      status: 422,
      code: "validation_error",
      paths: ["/path/user_id"],
    },
    {
      name: "another firm's person is 404",
      ask: (scene) =>
        scene.world.ask(`/v1/team/members/${scene.other.people.member.id}`, {
          method: "DELETE",
          as: scene.firm.people.owner.token,
        }),
      status: 404,
      code: "not_found",
    },
    {
      name: "an unknown role is 422",
      ask: by("owner", member("member"), "PATCH", { role: "king" }),
      status: 422,
      code: "validation_error",
      paths: ["/body/role"],
    },
    {
      name: "a removed person is no longer a member, and their keys are refused",
      async given({ world, firm }) {
        await world.key(firm, ["runs:read"], { user: firm.people.member.id });
      },
      ask: by("owner", member("member"), "DELETE"),
      status: 200,
      shows: ['"api_keys":1'],
      async afterwards({ world, firm }) {
        expect((await world.ask("/v1/runs", { as: firm.people.member.token })).status).toBe(401);
        const { items } = await json<{ items: object[] }>(
          await world.ask("/v1/team/members", { as: firm.people.owner.token }),
        );
        expect(items).toHaveLength(3);
      },
    },
  ]);
});

const invite = (world: World, as: string, body: object) => world.ask("/v1/team/invitations", { as, body });
type Invited = { id: string; link: string | null; state: string };

describe("invitations", () => {
  test("without mail return a link to pass on, which works once and confirms no address", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { token } = firm.people.owner;
    const email = freshEmail();
    const made = await json<Invited>(await invite(world, token, { email, role: "approver" }));
    expect(made).toMatchObject({ state: "open" });
    const secret = tokenIn(made.link ?? "");
    const { access_token, user } = await sessionIn(signUp(world, { email, invite: secret }));
    expect(user.email_confirmed_at).toBeNull();
    const mine = await json<{ items: { current: boolean; role: string }[] }>(
      await world.ask("/v1/team/members", { as: access_token }),
    );
    expect(mine.items.find(({ current }) => current)?.role).toBe("approver");
    expect((await signUp(world, { email: freshEmail(), invite: secret })).status).toBe(422);
    const listed = await (await world.ask("/v1/team/invitations", { as: token })).text();
    expect(JSON.parse(listed)).toMatchObject({ items: [{ id: made.id, state: "accepted" }] });
    expect(listed).not.toContain(secret);
    expect(await refusal(await world.ask(`/v1/team/invitations/${made.id}`, { method: "DELETE", as: token }))).toEqual([
      404,
      "not_found",
    ]);
  });

  test("with mail send the link to the address only, in the requested language, and confirm it", async () => {
    await using office = await PostOffice.open();
    const mail = smtpTransport({ url: office.url, from: "a@assay.test" });
    await using world = await World.open(undefined, { mail });
    await world.app.recover();
    const firm = await world.firm();
    const email = freshEmail();
    const made = await json<Invited>(
      await invite(world, firm.people.owner.token, { email, role: "member", locale: "sk" }),
    );
    expect(made.link).toBeNull();
    const message = await office.mailTo(email);
    expect(message.headers.subject).toBe("Pozvánka do Assay");
    const { user } = await sessionIn(signUp(world, { email, invite: tokenIn(message.text) }));
    expect(user.email_confirmed_at).not.toBeNull();
  });

  test("that are withdrawn or expired are refused", async () => {
    await using world = await World.open();
    const { token } = (await world.firm()).people.owner;
    const [one, two] = [freshEmail(), freshEmail()];
    const first = await json<Invited>(await invite(world, token, { email: one, role: "member" }));
    const second = await json<Invited>(await invite(world, token, { email: two, role: "member" }));
    expect((await world.ask(`/v1/team/invitations/${first.id}`, { method: "DELETE", as: token })).status).toBe(204);
    world.clock.advance(7 * day);
    for (const [email, { link }] of [
      [one, first],
      [two, second],
    ] as const)
      expect((await signUp(world, { email, invite: tokenIn(link ?? "") })).status).toBe(422);
  });

  test("to an address with an account elsewhere look the same, and give that account no access", async () => {
    await using world = await World.open();
    const { token } = (await world.firm()).people.owner;
    const email = freshEmail();
    await sessionIn(signUp(world, { email }));
    const taken = await invite(world, token, { email, role: "member" });
    const free = await invite(world, token, { email: freshEmail(), role: "member" });
    expect([taken.status, free.status]).toEqual([201, 201]);
    const { link } = await json<Invited>(taken);
    expect((await signUp(world, { email, password: `${goodPassword}!`, invite: tokenIn(link ?? "") })).status).toBe(
      422,
    );
  });

  test("to members, invalid addresses and by other roles are refused", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { owner, admin } = firm.people;
    expect((await invite(world, owner.token, { email: `member@${firm.id}.test`, role: "member" })).status).toBe(422);
    expect((await invite(world, owner.token, { email: "no address", role: "member" })).status).toBe(422);
    expect(await refusal(await invite(world, admin.token, { email: freshEmail(), role: "owner" }))).toEqual([
      403,
      "missing_scope",
    ]);
  });

  test("are rate-limited per firm", async () => {
    await using world = await World.open();
    const { token } = (await world.firm()).people.owner;
    for (let i = 0; i < 10; i++)
      expect((await invite(world, token, { email: freshEmail(), role: "member" })).status).toBe(201);
    expect(await refusal(await invite(world, token, { email: freshEmail(), role: "member" }))).toEqual([
      429,
      "rate_limit_exceeded",
    ]);
  });

  test("are impossible if no one can sign up", async () => {
    await using world = await World.open(undefined, { signUp: "off" });
    const { token } = (await world.firm()).people.owner;
    expect((await invite(world, token, { email: freshEmail(), role: "member" })).status).toBe(422);
  });
});

describe("the keys of a firm's people", () => {
  test("are listed and revoked by an owner only", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const { owner, admin } = firm.people;
    const { key, secret } = await world.key(firm, ["runs:read"], { user: firm.people.member.id });
    const list = async (query = "") =>
      (
        await json<{ items: { id: string; user: { id: string } }[] }>(
          await world.ask(`/v1/team/api-keys${query}`, { as: owner.token }),
        )
      ).items;
    expect((await list()).map((one) => one.user.id)).toEqual([firm.people.member.id, owner.id]);
    expect(await (await world.ask("/v1/team/api-keys", { as: owner.token })).text()).not.toContain(secret);
    expect(await refusal(await world.ask("/v1/team/api-keys", { as: admin.token }))).toEqual([403, "missing_scope"]);
    const revoke = (as: string) => world.ask(`/v1/team/api-keys/${key.id}`, { method: "DELETE", as });
    expect(await refusal(await revoke(other.people.owner.token))).toEqual([404, "not_found"]);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    expect([(await revoke(owner.token)).status, (await revoke(owner.token)).status]).toEqual([204, 204]);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
    expect(await list()).toHaveLength(1);
    expect((await list("?include=revoked")).map(({ id }) => id)).toContain(key.id);
    expect((await world.ask("/v1/team/api-keys?include=everything", { as: owner.token })).status).toBe(422);
  });

  test("that only tests need are hidden by default", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { key, secret } = await world.key(firm, ["runs:read"]);
    await world.store.write((tx) =>
      tx
        .updateTable("api_keys")
        .set({ purpose: "test" })
        .where("firm_id", "=", firm.id)
        .where("id", "=", key.id)
        .execute(),
    );
    const ids = async (path: string) => (await world.ask(path, { as: firm.people.owner.token })).text();
    for (const path of ["/v1/team/api-keys", "/v1/developer/api-keys"]) {
      expect(await ids(path)).not.toContain(key.id);
      expect(await ids(`${path}?include=test`)).toContain(key.id);
    }
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
  });
});
