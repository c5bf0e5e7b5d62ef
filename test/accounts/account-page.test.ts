import { afterAll, describe, expect, test } from "bun:test";
import { wordsIn } from "../../src/accounts/pages/language.ts";
import type { Words } from "../../src/accounts/pages/words/en.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { minute } from "../../src/platform/clock.ts";
import { World } from "../support/harness.ts";
import { formIn } from "../support/oauth-world.ts";
import { freshEmail, goodPassword, isLetIn, mailTo, newcomer, signIn, tokenIn } from "../support/people.ts";
import { filledIn, PlainClient } from "../support/plain-client.ts";
import { PostOffice } from "../support/smtp.ts";

const world = await World.open();
const office = await PostOffice.open();
/** The same, with outgoing email. */
const mailing = await World.open(undefined, { mail: smtpTransport({ url: office.url, from: "a@assay.test" }) });
afterAll(async () => {
  for (const each of [world, mailing, office]) await each[Symbol.asyncDispose]();
});

const { de } = wordsIn;
const says = (word: keyof Words): string => de[word].replaceAll("'", "&#39;");
type Values = Readonly<Record<string, string>>;

/** A person's browser without JavaScript, on their account page. */
class Visitor {
  private constructor(
    private readonly client: PlainClient,
    readonly email: string,
    /** The page as last returned. */
    public text: string,
    public status = 200,
  ) {}

  static async of(where: World, email = freshEmail(), password = goodPassword): Promise<Visitor> {
    const client = new PlainClient(where, "de-AT");
    const { page } = await client.visit("/sign-in");
    const entered = await client.visit("/sign-in", filledIn(await page.text(), { email, password }));
    expect(new URL(entered.at).pathname).toBe("/account");
    return new Visitor(client, email, await entered.page.text());
  }

  static async new(where: World): Promise<Visitor> {
    const email = freshEmail();
    await newcomer(where, email);
    return Visitor.of(where, email);
  }

  /** Returns the fields of the page's form of this kind; `about` selects the form of the entry that contains it. */
  form(kind: string, about = ""): URLSearchParams {
    const entries = this.text.split("<li>").filter((part) => part.includes(about));
    const forms = entries
      .flatMap((part) => part.split("<form ").slice(1))
      .map((part) => part.split("</form>")[0] ?? "");
    const found = forms.find((part) => part.includes(`name="do" value="${kind}"`));
    if (found === undefined) throw new Error(`no form ${kind} about ${about}`);
    return formIn(found);
  }

  /** Fills in and submits a form. Returns the path of the resulting page. */
  async send(kind: string, values: Values = {}, about = ""): Promise<string> {
    const form = this.form(kind, about);
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    const { at, page } = await this.client.visit("/account", form);
    [this.text, this.status] = [await page.text(), page.status];
    return new URL(at).pathname;
  }

  async reload(): Promise<void> {
    this.text = await (await this.client.visit("/account")).page.text();
  }

  get accessToken(): string {
    return this.client.cookie("assay_access") ?? "";
  }
}

describe("the account page without JavaScript", () => {
  test("shows who is signed in, and requires a session", async () => {
    const eva = await Visitor.new(world);
    expect(eva.text).toContain(eva.email);
    expect(eva.text).not.toContain("<noscript>");
    for (const word of ["keys_none", "connections_none", "session_this"] as const)
      expect(eva.text).toContain(says(word));
  });

  test("creates a key that works, shows it once, and revokes it", async () => {
    const eva = await Visitor.new(world);
    await eva.send("create-key", { name: "Mein <Programm>" });
    expect([eva.status, eva.text.includes(says("key_secret"))]).toEqual([201, true]);
    const secret = /data-secret-text>(assay_sk_\w+)</.exec(eva.text)?.[1] ?? "";
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    expect(eva.text).toContain("Mein &lt;Programm&gt;");
    await eva.reload();
    expect(eva.text).not.toContain(secret);
    await eva.send("revoke-key", {}, "Mein &lt;Programm&gt;");
    expect([eva.status, eva.text.includes(says("revoke_done"))]).toEqual([200, true]);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
    expect(() => eva.form("revoke-key")).toThrow();
  });

  test("keeps the form of a refused key, and says what is wrong", async () => {
    const eva = await Visitor.new(world);
    await eva.send("create-key", { name: " ", scopes: "docs:read" });
    expect([eva.status, eva.text.includes(`id="name-error">${says("bad_value")}`)]).toEqual([422, true]);
    expect(eva.form("create-key").getAll("scopes")).toEqual(["docs:read"]);
    await eva.send("create-key", { name: "Kein Recht", scopes: "no:scope" });
    expect([eva.status, eva.text.includes(`id="scopes-error">${says("key_scopes_needed")}`)]).toEqual([422, true]);
    expect(eva.form("create-key").get("name")).toBe("Kein Recht");
    await eva.reload();
    expect(eva.text).toContain(says("keys_none"));
  });

  test("creates a personal connection, shows its address once, and revokes it", async () => {
    const eva = await Visitor.new(world);
    const workspace = eva.form("create-key").get("workspace_id") ?? "";
    await eva.send("create-connection", { connection_name: "Editor", connection_workspace: workspace });
    expect([eva.status, eva.text]).toEqual([
      201,
      expect.stringMatching(/data-secret-text>\S+\/mcp\?token=assay_pc_\w+/),
    ]);
    await eva.send("revoke-connection", {}, "Editor");
    expect(eva.text).toContain(says("revoke_done"));
    expect(eva.text).not.toContain("assay_pc_");
    expect(() => eva.form("revoke-connection")).toThrow();
  });

  test("changes name and email language", async () => {
    const eva = await Visitor.new(world);
    await eva.send("profile", { full_name: "Eva & Nováková", locale: "cs" });
    expect([eva.status, eva.text.includes(says("saved"))]).toEqual([200, true]);
    expect(eva.text).toContain('value="Eva &amp; Nováková"');
    expect(eva.text).toContain('<option value="cs" selected>');
    for (const [field, value] of [
      ["locale", "xx"],
      ["full_name", "a\u202eb"],
    ] as const) {
      await eva.send("profile", { full_name: "Eva", locale: "cs", [field]: value });
      expect([eva.status, eva.text.includes(`id="${field}-error">${says("bad_value")}`)]).toEqual([422, true]);
    }
  });

  test("changes the password given the current one, and ends the other sessions", async () => {
    const eva = await Visitor.new(world);
    const elsewhere = await Visitor.of(world, eva.email);
    world.clock.advance(10 * minute);
    await eva.reload();
    const password = "a quite different one";
    const mistakes: [values: Values, field: string, word: keyof Words, status: number][] = [
      [{ password }, "current_password", "current_needed", 422],
      [{ password, current_password: "wrong" }, "current_password", "current_wrong", 401],
      [{ password: "password1234", current_password: goodPassword }, "password", "bad_password", 422],
    ];
    for (const [values, field, word, status] of mistakes) {
      await eva.send("password", values);
      expect([eva.status, eva.text.includes(`id="${field}-error">${says(word)}`)]).toEqual([status, true]);
      expect(eva.text).not.toContain(password);
    }
    await eva.send("password", { password, current_password: goodPassword });
    expect([eva.status, eva.text.includes(says("password_changed"))]).toEqual([200, true]);
    expect((await signIn(world, eva.email, password)).status).toBe(200);
    expect(await isLetIn(world, elsewhere.accessToken)).toBe(false);
    expect(await elsewhere.send("profile", { locale: "cs" })).toBe("/sign-in");
  });

  test("changes the address, and reports one that is taken", async () => {
    const [eva, max] = [await Visitor.new(world), await Visitor.new(world)];
    for (const email of ["nobody", max.email]) {
      await eva.send("email", { email });
      expect([eva.status, eva.text.includes(`id="email-error">${says("address_refused")}`)]).toEqual([422, true]);
      expect(eva.form("email").get("email")).toBe(email);
    }
    const email = freshEmail();
    await eva.send("email", { email });
    expect([eva.text.includes(says("saved")), eva.text.includes(email)]).toEqual([true, true]);
    world.clock.advance(10 * minute);
    await eva.reload();
    await eva.send("email", { email: freshEmail(), email_password: "wrong" });
    expect([eva.status, eva.text.includes(`id="email_password-error">${says("current_wrong")}`)]).toEqual([401, true]);
  });

  test("requires confirmation of a new address if mail is sent, with the same reply for every address", async () => {
    const email = freshEmail();
    await newcomerConfirmed(email);
    const eva = await Visitor.of(mailing, email);
    const other = freshEmail();
    await eva.send("email", { email: other });
    expect(eva.text).toContain(says("confirm_sent"));
    expect((await mailTo(mailing, other)).text).toContain("/confirm?token=");
    await eva.send("email", { email });
    expect(eva.text).toContain(says("saved"));
  });

  test("lists the person's sessions, and ends one of them", async () => {
    const eva = await Visitor.new(world);
    const elsewhere = await Visitor.of(world, eva.email);
    const newest = (text: string) => text.split('value="end-session"').length - 1;
    await eva.reload();
    // The session of the sign-up and the other browser's.
    expect(newest(eva.text)).toBe(2);
    const ending = eva.form("end-session").get("id");
    await eva.send("end-session");
    expect(eva.text).toContain(says("session_ended"));
    expect(newest(eva.text)).toBe(1);
    expect(eva.text).not.toContain(ending ?? "nothing");
    expect(await isLetIn(world, elsewhere.accessToken)).toBe(false);
    expect(await isLetIn(world, eva.accessToken)).toBe(true);
  });

  test("signs out", async () => {
    const eva = await Visitor.new(world);
    const { accessToken } = eva;
    expect(await eva.send("sign-out")).toBe("/sign-in");
    expect(await isLetIn(world, accessToken)).toBe(false);
  });

  test("treats another person's entries like missing ones", async () => {
    const [eva, max] = [await Visitor.new(world), await Visitor.new(world)];
    await max.send("create-key", { name: "Theirs" });
    const id = max.form("revoke-key").get("id") ?? "";
    const workspace_id = max.form("create-key").get("workspace_id") ?? "";
    const asked: [kind: string, values: Values][] = [
      ["revoke-key", { id }],
      ["revoke-key", { id: crypto.randomUUID() }],
      ["revoke-connection", { id }],
      ["end-session", { id }],
      ["create-key", { name: "Mine", workspace_id }],
    ];
    for (const [kind, values] of asked) {
      const form = eva.form("create-key");
      form.set("do", kind);
      await eva.send("create-key", { ...Object.fromEntries(form), ...values });
      expect([kind, eva.status, eva.text.includes(says("gone"))]).toEqual([kind, 404, true]);
    }
    await max.reload();
    expect(max.form("revoke-key").get("id")).toBe(id);
  });

  test("accepts only forms that were shown in this session", async () => {
    const [eva, max] = [await Visitor.new(world), await Visitor.new(world)];
    const theirs = max.form("create-key").get("token") ?? "";
    const cookie = `assay_access=${eva.accessToken}`;
    for (const token of ["", theirs, "0".repeat(64)]) {
      await eva.send("create-key", { name: "Forged", token });
      expect([eva.status, eva.text.includes(says("form_stale"))]).toEqual([403, true]);
    }
    const body = (token: string) => new URLSearchParams({ token, do: "sign-out" }).toString();
    const sent = (headers: Values, token: string) =>
      world.ask("/account", {
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: body(token),
      });
    const own = eva.form("sign-out").get("token") ?? "";
    expect((await sent({ cookie }, own)).status).toBe(403);
    expect((await sent({ cookie, origin: "https://evil.example" }, own)).status).toBe(403);
    expect((await sent({}, own)).headers.get("location")).toBe("sign-in");
    expect(await isLetIn(world, eva.accessToken)).toBe(true);
    await eva.reload();
    expect(eva.text).toContain(says("keys_none"));
  });

  test("reports in its address only predefined messages", async () => {
    const eva = await Visitor.new(world);
    const cookie = `assay_access=${eva.accessToken}`;
    const shown = async (done: string) =>
      (await world.ask(`/account?done=${encodeURIComponent(done)}`, { headers: { cookie } })).text();
    expect(await shown("saved")).toContain('class="done"');
    for (const done of ["<b>", "key_secret", "constructor", ""])
      expect(await shown(done)).not.toContain('class="done"');
  });
});

/** Signs a person up whose address is confirmed, if mail is sent. */
async function newcomerConfirmed(email: string): Promise<void> {
  await mailing.ask("/auth/v1/signup", { body: { email, password: goodPassword } });
  const token = tokenIn((await mailTo(mailing, email)).text);
  expect((await mailing.ask("/auth/v1/verify", { body: { token } })).status).toBe(200);
}
