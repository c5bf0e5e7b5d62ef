import { afterAll, describe, expect, test } from "bun:test";
import type { User } from "../../src/accounts/auth/schema.ts";
import { hour, minute } from "../../src/platform/clock.ts";
import { errorIn, refusal, until, World } from "../support/harness.ts";
import { freshEmail, goodPassword, isLetIn, mailTo, newcomer, sessionIn, signIn, tokenIn } from "../support/people.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const notLetIn: [number, string] = [401, "invalid_credentials"];
/** Rate limits count per minute, so each test starts in a new one. */
const laterOn = () => world.clock.advance(minute);

describe("changing one's account", () => {
  const patch = (as: string, body: unknown) => world.ask("/auth/v1/user", { method: "PATCH", as, body });

  test("name and language need no reauthentication", async () => {
    const { access_token } = await newcomer(world);
    world.clock.advance(10 * minute);
    const changed = (await (await patch(access_token, { full_name: "Eva", locale: "sk-SK" })).json()) as User;
    expect(changed).toMatchObject({ full_name: "Eva", locale: "sk-SK" });
  });

  test("the password can be changed within five minutes of the sign-in, which ends the other sessions", async () => {
    laterOn();
    const email = freshEmail();
    const other = await newcomer(world, email);
    const own = await sessionIn(signIn(world, email));
    expect((await patch(own.access_token, { password: "a quite different one" })).status).toBe(200);
    expect(await isLetIn(world, own.access_token)).toBe(true);
    expect(await isLetIn(world, other.access_token)).toBe(false);
    expect((await signIn(world, email, "a quite different one")).status).toBe(200);
    expect(await refusal(await signIn(world, email))).toEqual(notLetIn);
    expect((await mailTo(world, email)).subject).toContain("password was changed");
  });

  test("later the current password is required, and the error says so", async () => {
    laterOn();
    const { access_token } = await newcomer(world);
    world.clock.advance(5 * minute);
    const without = await patch(access_token, { password: "a quite different one" });
    expect((await errorIn(without)).details).toEqual([{ path: "/body/current_password", message: expect.any(String) }]);
    const wrong = await patch(access_token, { password: "a quite different one", current_password: "no" });
    expect(await refusal(wrong)).toEqual(notLetIn);
    const right = await patch(access_token, { password: "a quite different one", current_password: goodPassword });
    expect(right.status).toBe(200);
  });

  test("guessing the current password is rate-limited like signing in", async () => {
    laterOn();
    const { access_token } = await newcomer(world);
    const guess = () => patch(access_token, { password: "a quite different one", current_password: "no" });
    for (let n = 0; n < 10; n++) expect(await refusal(await guess())).toEqual(notLetIn);
    expect(await refusal(await guess())).toEqual([429, "rate_limit_exceeded"]);
    laterOn();
  });

  test("without mail a new address takes effect immediately but unconfirmed; a taken one is refused", async () => {
    laterOn();
    const taken = await newcomer(world);
    const { access_token } = await newcomer(world);
    const email = freshEmail();
    expect(await (await patch(access_token, { email })).json()).toMatchObject({ email, email_confirmed_at: null });
    expect(await refusal(await patch(access_token, { email: taken.user.email }))).toEqual([422, "validation_error"]);
  });
});

describe("a forgotten password", () => {
  const recover = (email: string) => world.ask("/auth/v1/recover", { body: { email } });
  const reset = (token: string, password: string) =>
    world.ask("/auth/v1/reset-password", { body: { token, password } });

  test("is requested with the same response whether or not there is an account", async () => {
    const { user } = await newcomer(world);
    const [known, unknown] = [await recover(user.email), await recover(freshEmail())];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(await known.text()).toBe(await unknown.text());
  });

  test("must be reset by the operator if no mail is sent, and the link waits in the outbox", async () => {
    const { user } = await newcomer(world);
    const { message } = (await (await recover(user.email)).json()) as { message: string };
    expect(message).toContain("This server does not send mail.");
    expect(message).toContain("operator");
    expect(await mailTo(world, user.email)).toMatchObject({ sent_at: null });
  });

  test("is replaced through the link, once, and every session ends", async () => {
    laterOn();
    const session = await newcomer(world);
    const { email } = session.user;
    await recover(email);
    const token = tokenIn((await mailTo(world, email)).text);
    expect(await refusal(await reset(token, "password1234"))).toEqual([422, "validation_error"]);
    expect((await reset(token, "a quite different one")).status).toBe(204);
    expect(await isLetIn(world, session.access_token)).toBe(false);
    expect(await refusal(await reset(token, "one more password"))).toEqual(notLetIn);
    const again = await sessionIn(signIn(world, email, "a quite different one"));
    // Following the link from the address's mail proves ownership of it.
    expect(again.user.email_confirmed_at).not.toBeNull();
  });

  test("has a link that is valid for an hour", async () => {
    const { user } = await newcomer(world);
    await recover(user.email);
    const token = tokenIn((await mailTo(world, user.email)).text);
    world.clock.advance(hour);
    expect(await refusal(await reset(token, "a quite different one"))).toEqual(notLetIn);
  });

  test("has links that stay valid until one is used, and strangers can't flood the mailbox", async () => {
    laterOn();
    const { user } = await newcomer(world);
    await recover(user.email);
    const first = tokenIn((await mailTo(world, user.email)).text);
    for (let n = 0; n < 5; n++) await recover(user.email);
    const newest = tokenIn((await mailTo(world, user.email, 2)).text);
    expect((await reset(first, "a quite different one")).status).toBe(204);
    expect(await refusal(await reset(newest, "a quite different one"))).toEqual(notLetIn);
    await until(async () => (await world.app.parts.store.write(async () => true)) === true, "everything written");
    const all = await world.store.read
      .selectFrom("mail_outbox")
      .select("subject")
      .where("recipient", "=", user.email)
      .execute();
    expect(all).toHaveLength(3);
  });

  test("has at most ten links an hour, and the owner's stays valid", async () => {
    await using apart = await World.open();
    const { user } = await newcomer(apart);
    const ask = () => apart.ask("/auth/v1/recover", { body: { email: user.email } });
    await ask();
    const own = tokenIn((await mailTo(apart, user.email)).text);
    for (let n = 0; n < 58; n++) {
      apart.clock.advance(minute);
      for (let m = 0; m < 2; m++) await ask();
      await apart.store.write(async () => undefined);
    }
    const sent = apart.store.read.selectFrom("mail_outbox").select("id").where("recipient", "=", user.email);
    expect(await sent.execute()).toHaveLength(10);
    const body = { token: own, password: "a quite different one" };
    expect((await apart.ask("/auth/v1/reset-password", { body })).status).toBe(204);
  });

  test("has a link that states the number of keys and connections, and revokes them on request", async () => {
    for (const revoke_access of [false, true]) {
      await using apart = await World.open();
      const firm = await apart.firm();
      const address = `owner@${firm.id}.test`;
      const made = await apart.ask("/v1/developer/connections", {
        as: firm.people.owner.token,
        body: { name: "mine", workspace_id: firm.workspaces[0] },
      });
      expect(made.status).toBe(201);
      await apart.key(firm, ["docs:read"], { expires_at: apart.clock.now() - 1 });
      await apart.ask("/auth/v1/recover", { body: { email: address } });
      const token = tokenIn((await mailTo(apart, address)).text);
      const told = () => apart.ask("/auth/v1/reset-link", { body: { token } });
      expect(await (await told()).json()).toEqual({ api_keys: 1, connections: 1 });
      const body = { token, password: "a quite different one", revoke_access };
      expect((await apart.ask("/auth/v1/reset-password", { body })).status).toBe(204);
      expect(await refusal(await told())).toEqual(notLetIn);
      expect((await apart.ask("/v1/runs", { as: firm.key })).status).toBe(revoke_access ? 401 : 200);
      const { url } = (await made.json()) as { url: string };
      const pinged = await apart.ask(`/mcp?${url.split("?")[1]}`, { body: { jsonrpc: "2.0", id: 1, method: "ping" } });
      expect(pinged.status === 401).toBe(revoke_access);
    }
  });

  test("of an unconfirmed address resets everything that a stranger created with it", async () => {
    await using apart = await World.open();
    const { access_token, user } = await newcomer(apart);
    const listed = await apart.ask("/v1/developer/workspaces", { as: access_token });
    const [workspace] = (await listed.json()) as { id: string }[];
    const body = { name: "squatter's", scopes: ["runs:read"], workspace_id: workspace?.id };
    const key = (await (await apart.ask("/v1/developer/api-keys", { as: access_token, body })).json()) as {
      secret: string;
    };
    expect((await apart.ask("/v1/runs", { as: key.secret })).status).toBe(200);
    await apart.ask("/auth/v1/recover", { body: { email: user.email } });
    const token = tokenIn((await mailTo(apart, user.email)).text);
    const reset = { token, password: "a quite different one" };
    expect((await apart.ask("/auth/v1/reset-password", { body: reset })).status).toBe(204);
    expect((await apart.ask("/v1/runs", { as: key.secret })).status).toBe(401);
  });
});
