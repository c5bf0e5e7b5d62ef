import { afterAll, describe, expect, test } from "bun:test";
import { createSignInGuards } from "../../src/accounts/auth/guards.ts";
import { hour, minute } from "../../src/platform/clock.ts";
import { createAttemptGuard } from "../../src/web/attempts.ts";
import { World } from "../support/harness.ts";
import { freshEmail, goodPassword, newcomer } from "../support/people.ts";

/**
 * How little strangers can do to others by guessing passwords. Requests carry client addresses through a trusted proxy.
 */

const world = await World.open(undefined, { trustedProxies: ["127.0.0.1"] });
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request, self) => world.app.fetch(request, self) });
afterAll(async () => {
  await server.stop(true);
  await world[Symbol.asyncDispose]();
});
const own = { origin: world.app.parts.baseUrl, "sec-fetch-site": "same-origin" };
const laterOn = () => world.clock.advance(minute);

const post = (path: string, from: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(new URL(path, server.url), {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from, ...headers },
    body: JSON.stringify(body),
  });
const signIn = async (email: string, from: string, password = goodPassword): Promise<number> =>
  (await post("/auth/v1/token?grant_type=password", from, { email, password })).status;
const guess = (email: string, from: string) => signIn(email, from, "wrong all the same");
async function guesses(email: string, from: string, times: number): Promise<number[]> {
  const answers: number[] = [];
  for (let n = 0; n < times; n++) answers.push(await guess(email, from));
  return answers;
}
/** Signs a person up, without a client address. */
const someone = async (): Promise<string> => (await newcomer(world, freshEmail())).user.email;

describe("wrong passwords from a stranger", () => {
  test("lock out the stranger after ten, and no one who signs in from elsewhere", async () => {
    laterOn();
    const email = await someone();
    expect(await guesses(email, "203.0.113.1", 11)).toEqual([...Array(10).fill(401), 429]);
    expect(await signIn(email, "198.51.100.1")).toBe(200);
  });

  test("from a hundred addresses block new addresses, and none that the account has used", async () => {
    laterOn();
    const email = await someone();
    expect(await signIn(email, "198.51.100.2")).toBe(200);
    for (let n = 0; n < 10; n++) await guesses(email, `203.0.113.${10 + n}`, 10);
    expect(await signIn(email, "198.51.100.3")).toBe(429);
    expect(await signIn(email, "198.51.100.2")).toBe(200);
    laterOn();
    expect(await signIn(email, "198.51.100.3")).toBe(200);
  });

  test("for other accounts do not block people who have signed in from the same address before", async () => {
    laterOn();
    const [email, newer] = [await someone(), await someone()];
    expect(await signIn(email, "198.51.100.4")).toBe(200);
    for (let n = 0; n < 30; n++) await guess(freshEmail(), "198.51.100.4");
    expect(await signIn(newer, "198.51.100.4")).toBe(429);
    expect(await signIn(email, "198.51.100.4")).toBe(200);
  });

  test("from the owner's own address do not block browsers that have signed in before", async () => {
    laterOn();
    const email = await someone();
    const enter = (headers: Record<string, string> = {}) =>
      post("/session", "198.51.100.5", { email, password: goodPassword }, { ...own, ...headers });
    const first = await enter();
    expect(first.status).toBe(204);
    const mark = first.headers.getSetCookie().find((cookie) => cookie.startsWith("assay_browser="));
    expect(mark).toContain("HttpOnly; SameSite=Lax");
    await guesses(email, "198.51.100.5", 10);
    expect((await enter()).status).toBe(429);
    expect((await enter({ cookie: "assay_browser=made-up" })).status).toBe(429);
    expect((await enter({ cookie: mark?.split(";")[0] ?? "" })).status).toBe(204);
  });

  test("do not prevent the signed-in owner from changing the password", async () => {
    laterOn();
    const { access_token, user } = await newcomer(world);
    for (let n = 0; n < 11; n++) await guesses(user.email, `203.0.113.${40 + n}`, 10);
    const body = { password: "a quite different one", current_password: goodPassword };
    const changed = await world.ask("/auth/v1/user", { method: "PATCH", as: access_token, body });
    expect(changed.status).toBe(200);
  });
});

test("a known address or browser is forgotten after ninety days", async () => {
  const email = await someone();
  expect(await signIn(email, "198.51.100.6")).toBe(200);
  world.clock.advance(91 * 24 * hour);
  for (let n = 0; n < 10; n++) await guesses(email, `203.0.113.${70 + n}`, 10);
  expect(await signIn(email, "198.51.100.6")).toBe(429);
});

test("wrong keys block their sender after two hundred, and no valid key or token from the same address", async () => {
  laterOn();
  const firm = await world.firm();
  const ask = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}`, "x-forwarded-for": "198.51.100.7" };
    return (await fetch(new URL("/v1/runs", server.url), { headers })).status;
  };
  for (let n = 0; n < 200; n++) expect(await ask("assay_sk_guess")).toBe(401);
  expect(await ask("assay_sk_guess")).toBe(429);
  expect([await ask(firm.key), await ask(firm.people.owner.token)]).toEqual([200, 200]);
});

describe("a rate limit", () => {
  /** A clock of elapsed time, which keeps running when the machine's clock is set back. */
  function clocks() {
    let elapsed = 0;
    return {
      elapsed: () => elapsed,
      pass(ms: number) {
        elapsed += ms;
      },
    };
  }

  test("ends with its minute, whatever the machine's clock is set to", () => {
    const time = clocks();
    const guard = createAttemptGuard(time, 2);
    guard.count("a");
    guard.count("a");
    expect(guard.isExhausted("a")).toBe(true);
    time.pass(minute);
    expect(guard.isExhausted("a")).toBe(false);
  });

  test("of ten from one address applies to known browsers too", () => {
    const guards = createSignInGuards(clocks());
    const attempt = { email: "a@b.cz", address: "198.51.100.8", knownBy: "address" as const };
    for (let n = 0; n < 10; n++) guards.wrong(attempt);
    expect(() => guards.check(attempt)).toThrow();
    expect(() => guards.check({ ...attempt, address: "198.51.100.9" })).not.toThrow();
  });
});
