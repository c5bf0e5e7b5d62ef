import { afterAll, describe, expect, test } from "bun:test";
import { firmById } from "../../db/queries/firms.ts";
import { createInvitation } from "../../src/accounts/admin/invitations.ts";
import { wordsIn } from "../../src/accounts/pages/language.ts";
import type { Words } from "../../src/accounts/pages/words/en.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { present } from "../../src/platform/assert.ts";
import { World } from "../support/harness.ts";
import { formIn } from "../support/oauth-world.ts";
import { freshEmail, goodPassword, isLetIn, mailTo, newcomer, signIn, signUp, tokenIn } from "../support/people.ts";
import { actionOf, filledIn, PlainClient } from "../support/plain-client.ts";
import { PostOffice } from "../support/smtp.ts";

const world = await World.open();
const office = await PostOffice.open();
/** The same, with outgoing email. */
const mailing = await World.open(undefined, { mail: smtpTransport({ url: office.url, from: "a@assay.test" }) });
afterAll(async () => {
  for (const each of [world, mailing, office]) await each[Symbol.asyncDispose]();
});

const { en, de } = wordsIn;
const typed = '<b>"not & it"';
type Values = Readonly<Record<string, string>>;

/** Opens a page without JavaScript, fills in its form and submits it. */
async function send(where: World, path: string, values: Values, client = new PlainClient(where, "de-AT")) {
  const shown = await client.visit(path);
  const text = await shown.page.text();
  expect(text).not.toContain("<noscript>");
  const { at, page } = await client.visit(actionOf(text, shown.at), filledIn(text, values));
  return { at, status: page.status, text: await page.text(), client, before: text };
}

/** Returns a text of the page in the person's language, escaped as in markup. */
const says = (word: keyof Words): string => de[word].replaceAll("'", "&#39;");
const resetPath = async (where: World, email: string, count = 1): Promise<string> =>
  `/reset-password?token=${tokenIn((await mailTo(where, email, count)).text)}`;
/** Requests a password reset link for a new account. */
async function asked(where: World): Promise<{ email: string; path: string }> {
  const email = freshEmail();
  await newcomer(where, email);
  const { status } = await send(where, "/recover", { email });
  expect(status).toBe(200);
  return { email, path: await resetPath(where, email) };
}

describe("signing up without JavaScript", () => {
  test("signs in and continues to the requested page", async () => {
    const email = freshEmail();
    const end = await send(world, "/sign-up?redirect_to=%2Fdocs", { email, password: goodPassword, full_name: "Eva" });
    expect(new URL(end.at).pathname).toStartWith("/docs");
    expect(await isLetIn(world, end.client.cookie("assay_access") ?? "")).toBe(true);
  });

  test("says that the address must be confirmed if mail is sent, and the link's page confirms it", async () => {
    const email = freshEmail();
    const sent = await send(mailing, "/sign-up", { email, password: goodPassword });
    expect([sent.status, sent.text.includes(says("confirm_sent"))]).toEqual([200, true]);
    expect(sent.text).not.toContain("<form");
    expect(sent.client.cookie("assay_access")).toBeUndefined();
    expect((await signIn(mailing, email)).status).toBe(401);
    const link = `/confirm?token=${tokenIn((await mailTo(mailing, email)).text)}`;
    const confirmed = await send(mailing, link, {});
    expect([confirmed.status, confirmed.text.includes(says("confirm_done"))]).toEqual([200, true]);
    expect(confirmed.client.cookie("assay_access")).toBeUndefined();
    expect((await signIn(mailing, email)).status).toBe(200);
    const again = await send(mailing, link, {});
    expect([again.status, again.text.includes(says("link_invalid"))]).toEqual([401, true]);
  });

  test("accepts the link's invitation", async () => {
    await using invited = await World.open(undefined, { signUp: "invited" });
    const firm = await invited.firm();
    const email = freshEmail();
    const act = { actor: "operator", at: invited.clock.now(), runtime: invited.clock };
    const given = { firm_id: firm.id, email, role: "member" as const };
    const { secret } = await invited.store.write((tx) => createInvitation(tx, act, given));
    const other = await send(invited, `/sign-up?invite=${secret}`, { email: freshEmail(), password: goodPassword });
    expect([other.status, other.text.includes(says("invite_refused"))]).toEqual([422, true]);
    const { name } = present(await firmById.first(invited.store.read, { id: firm.id }), "the firm that invites");
    expect(other.before).toContain(says("sign_up_invited").replace("{name}", name));
    expect(other.text).not.toContain(email);
    expect(
      new URL((await send(invited, `/sign-up?invite=${secret}`, { email, password: goodPassword })).at).pathname,
    ).toBe("/account");
    const used = await (await invited.ask(`/sign-up?invite=${secret}`)).text();
    expect(used).not.toContain(name);
    expect((await invited.ask("/sign-up")).status).toBe(200);
    expect(await (await invited.ask("/sign-up")).text()).not.toContain("<form");
  });

  const mistakes: [what: string, values: Values, words: readonly (keyof Words)[]][] = [
    ["missing fields", { email: " ", password: "" }, ["required"]],
    ["an invalid address", { email: "nobody", password: goodPassword }, ["email_refused"]],
    ["a common password", { email: "somebody@people.test", password: "password1234" }, ["bad_password"]],
    ["a misleading name", { email: "x@people.test", password: goodPassword, full_name: "a\u202eb" }, ["bad_value"]],
  ];
  for (const [what, values, words] of mistakes)
    test(`reports ${what} at the field`, async () => {
      const { status, text } = await send(world, "/sign-up", values);
      expect(status).toBe(422);
      for (const word of words)
        expect(text).toMatch(new RegExp(`data-error-of="\\w+" aria-live="polite">${says(word)}`));
      expect(text).toContain('aria-invalid="true"');
    });

  test("keeps the input except the password", async () => {
    const { text } = await send(world, "/sign-up", { email: typed, full_name: "Eva & co.", password: "short secret" });
    expect(text).toContain('value="&lt;b&gt;&quot;not &amp; it&quot;"');
    expect(text).toContain('value="Eva &amp; co."');
    expect(text).not.toContain("short secret");
    expect(text).not.toContain(typed);
  });

  test("does not reveal whether an address has an account", async () => {
    const email = freshEmail();
    await signUp(mailing, { email });
    const [known, fresh] = [email, freshEmail()];
    const answers = await Promise.all(
      [known, fresh].map((one) => send(mailing, "/sign-up", { email: one, password: goodPassword })),
    );
    expect(answers[0]?.text).toBe(answers[1]?.text ?? "");
  });
});

describe("a forgotten password without JavaScript", () => {
  test("is requested with the same reply for every address", async () => {
    const email = freshEmail();
    await signUp(mailing, { email });
    const known = await send(mailing, "/recover", { email });
    expect([known.status, known.text.includes(says("recover_done"))]).toEqual([200, true]);
    expect(known.text).toBe((await send(mailing, "/recover", { email: freshEmail() })).text);
    expect((await mailTo(mailing, email, 2)).subject).not.toBe("");
    expect((await send(world, "/recover", { email: freshEmail() })).text).toContain(says("recover_unsent"));
  });

  test("is reported if the address is invalid, which is kept", async () => {
    const { status, text } = await send(world, "/recover", { email: typed });
    expect([status, text.includes(says("bad_email"))]).toEqual([422, true]);
    expect(text).toContain('value="&lt;b&gt;&quot;not &amp; it&quot;"');
    expect((await send(world, "/recover", { email: "" })).text).toContain(says("required"));
  });

  test("is replaced, once", async () => {
    const { email, path } = await asked(world);
    for (const password of ["", "too short", "password1234"]) {
      const refused = await send(world, path, { password });
      expect([refused.status, refused.text.includes(says(password ? "bad_password" : "required"))]).toEqual([
        422,
        true,
      ]);
      if (password) expect(refused.text).not.toContain(password);
    }
    const password = "a quite different one";
    const { status, text, before } = await send(world, path, { password });
    expect([status, text.includes(says("reset_done")), text.includes("<form")]).toEqual([200, true, false]);
    expect(before).not.toContain("revoke_access");
    expect((await signIn(world, email, password)).status).toBe(200);
    const again = await send(world, path, { password: goodPassword });
    expect([again.status, again.text.includes(says("link_invalid"))]).toEqual([401, true]);
    expect((await signIn(world, email, password)).status).toBe(200);
  });

  test("offers to revoke other access, states how much there is, and revokes only what is ticked", async () => {
    for (const revokes of [false, true]) {
      const firm = await world.firm();
      const email = `owner@${firm.id}.test`;
      await send(world, "/recover", { email });
      const path = await resetPath(world, email);
      const chosen = { password: "a quite different one", ...(revokes && { revoke_access: "yes" }) };
      const refused = await send(world, path, { ...chosen, password: "short" });
      expect(refused.before).toContain(de.reset_revoke.replace("{keys}", "1").replace("{connections}", "0"));
      expect(refused.text.includes('name="revoke_access" value="yes" checked')).toBe(revokes);
      expect((await send(world, path, chosen)).text).toContain(says("reset_done"));
      expect((await world.ask("/v1/runs", { as: firm.key })).status).toBe(revokes ? 401 : 200);
    }
  });
});

describe("a form that was not shown in this browser is refused", () => {
  const form = (path: string, headers: Values, values: Values) =>
    world.ask(path, {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(values).toString(),
    });

  for (const name of ["sign-up", "recover", "reset-password", "confirm"])
    test(`/${name}`, async () => {
      const { email, path } = await asked(world);
      const at = name === "reset-password" ? path : `/${name}`;
      const shown = await world.ask(at);
      const token = formIn(await shown.text()).get("token") ?? "";
      const cookie = shown.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const values = { email: name === "sign-up" ? freshEmail() : email, password: "a quite different one" };
      for (const [headers, given] of [
        [{}, token],
        [{ cookie }, ""],
        [{ cookie, origin: "https://evil.example" }, token],
        [{ cookie, "sec-fetch-site": "cross-site" }, token],
      ] as const) {
        const answer = await form(at, headers, { ...values, token: given });
        expect([answer.status, (await answer.text()).includes(en.form_stale)]).toEqual([403, true]);
        expect(answer.headers.getSetCookie().join()).not.toContain("assay_access");
      }
      expect((await signIn(world, values.email, values.password)).status).toBe(401);
    });
});
