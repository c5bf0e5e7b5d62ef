import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { userById } from "../../db/queries/firms.ts";
import { createInvitation } from "../../src/accounts/admin/invitations.ts";
import { setPassword } from "../../src/accounts/admin/users.ts";
import { hour, minute } from "../../src/platform/clock.ts";
import { errorIn, refusal, World } from "../support/harness.ts";
import { freshEmail, goodPassword, newcomer, refresh, sessionIn, signIn, signUp } from "../support/people.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const notLetIn: [number, string] = [401, "invalid_credentials"];
/** Rate limits count per minute, so each test starts in a new one. */
const laterOn = () => world.clock.advance(minute);

describe("signing up", () => {
  test("creates a firm with a workspace, with the person as owner, without credits", async () => {
    const email = freshEmail();
    const { user, access_token } = await sessionIn(signUp(world, { email, full_name: "  Jana Nováková " }));
    expect(user).toMatchObject({ email, full_name: "Jana Nováková", locale: "en", email_confirmed_at: null });
    const credits = await world.ask("/v1/credits", { as: access_token });
    expect(await credits.json()).toMatchObject({ balance: { available: 0, reserved: 0 } });
    const { identity } = world.app.parts;
    const principal = await identity.byAccessToken(access_token);
    expect(principal).toMatchObject({ role: "owner", user_id: user.id });
    expect(principal && (await identity.workspaces(principal))).toHaveLength(1);
  });

  test("takes the email language from the browser", async () => {
    const languages = { cs: "cs-CZ,en;q=0.5", de: "de-AT", sk: "sk", en: "fr-FR,fr;q=0.9" };
    for (const [locale, header] of Object.entries(languages)) {
      const session = await sessionIn(signUp(world, { email: freshEmail() }, { "accept-language": header }));
      expect(session.user.locale).toBe(locale);
    }
  });

  test("refuses an address that is taken, ignoring case", async () => {
    const email = freshEmail();
    await newcomer(world, email);
    const again = await signUp(world, { email: ` ${email.toUpperCase()} ` });
    expect(again.status).toBe(422);
    expect((await errorIn(again)).details).toEqual([{ path: "/body/email", message: expect.any(String) }]);
  });

  const commons = ["password1234", "PasswordPassword", "qwertyuiop12", "abcabcabcabc", "111111111111", "1qaz2wsx3edc"];
  for (const password of commons)
    test(`refuses the common password ${password}`, async () => {
      const answer = await signUp(world, { email: freshEmail(), password });
      expect(answer.status).toBe(422);
      expect((await errorIn(answer)).details).toEqual([{ path: "/body/password", message: expect.any(String) }]);
    });

  test("knows more than a thousand common passwords, each in lower case", () => {
    const text = readFileSync(new URL("../../src/accounts/auth/common-passwords.txt", import.meta.url), "utf8");
    const all = text.trimEnd().split("\n");
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.filter((password) => password !== password.toLowerCase() || password.length < 5)).toEqual([]);
  });

  const badAddresses = [
    "victim@people.test\r\nBcc: all@people.test",
    "victim@people.test\nX: y",
    "a@people.test,b@people.test",
    "<a@people.test>",
    '"a"@people.test',
    "a\u0000b@people.test",
    "nobody",
    "@people.test",
    "a@b",
    `${"a".repeat(65)}@people.test`,
  ];
  for (const email of badAddresses)
    test(`refuses ${JSON.stringify(email)} as an address`, async () => {
      expect(await refusal(await signUp(world, { email }))).toEqual([422, "validation_error"]);
    });

  test("refuses a password of 10,000 characters without hashing it", async () => {
    const password = "long ".repeat(2_000);
    const attempts = [
      signUp(world, { email: freshEmail(), password }),
      signIn(world, freshEmail(), password),
      world.ask("/auth/v1/reset-password", { body: { token: "x", password } }),
      world.ask("/auth/v1/user", { method: "PATCH", as: (await newcomer(world)).access_token, body: { password } }),
    ];
    const { most } = world.app.parts.passwords.load();
    for (const answer of attempts) expect(await refusal(await answer)).toEqual([422, "validation_error"]);
    expect(world.app.parts.passwords.load()).toEqual({ active: 0, most });
  });

  test("refuses control characters in a name", async () => {
    const answer = await signUp(world, { email: freshEmail(), full_name: "Jana\r\nBcc: all@people.test" });
    expect(await refusal(answer)).toEqual([422, "validation_error"]);
  });

  test("with an invitation joins the inviting firm, once, and only with the invited address", async () => {
    const firm = await world.firm();
    const email = freshEmail();
    const act = { actor: "operator", at: world.clock.now(), runtime: world.clock };
    const { secret } = await world.store.write((tx) =>
      createInvitation(tx, act, { firm_id: firm.id, email, role: "approver" }),
    );
    const other = await signUp(world, { email: freshEmail(), invite: secret });
    expect(await refusal(other)).toEqual([422, "validation_error"]);
    const { user, access_token } = await sessionIn(signUp(world, { email, invite: secret }));
    expect(user.email_confirmed_at).not.toBeNull();
    const principal = await world.app.parts.identity.byAccessToken(access_token);
    expect(principal).toMatchObject({ firm_id: firm.id, role: "approver" });
    expect(await refusal(await signUp(world, { email: freshEmail(), invite: secret }))).toEqual([
      422,
      "validation_error",
    ]);
  });

  test("refuses an expired invitation", async () => {
    const firm = await world.firm();
    const email = freshEmail();
    const act = { actor: "operator", at: world.clock.now() - 8 * 24 * hour, runtime: world.clock };
    const given = { firm_id: firm.id, email, role: "member" as const };
    const { secret } = await world.store.write((tx) => createInvitation(tx, act, given));
    expect(await refusal(await signUp(world, { email, invite: secret }))).toEqual([422, "validation_error"]);
  });
});

describe("signing in", () => {
  test("returns the same body for a wrong password, an unknown person and a bad refresh token", async () => {
    laterOn();
    const { user } = await newcomer(world);
    const answers = [
      await signIn(world, user.email, "another password"),
      await signIn(world, freshEmail(), "another password"),
      await refresh(world, "assay_rt_nothing"),
    ];
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ error_code: "invalid_credentials", msg: expect.any(String) });
  });

  test("takes the same time for an unknown person as for a known one", async () => {
    laterOn();
    const { passwords } = world.app.parts;
    const counted: number[] = [];
    const turn = { check: () => undefined, wrong: () => void counted.push(passwords.load().active) };
    expect(await passwords.verify("whatever", null, turn)).toBe(false);
    // A hash was computed, occupying one of the two slots for that.
    expect(counted).toEqual([1]);
  });

  test("locks an account for a minute after ten wrong passwords, even for the right one", async () => {
    laterOn();
    const { user } = await newcomer(world);
    for (let n = 0; n < 10; n++) expect(await refusal(await signIn(world, user.email, `wrong ${n}`))).toEqual(notLetIn);
    const limited = await signIn(world, user.email);
    expect(Number(limited.headers.get("retry-after"))).toBeWithin(1, 61);
    expect(await refusal(limited)).toEqual([429, "rate_limit_exceeded"]);
    laterOn();
    expect((await signIn(world, user.email)).status).toBe(200);
  });

  test("rate-limits concurrent wrong passwords too", async () => {
    laterOn();
    const { user } = await newcomer(world);
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => signIn(world, user.email, `wrong ${n}`)));
    const wrong = answers.filter(({ status }) => status === 401).length;
    // At most two are computed at a time, so one more may have started before the tenth was counted.
    expect(wrong).toBeWithin(10, 12);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25 - wrong);
  });

  test("locks an address for a minute after thirty wrong passwords for any accounts", async () => {
    laterOn();
    const { user } = await newcomer(world);
    for (let n = 0; n < 30; n++) expect(await refusal(await signIn(world, freshEmail(), "wrong"))).toEqual(notLetIn);
    expect(await refusal(await signIn(world, user.email))).toEqual([429, "rate_limit_exceeded"]);
    laterOn();
    expect((await signIn(world, user.email)).status).toBe(200);
  });

  test("lets 250 people in at once while the server keeps responding, hashing at most two at a time", async () => {
    laterOn();
    const { user } = await newcomer(world);
    const stored = (await userById(world.store.read, user.id))?.password_hash;
    expect(stored).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    const quick = await newcomer(world);
    // The waiting is the same whatever a hash costs, so most of these cost a tenth of a sign-up's.
    const cost = { algorithm: "argon2id", memoryCost: 4_096, timeCost: 2 } as const;
    const password_hash = await Bun.password.hash(goodPassword, cost);
    const act = { actor: "operator", at: world.clock.now() };
    await world.store.write((tx) => setPassword(tx, act, quick.user.id, password_hash));
    const people = Array.from({ length: 250 }, (_, n) => (n % 25 === 0 ? user.email : quick.user.email));
    let isOver = false;
    let answered = 0;
    const watch = (async () => {
      while (!isOver) {
        expect((await world.ask("/health")).status).toBe(200);
        answered++;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    })();
    const answers = await Promise.all(people.map((email) => signIn(world, email)));
    isOver = true;
    await watch;
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answered).toBeGreaterThan(250);
    const { active, most } = world.app.parts.passwords.load();
    expect([active, most]).toEqual([0, expect.any(Number)]);
    expect(most).toBeWithin(1, 3);
  });
});
