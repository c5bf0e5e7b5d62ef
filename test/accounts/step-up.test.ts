import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { userByEmail } from "../../db/queries/firms.ts";
import { setOperator } from "../../src/accounts/admin/users.ts";
import type { Session } from "../../src/accounts/auth/schema.ts";
import { present } from "../../src/platform/assert.ts";
import { day, hour, minute, second } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";
import { client, IdentityProvider } from "../support/identity-provider.ts";
import { base, codeFor, exchange, ownPage } from "../support/oauth-world.ts";
import { freshEmail, newcomer, refresh, sessionIn, signIn } from "../support/people.ts";

/** Which sessions count as a recent sign-in, for an operator's change and for a new password without the old one. */

const provider = await IdentityProvider.start(`${base}/auth/v1/callback`);
const external = { ...client, name: "keycloak", issuer: provider.issuer };
const world = await World.open(undefined, { external, signUp: "open" });
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => world.clock.advance(minute));

const cookiesOf = ({ access_token, refresh_token }: Session) =>
  `assay_access=${access_token}; assay_refresh=${refresh_token}`;

/** Returns an operator who signed in an hour ago. */
async function operator(email = freshEmail()) {
  await newcomer(world, email);
  const user = present(await userByEmail(world.store.read, email), "the operator");
  await world.store.write((tx) => setOperator(tx, world.act, user, true));
  const old = await sessionIn(signIn(world, email));
  world.clock.advance(hour);
  return { email, old: await sessionIn(refresh(world, old.refresh_token)) };
}

const change = (session: Session) =>
  world.ask("/v1/operator/gates/platform", {
    method: "PUT",
    body: { open: true },
    headers: { ...ownPage, cookie: cookiesOf(session) },
  });
const look = (session: Session) =>
  world.ask("/v1/operator/gates", { headers: { ...ownPage, cookie: cookiesOf(session) } });
const choose = ({ access_token }: Session) =>
  world.ask("/auth/v1/user", { method: "PATCH", as: access_token, body: { password: "a quite different one" } });
const tooOld: [number, string] = [403, "recent_sign_in_required"];

async function allowed(session: Session): Promise<[number, number, number]> {
  return [(await look(session)).status, (await change(session)).status, (await choose(session)).status];
}

/** Signs in through the provider, where the person logged in `loggedIn` ago unless the request demands a new login. */
async function throughProvider(email: string, loggedIn: number, cookie?: string): Promise<Session> {
  provider.next = { id: email, email, email_verified: true };
  provider.loggedInAt = loggedIn;
  const query = new URLSearchParams({ provider: "keycloak", redirect_to: "/account" });
  const headers = { accept: "application/json", ...(cookie !== undefined && { cookie }) };
  const begun = await world.ask(`/auth/v1/authorize?${query}`, { headers });
  const urlIn = async (response: Response) => new URL(((await response.json()) as { url: string }).url);
  const state = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const returned = await provider.visit((await urlIn(begun)).href);
  const back = await world.ask(returned.slice(base.length), { headers: { ...headers, cookie: state } });
  const code = (await urlIn(back)).searchParams.get("code");
  return sessionIn(world.ask("/auth/v1/exchange-code", { body: { code } }));
}

describe("what counts as a recent sign-in", () => {
  test("a password just entered", async () => {
    const { email } = await operator();
    expect(await allowed(await sessionIn(signIn(world, email)))).toEqual([200, 200, 200]);
  });

  test("a login at the provider, at the time of that login", async () => {
    const { email } = await operator();
    const now = Math.floor(world.clock.now() / second);
    expect(await allowed(await throughProvider(email, now - 1))).toEqual([200, 200, 200]);
    expect(await allowed(await throughProvider(email, now - 600))).toEqual([200, 200, 422]);
    expect(await allowed(await throughProvider(email, now - 3_600))).toEqual([200, 403, 422]);
  });

  test("no extra time if the provider's clock is ahead", async () => {
    const { email } = await operator();
    const session = await throughProvider(email, Math.floor((world.clock.now() + day) / second));
    world.clock.advance(14 * minute);
    const next = await sessionIn(refresh(world, session.refresh_token));
    expect((await change(next)).status).toBe(200);
    world.clock.advance(minute);
    expect(await refusal(await change(await sessionIn(refresh(world, next.refresh_token))))).toEqual(tooOld);
  });
});

describe("what does not count", () => {
  test("a refresh", async () => {
    const { old } = await operator();
    expect(await allowed(old)).toEqual([200, 403, 422]);
  });

  test("a program authorised by an old session, as a bearer, in cookies or as a browser's session", async () => {
    const { old } = await operator();
    const code = await codeFor(world, cookiesOf(old), "assay-cli", { resource: base });
    const program = (await (await exchange(world, "assay-cli", code, { resource: base })).json()) as Session;
    expect((await world.ask("/v1/runs", { as: program.access_token })).status).toBe(200);
    expect(await allowed(program)).toEqual([401, 401, 422]);
    const entered = await world.ask("/session", { body: { refresh_token: program.refresh_token }, headers: ownPage });
    expect(await refusal(entered)).toEqual([401, "invalid_credentials"]);
    expect(entered.headers.getSetCookie()).toEqual([]);
  });

  test("a program authorised just after a sign-in", async () => {
    const { email } = await operator();
    const fresh = await sessionIn(signIn(world, email));
    const code = await codeFor(world, cookiesOf(fresh), "assay-cli", { resource: base });
    const program = (await (await exchange(world, "assay-cli", code, { resource: base })).json()) as Session;
    expect(await allowed(program)).toEqual([401, 401, 422]);
    expect(await allowed(fresh)).toEqual([200, 200, 200]);
  });
});

test("the provider is asked for a new login if there is a session, and only then", async () => {
  const { email, old } = await operator();
  const at = async (cookie?: string) => {
    const headers = { accept: "application/json", ...(cookie !== undefined && { cookie }) };
    const begun = await world.ask("/auth/v1/authorize?provider=keycloak&redirect_to=/account", { headers });
    return new URL(((await begun.json()) as { url: string }).url).searchParams.get("max_age");
  };
  expect(await at(cookiesOf(old))).toBe("0");
  expect(Number(await at()) * second).toBe(30 * day);
  const now = Math.floor(world.clock.now() / second);
  expect(await allowed(await throughProvider(email, now, cookiesOf(old)))).toEqual([200, 200, 200]);
});
