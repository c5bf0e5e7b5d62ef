import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { newestMail } from "../../db/queries/mail-outbox.ts";
import type { Session, User } from "../../src/accounts/auth/schema.ts";
import { composeMessage } from "../../src/integrations/mail/message.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { languageOf, languages, type MailKind, wordings } from "../../src/integrations/mail/texts.ts";
import { present } from "../../src/platform/assert.ts";
import { hour, minute, second } from "../../src/platform/clock.ts";
import { refusal, until, World } from "../support/harness.ts";
import { freshEmail, goodPassword, isLetIn, sessionIn, signIn, signUp, tokenIn } from "../support/people.ts";
import { PostOffice } from "../support/smtp.ts";

const office = await PostOffice.open();
const mail = smtpTransport({ url: office.url, from: "Assay <no-reply@assay.test>" });
const world = await World.open(undefined, { mail });
await world.app.recover();
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await office[Symbol.asyncDispose]();
});
beforeEach(() => world.clock.advance(minute));

const verify = (token: string) => world.ask("/auth/v1/verify", { body: { token } });
/** Processes the outbox again, `later` milliseconds later. */
async function tryAgain({ app, clock }: World, later: number): Promise<void> {
  await app.parts.mailer.stop();
  clock.advance(later);
  app.parts.mailer.start();
  await app.parts.mailer.idle();
}
/** Signs a person up who follows the confirmation link. */
async function confirmed(email = freshEmail()): Promise<Session> {
  await signUp(world, { email });
  return sessionIn(verify(tokenIn((await office.mailTo(email)).text)));
}

describe("with mail", () => {
  test("a new person gets no session before the address is confirmed through the link, which works once", async () => {
    const email = freshEmail();
    const answer = await signUp(world, { email }, { "accept-language": "cs-CZ,cs;q=0.9" });
    expect(await answer.json()).toMatchObject({ email, email_confirmed_at: null });
    const message = await office.mailTo(email);
    expect(message.headers.subject).toBe("Potvrďte svou e-mailovou adresu");
    const token = tokenIn(message.text);
    const { access_token, user } = await sessionIn(verify(token));
    expect(user.email_confirmed_at).not.toBeNull();
    expect(await isLetIn(world, access_token)).toBe(true);
    expect(await refusal(await verify(token))).toEqual([401, "invalid_credentials"]);
    expect((await signIn(world, email)).status).toBe(200);
  });

  test("signing in with the right password before that sends the link again", async () => {
    const email = freshEmail();
    await signUp(world, { email });
    await office.mailTo(email);
    expect(await refusal(await signIn(world, email, "a wrong password"))).toEqual([401, "invalid_credentials"]);
    expect(await refusal(await signIn(world, email))).toEqual([401, "invalid_credentials"]);
    const { access_token } = await sessionIn(verify(tokenIn((await office.mailTo(email, 2)).text)));
    expect(await isLetIn(world, access_token)).toBe(true);
  });

  test("signing up with a taken address returns the same as with a free one, and notifies its owner", async () => {
    const { email } = (await confirmed()).user;
    const again = await signUp(world, { email, password: "somebody else's own" });
    const free = await signUp(world, { email: freshEmail(), password: "somebody else's own" });
    const [first, second] = [(await again.json()) as User, (await free.json()) as User];
    expect(Object.keys(first)).toEqual(Object.keys(second));
    expect({ ...first, id: "", email: "" }).toEqual({ ...second, id: "", email: "" });
    expect((await office.mailTo(email, 2)).headers.subject).toBe("You already have an Assay account");
    expect((await signIn(world, email)).status).toBe(200);
    expect((await signIn(world, email, "somebody else's own")).status).toBe(401);
  });

  test("a stranger who signed up first with an address does not know the confirmed password", async () => {
    const email = freshEmail();
    await signUp(world, { email, password: "the stranger's own" });
    const first = tokenIn((await office.mailTo(email)).text);
    await signUp(world, { email });
    const second = tokenIn((await office.mailTo(email, 2)).text);
    expect(await refusal(await verify(first))).toEqual([401, "invalid_credentials"]);
    await sessionIn(verify(second));
    expect(await refusal(await signIn(world, email, "the stranger's own"))).toEqual([401, "invalid_credentials"]);
    expect((await signIn(world, email)).status).toBe(200);
  });

  test("an account in use keeps its password, whoever signs up with its address", async () => {
    const email = freshEmail();
    const before = await World.open();
    const { user } = await sessionIn(signUp(before, { email }));
    expect(user.email_confirmed_at).toBeNull();
    await using now = await before.reopen(0, { mail });
    await signUp(now, { email, password: "the stranger's own" });
    await sessionIn(now.ask("/auth/v1/verify", { body: { token: tokenIn((await office.mailTo(email)).text) } }));
    expect((await signIn(now, email, "the stranger's own")).status).toBe(401);
    expect((await signIn(now, email)).status).toBe(200);
  });

  test("a new address takes effect when its link is followed, and not before", async () => {
    const { access_token, user } = await confirmed();
    const next = freshEmail();
    const asked = await world.ask("/auth/v1/user", { method: "PATCH", as: access_token, body: { email: next } });
    expect(await asked.json()).toMatchObject({ email: user.email });
    const message = await office.mailTo(next);
    expect(message.headers.subject).toBe("Confirm your new e-mail address");
    const changed = await sessionIn(verify(tokenIn(message.text)));
    expect(changed.user).toMatchObject({ id: user.id, email: next });
  });

  test("requesting a taken address reveals nothing and sends no link", async () => {
    const owner = await confirmed();
    const { access_token, user } = await confirmed();
    const body = { email: owner.user.email };
    const asked = await world.ask("/auth/v1/user", { method: "PATCH", as: access_token, body });
    expect([asked.status, ((await asked.json()) as User).email]).toEqual([200, user.email]);
    const known = (await newestMail(world.store.read, 100)).filter((one) => one.recipient === owner.user.email);
    expect(known).toHaveLength(1);
  });

  test("a forgotten password is replaced through the link, and the owner is notified", async () => {
    const { email } = (await confirmed()).user;
    await world.ask("/auth/v1/recover", { body: { email } });
    const token = tokenIn((await office.mailTo(email, 2)).text);
    const body = { token, password: "a quite different one" };
    expect((await world.ask("/auth/v1/reset-password", { body })).status).toBe(204);
    expect((await office.mailTo(email, 3)).headers.subject).toBe("Your password was changed");
    expect((await signIn(world, email, "a quite different one")).status).toBe(200);
  });

  test("a confirmation link can't reset a password, nor the reverse", async () => {
    const email = freshEmail();
    await signUp(world, { email });
    const token = tokenIn((await office.mailTo(email)).text);
    const body = { token, password: goodPassword };
    expect(await refusal(await world.ask("/auth/v1/reset-password", { body }))).toEqual([401, "invalid_credentials"]);
    expect((await verify(token)).status).toBe(200);
  });
});

describe("a message", () => {
  test("is plain text and HTML, to one address only, from the operator's", async () => {
    const email = freshEmail();
    await signUp(world, { email });
    const { from, to, headers, text, html } = await office.mailTo(email);
    expect([from, to]).toEqual(["no-reply@assay.test", [email]]);
    expect(headers).toMatchObject({
      from: "Assay <no-reply@assay.test>",
      to: email,
      "auto-submitted": "auto-generated",
    });
    expect(html).toContain(tokenIn(text));
    expect(html).not.toContain("<script");
  });

  test("waits while the server accepts nothing, is retried, and its text is deleted once sent", async () => {
    const email = freshEmail();
    office.isClosed = true;
    await signUp(world, { email });
    const row = async () => {
      const all = await newestMail(world.store.read, 100);
      return present(
        all.find((one) => one.recipient === email),
        "the message",
      );
    };
    await until(async () => (await row()).attempts === 1, "a first attempt");
    expect(await row()).toMatchObject({ sent_at: null, last_error: expect.stringContaining("451") });
    office.isClosed = false;
    await tryAgain(world, 30 * second);
    expect(await row()).toMatchObject({ attempts: 2, text: "", html: "", last_error: null, due_at: null });
    expect(tokenIn((await office.mailTo(email)).text)).toStartWith("assay_ot_");
  });

  test("is abandoned after a day, and the operator sees the reason", async () => {
    await using apart = await World.open(undefined, { mail: smtpTransport({ url: office.url, from: "a@assay.test" }) });
    office.isClosed = true;
    await apart.app.recover();
    const email = freshEmail();
    await signUp(apart, { email });
    const row = async () => present((await newestMail(apart.store.read, 1))[0], "the message");
    for (let hours = 0; hours < 25; hours++) await tryAgain(apart, hour);
    office.isClosed = false;
    const { sent_at, text, last_error } = await row();
    expect({ sent_at, text, last_error }).toEqual({ sent_at: null, text: "", last_error: expect.any(String) });
  });

  test("survives a crash, and has the same id when sent again", async () => {
    const email = freshEmail();
    office.isClosed = true;
    await signUp(world, { email });
    // An attempt still running might succeed once the mail server is open.
    await world.app.parts.mailer.idle();
    await using next = await world.restart();
    await next.app.parts.mailer.stop();
    office.isClosed = false;
    for (const each of [world, next]) await tryAgain(each, minute);
    const ids = office.arrived.filter(({ to }) => to.includes(email)).map(({ headers }) => headers["message-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("is complete in four languages", () => {
    const kinds = Object.keys(wordings.en) as MailKind[];
    for (const kind of kinds) {
      const all = languages.map((language) => wordings[language][kind]);
      expect(new Set(all.map(({ before }) => before)).size).toBe(languages.length);
      expect(new Set(all.map(({ action }) => action === undefined)).size).toBe(1);
      expect(new Set(all.map((one) => one.before.includes("{firm}"))).size).toBe(1);
      expect(all.filter(({ subject, after }) => subject === "" || after === "")).toEqual([]);
    }
    expect(["cs-CZ", "SK", "de_AT", "en-GB", "fr", ""].map(languageOf)).toEqual(["cs", "sk", "de", "en", "en", "en"]);
  });

  test("shows a firm's name as text, whatever it contains", () => {
    const firm = `<img src=x onerror="alert(1)">\r\nBcc: all@people.test`;
    const { subject, text, html } = composeMessage("invitation", "en", {
      firm,
      link: "https://assay.test/sign-up?invite=x",
    });
    expect(html).not.toContain("<img");
    expect(text.split("\n")[0]).toContain("Bcc: all@people.test invites you");
    expect(subject).toBe("You have been invited to Assay");
  });
});
