import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { setPassword } from "../../src/accounts/admin/users.ts";
import { createPasswords } from "../../src/accounts/auth/passwords.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { minute } from "../../src/platform/clock.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { errorIn, refusal, until, World } from "../support/harness.ts";
import { base, codeFor, exchange } from "../support/oauth-world.ts";
import {
  freshEmail,
  goodPassword,
  isLetIn,
  mailTo,
  newcomer,
  refresh,
  sessionIn,
  signIn,
  tokenIn,
} from "../support/people.ts";
import { PostOffice } from "../support/smtp.ts";

/** What an intruder may keep from temporary access to an account, and which of it each event revokes. */

const office = await PostOffice.open();
const mail = smtpTransport({ url: office.url, from: "Assay <no-reply@assay.test>" });
const world = await World.open(undefined, { mail, signUp: "open" });
await world.app.recover();
const hash = await createPasswords(systemRuntime).hash(goodPassword);
const another = await createPasswords(systemRuntime).hash("a quite different one");
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await office[Symbol.asyncDispose]();
});
beforeEach(() => world.clock.advance(minute));

/** Returns the secret of the newest link sent to an address. */
async function linkTo(email: string, page: string): Promise<string> {
  const all = () => office.arrived.filter(({ to, text }) => to.includes(email) && text.includes(page));
  await until(() => all().length > 0, `a link to ${page} for ${email}`);
  return tokenIn(all().at(-1)?.text ?? "");
}

/** Returns one of two owners of a firm, signed in. */
async function victim() {
  const firm = await world.firm();
  const { id } = firm.people.admin;
  const email = `admin@${firm.id}.test`;
  const at = `/v1/team/members/${id}`;
  const asOwner = (method: string, body?: unknown) => world.ask(at, { method, as: firm.people.owner.token, body });
  expect((await asOwner("PATCH", { role: "owner" })).status).toBe(200);
  await world.store.write((tx) => setPassword(tx, world.act, id, hash));
  return { id, email, asOwner, session: await sessionIn(signIn(world, email)) };
}
type Victim = Awaited<ReturnType<typeof victim>>;

const patch = (as: string, body: object) =>
  world.ask("/auth/v1/user", { method: "PATCH", as, body: { current_password: goodPassword, ...body } });
const reset = (token: string, revoke_access = false) =>
  world.ask("/auth/v1/reset-password", { body: { token, password: "a quite different one", revoke_access } });
const verify = (token: string) => world.ask("/auth/v1/verify", { body: { token } });
const cookiesOf = ({ access_token, refresh_token }: Victim["session"]) =>
  `assay_access=${access_token}; assay_refresh=${refresh_token}`;

/** Each entry returns a function that checks whether it still grants access or changes anything. */
const kept = {
  async "a session"({ email }: Victim) {
    const { access_token } = await sessionIn(signIn(world, email));
    return () => isLetIn(world, access_token);
  },
  async "a refresh token"({ email }: Victim) {
    const { refresh_token } = await sessionIn(signIn(world, email));
    return async () => (await refresh(world, refresh_token)).status === 200;
  },
  async "a code of the command line"({ session }: Victim) {
    const code = await codeFor(world, cookiesOf(session), "assay-cli", { resource: base });
    return async () => (await exchange(world, "assay-cli", code, { resource: base })).status === 200;
  },
  async "a link to a new password"({ email }: Victim) {
    await world.ask("/auth/v1/recover", { body: { email } });
    const token = await linkTo(email, "/reset-password");
    return async () => (await reset(token)).status === 204;
  },
  async "a link to another address"({ session }: Victim) {
    const address = freshEmail();
    await patch(session.access_token, { email: address });
    const token = await linkTo(address, "/confirm");
    return async () => (await verify(token)).status === 200;
  },
  async "an invitation as owner"({ session }: Victim) {
    const address = freshEmail();
    const body = { email: address, role: "owner" };
    await world.ask("/v1/team/invitations", { as: session.access_token, body });
    const invite = await linkTo(address, "/sign-up");
    return async () =>
      (await world.ask("/auth/v1/signup", { body: { email: address, password: goodPassword, invite } })).status === 200;
  },
};
type Kept = keyof typeof kept;
const signIns: readonly Kept[] = ["a session", "a refresh token", "a code of the command line"];
const links: readonly Kept[] = ["a link to a new password", "a link to another address"];
const everything = Object.keys(kept) as Kept[];

/** Resets the password with a new link, since the earlier one is what is being tested. */
async function resetAgain({ email }: Victim, revoke_access: boolean): Promise<number> {
  world.clock.advance(minute);
  const before = office.arrived.length;
  await world.ask("/auth/v1/recover", { body: { email } });
  await until(() => office.arrived.slice(before).some(({ to }) => to.includes(email)), "another link");
  return (await reset(await linkTo(email, "/reset-password"), revoke_access)).status;
}

const events: readonly (readonly [string, (of: Victim) => Promise<unknown>, unknown, readonly Kept[]])[] = [
  [
    "a new password",
    async ({ session }) => (await patch(session.access_token, { password: "a quite different one" })).status,
    200,
    [...signIns, ...links],
  ],
  ["a new password by a link", (of) => resetAgain(of, false), 204, [...signIns, ...links]],
  ["a new password by a link that revokes access", (of) => resetAgain(of, true), 204, everything],
  [
    "a new password from the operator",
    ({ id }) => world.store.write((tx) => setPassword(tx, world.act, id, another)),
    undefined,
    [...signIns, ...links],
  ],
  [
    "another address, once it is confirmed",
    async ({ session }) => {
      const address = freshEmail();
      await patch(session.access_token, { email: address });
      return (await verify(await linkTo(address, "/confirm"))).status;
    },
    200,
    [...signIns, ...links],
  ],
  ["leaving the firm", async ({ asOwner }) => (await asOwner("DELETE")).status, 200, everything],
  [
    "another role",
    async ({ asOwner }) => (await asOwner("PATCH", { role: "member" })).status,
    200,
    ["an invitation as owner"],
  ],
];

for (const [event, happens, answer, voided] of events)
  describe(`after ${event}`, () => {
    for (const kind of everything)
      test(`${kind} ${voided.includes(kind) ? "no longer works" : "still works"}`, async () => {
        const of = await victim();
        const works = await kept[kind](of);
        // A change of address revokes at once part of what was kept before it.
        expect(await happens(of)).toBe(answer as never);
        expect(await works()).toBe(!voided.includes(kind));
      });
  });

test("each of them works before any event", async () => {
  for (const kind of everything) expect([kind, await (await kept[kind](await victim()))()]).toEqual([kind, true]);
});

describe("a change of address", () => {
  test("signs no one in, and is reported to the current address before it takes effect", async () => {
    const { email, session } = await victim();
    const next = freshEmail();
    await patch(session.access_token, { email: next });
    const told = () => office.arrived.filter(({ to }) => to.includes(email)).map(({ headers }) => headers.subject);
    await until(() => told().length > 0, "a message to the present address");
    expect(told()).toEqual(["A change of your e-mail address was requested"]);
    const answer = (await (await verify(await linkTo(next, "/confirm"))).json()) as object;
    expect(Object.keys(answer)).toEqual(["user"]);
    expect(await isLetIn(world, session.access_token)).toBe(true);
  });

  test("sends a stranger two messages a minute, refuses after five, and treats taken addresses alike", async () => {
    const taken = (await victim()).email;
    for (const address of [freshEmail(), taken]) {
      const { session } = await victim();
      const statuses: number[] = [];
      for (let n = 0; n < 7; n++) statuses.push((await patch(session.access_token, { email: address })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
      await world.app.parts.mailer.idle();
      const arrived = office.arrived.filter(({ to }) => to.includes(address));
      expect(arrived).toHaveLength(address === taken ? 0 : 2);
    }
  });
});

describe("without mail", () => {
  test("a link to an address is void once the account has another one", async () => {
    await using apart = await World.open();
    const { access_token, user } = await newcomer(apart);
    await apart.ask("/auth/v1/recover", { body: { email: user.email } });
    const token = tokenIn((await mailTo(apart, user.email)).text);
    const moved = { method: "PATCH", as: access_token, body: { email: freshEmail() } };
    expect((await apart.ask("/auth/v1/user", moved)).status).toBe(200);
    const body = { token, password: "a quite different one" };
    const refused = await errorIn(await apart.ask("/auth/v1/reset-password", { body }));
    const details = [{ path: "/body/token", message: expect.stringContaining("request a new link") }];
    expect(refused).toMatchObject({ code: "invalid_credentials", details });
  });

  test("an address confirmed by its owner voids the invitations of the account's earlier holder", async () => {
    await using apart = await World.open();
    const { access_token, user } = await newcomer(apart);
    const accomplice = freshEmail();
    const asked = { as: access_token, body: { email: accomplice, role: "owner" } };
    const { link } = (await (await apart.ask("/v1/team/invitations", asked)).json()) as { link: string };
    await apart.ask("/auth/v1/recover", { body: { email: user.email } });
    const reset = { token: tokenIn((await mailTo(apart, user.email)).text), password: "a quite different one" };
    expect((await apart.ask("/auth/v1/reset-password", { body: reset })).status).toBe(204);
    const body = { email: accomplice, password: goodPassword, invite: tokenIn(link) };
    expect(await refusal(await apart.ask("/auth/v1/signup", { body }))).toEqual([422, "validation_error"]);
  });
});
