import { afterAll, describe, expect, test } from "bun:test";
import type { User } from "../../src/accounts/auth/schema.ts";
import { hour, minute } from "../../src/platform/clock.ts";
import { errorIn, refusal, until, World } from "../support/harness.ts";
import { freshEmail, goodPassword, isLetIn, mailTo, newcomer, sessionIn, signIn, tokenIn } from "../support/people.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const notLetIn: [number, string] = [401, "invalid_credentials"];
/** Rate limits count within a minute: each test begins with a fresh one. */
const laterOn = () => world.clock.advance(minute);

describe("changing oneself", () => {
  const patch = (as: string, body: unknown) => world.ask("/auth/v1/user", { method: "PATCH", as, body });

  test("name and language need no proof", async () => {
    const { access_token } = await newcomer(world);
    world.clock.advance(10 * minute);
    const changed = (await (await patch(access_token, { full_name: "Eva", locale: "sk-SK" })).json()) as User;
    expect(changed).toMatchObject({ full_name: "Eva", locale: "sk-SK" });
  });

  test("a password can be changed within five minutes of the sign-in, and ends the other sessions", async () => {
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

  test("later it asks for the present one, and says so", async () => {
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

  test("guessing the present password is rate-limited as signing in is", async () => {
    laterOn();
    const { access_token } = await newcomer(world);
    const guess = () => patch(access_token, { password: "a quite different one", current_password: "no" });
    for (let n = 0; n < 10; n++) expect(await refusal(await guess())).toEqual(notLetIn);
    expect(await refusal(await guess())).toEqual([429, "rate_limit_exceeded"]);
    laterOn();
  });

  test("without mail a new address counts at once, but not as confirmed; a taken one is refused", async () => {
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

  test("is answered alike whether or not there is such an account", async () => {
    const { user } = await newcomer(world);
    const [known, unknown] = [await recover(user.email), await recover(freshEmail())];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(await known.text()).toBe(await unknown.text());
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
    // Whoever reads the address's mail has proved that it is theirs.
    expect(again.user.email_confirmed_at).not.toBeNull();
  });

  test("a link is good for an hour", async () => {
    const { user } = await newcomer(world);
    await recover(user.email);
    const token = tokenIn((await mailTo(world, user.email)).text);
    world.clock.advance(hour);
    expect(await refusal(await reset(token, "a quite different one"))).toEqual(notLetIn);
  });

  test("the newest link alone works, and strangers can't fill the mailbox", async () => {
    laterOn();
    const { user } = await newcomer(world);
    await recover(user.email);
    const first = tokenIn((await mailTo(world, user.email)).text);
    for (let n = 0; n < 5; n++) await recover(user.email);
    const newest = tokenIn((await mailTo(world, user.email, 2)).text);
    expect(await refusal(await reset(first, "a quite different one"))).toEqual(notLetIn);
    expect((await reset(newest, "a quite different one")).status).toBe(204);
    await until(async () => (await world.app.parts.store.write(async () => true)) === true, "everything written");
    const all = await world.store.read
      .selectFrom("mail_outbox")
      .select("subject")
      .where("recipient", "=", user.email)
      .execute();
    expect(all).toHaveLength(3);
  });
});
