import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { cs } from "../../src/accounts/pages/words/cs.ts";
import { de } from "../../src/accounts/pages/words/de.ts";
import { en } from "../../src/accounts/pages/words/en.ts";
import { scopeWordsIn } from "../../src/accounts/pages/words/scopes.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { World } from "../support/harness.ts";
import { client, IdentityProvider } from "../support/identity-provider.ts";
import { PostOffice } from "../support/smtp.ts";
import { becomes, complaints, contextOf, executable, launch, picture } from "./chromium.ts";

if (executable === undefined)
  console.log("skipped for want of a browser: install Debian's chromium, or another Chrome");
const walk = test.skipIf(executable === undefined);
const password = "four words nobody combines";

let browser: Browser;
let world: World;
let office: PostOffice;
let provider: IdentityProvider;
let server: ReturnType<typeof Bun.serve>;
let base: string;
let answer: (request: Request) => Promise<Response>;

beforeAll(async () => {
  if (executable === undefined) return;
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
  base = `http://127.0.0.1:${server.port}`;
  [office, provider] = [await PostOffice.open(), await IdentityProvider.start(`${base}/auth/v1/callback`)];
  const mail = smtpTransport({ url: office.url, from: "Assay <no-reply@assay.test>" });
  const external = { ...client, name: "keycloak", issuer: provider.issuer };
  world = await World.open(undefined, { baseUrl: base, mail, external });
  await world.app.recover();
  answer = async (request) => world.app.fetch(request);
  // When run from source, its program is built at the first request, which takes longer than the server's timeout.
  await world.ask("/console", { headers: { cookie: "assay_refresh=any" } });
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop(true);
  await world?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
  await office?.[Symbol.asyncDispose]();
});

async function open(
  options: Parameters<Browser["newContext"]>[0],
  visit: (page: Page, context: BrowserContext) => Promise<void>,
) {
  const context = await contextOf(browser, options);
  const page = await context.newPage();
  const heard = complaints(page);
  await visit(page, context);
  expect(heard).toEqual([]);
  await context.close();
}

/** Returns cookies other than those for forms and known browsers, neither of which is a session. */
const signsIn = (cookies: Awaited<ReturnType<BrowserContext["cookies"]>>) =>
  cookies.filter(({ name }) => name !== "assay_form" && name !== "assay_browser");

const linkIn = (text: string): string => /http:\/\/\S+/.exec(text)?.[0] ?? "";
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe("in a browser", () => {
  walk(
    "a person signs up, confirms, signs in, creates a key, makes the first call, revokes it and signs out",
    async () => {
      const email = "eva.novakova@firma.test";
      await open({ locale: "cs-CZ" }, async (page, context) => {
        await page.goto(`${base}/sign-up`);
        await page.getByRole("button", { name: cs.sign_up_action }).click();
        await becomes(() => page.locator('[data-error-of="email"]').textContent(), cs.required);
        await becomes(() => page.evaluate<string>("document.activeElement.id"), "email");
        await picture(page, "sign-up-mistakes-cs");
        await page.getByLabel(cs.full_name).fill("Eva Nováková");
        await page.getByLabel(cs.email, { exact: true }).fill(email);
        await page.getByLabel(cs.password, { exact: true }).fill(password);
        await picture(page, "sign-up-cs");
        await page.keyboard.press("Enter");
        await page.getByText(cs.confirm_sent).waitFor();
        await picture(page, "sign-up-done-cs");

        await page.goto(linkIn((await office.mailTo(email)).text));
        await picture(page, "confirm-cs");
        await page.getByRole("button", { name: cs.confirm_action }).click();
        await page.getByText(cs.confirm_done).waitFor();
        await page.locator("[data-done]").getByRole("link", { name: cs.sign_in_action }).click();

        await page.getByLabel(cs.email, { exact: true }).fill(email);
        await page.getByLabel(cs.password, { exact: true }).fill("not the password");
        await page.getByRole("button", { name: cs.sign_in_action, exact: true }).click();
        await page.getByText(cs.invalid_credentials).waitFor();
        await picture(page, "sign-in-wrong-cs");
        await page.getByLabel(cs.password, { exact: true }).fill(password);
        await page.getByRole("button", { name: cs.sign_in_action, exact: true }).click();
        await page.waitForURL(`${base}/console`);
        await page.goto(`${base}/account`);
        await page.getByText(email).waitFor();
        await page.getByText(cs.keys_none).waitFor();
        await page.getByText(scopeWordsIn.cs["profile:read"], { exact: true }).waitFor();
        expect(await page.evaluate("document.cookie")).toBe("");

        await page.getByLabel(cs.key_name, { exact: true }).fill("První program");
        await page.getByRole("button", { name: cs.key_make }).click();
        const shown = page.locator('[data-secret="key"]');
        await shown.waitFor();
        const secret = (await shown.locator("[data-secret-text]").textContent()) ?? "";
        await picture(page, "account-cs");
        const call = () => fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
        const first = await call();
        expect([first.status, await first.text()]).toEqual([200, expect.stringContaining(email)]);

        await page.locator(`summary[aria-label="${cs.revoke}: První program"]`).click();
        await page.getByRole("button", { name: cs.revoke, exact: true }).click();
        await page.getByText(cs.revoke_done).waitFor();
        await page.getByText(cs.revoked, { exact: true }).waitFor();
        expect((await call()).status).toBe(401);
        await page.reload();
        await page.getByText(cs.revoked, { exact: true }).waitFor();
        expect(await page.content()).not.toContain(secret);

        await page.getByRole("button", { name: cs.sign_out }).click();
        await page.waitForURL(`${base}/sign-in`);
        await page.goto(`${base}/account`);
        await becomes(async () => page.url(), `${base}/sign-in`);
        expect(signsIn(await context.cookies())).toEqual([]);
      });
    },
  );

  walk("a person who forgot the password requests a link, and sets a new one", async () => {
    const email = "max@firma.test";
    await world.ask("/auth/v1/signup", { body: { email, password } });
    await world.ask("/auth/v1/verify", { body: { token: linkIn((await office.mailTo(email)).text).split("=")[1] } });
    await open({ ...phone, locale: "de-AT", colorScheme: "dark" }, async (page) => {
      await page.goto(`${base}/sign-in`);
      await picture(page, "sign-in-phone-dark-de");
      await page.getByRole("link", { name: de.forgot }).click();
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await page.getByRole("button", { name: de.recover_action }).click();
      await page.getByText(de.recover_done).waitFor();
      await picture(page, "recover-phone-dark-de");
      await page.goto(linkIn((await office.mailTo(email, 2)).text));
      await page.getByLabel(de.new_password, { exact: true }).fill("too short");
      await page.getByRole("button", { name: de.reset_action }).click();
      await becomes(() => page.locator('[data-error-of="password"]').textContent(), de.bad_password);
      await page.getByLabel(de.new_password, { exact: true }).fill("password1234");
      await page.getByRole("button", { name: de.reset_action }).click();
      await page.getByText(de.bad_password).waitFor();
      await picture(page, "reset-phone-dark-de");
      await page.getByLabel(de.new_password, { exact: true }).fill(`${password} at all`);
      await page.getByRole("button", { name: de.reset_action }).click();
      await page.getByText(de.reset_done).waitFor();
      await page.reload();
      await page.getByLabel(de.new_password, { exact: true }).fill(`${password} at all`);
      await page.getByRole("button", { name: de.reset_action }).click();
      await page.getByText(de.link_invalid).waitFor();
      await page.getByRole("link", { name: de.sign_in_action }).click();
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await page.getByLabel(de.password, { exact: true }).fill(`${password} at all`);
      await page.getByRole("button", { name: de.sign_in_action, exact: true }).click();
      await page.waitForURL(`${base}/console`);
      await page.goto(`${base}/account`);
      await page.getByText(email).waitFor();
      await page.getByRole("button", { name: de.key_make }).waitFor();
      await picture(page, "account-phone-dark-de");
    });
  });

  walk("the provider's sign-in leads to the console, and only in the tab that started it", async () => {
    await open({ locale: "en-GB" }, async (page, context) => {
      await page.goto(`${base}/sign-in`);
      await picture(page, "sign-in-en");
      await page.getByRole("button", { name: en.continue_with.replace("{name}", "keycloak") }).click();
      await page.waitForURL(`${base}/console`);
      await page.goto(`${base}/account`);
      await page.getByText("ann@idp.test").waitFor();
      await page.getByRole("button", { name: en.key_make }).waitFor();
      await picture(page, "account-en");
      await context.clearCookies();
      const parts = world.app.parts.external;
      const { url, sealed } = await parts.begin(`${base}/sign-in`, null);
      const back = new URL(await provider.visit(url));
      await page.goto(await parts.finish(back.searchParams, sealed, "en"));
      await page.getByText(en.external_failed).waitFor();
      expect(signsIn(await context.cookies())).toEqual([]);
      await becomes(async () => page.url().includes("code="), false);
    });
  });

  walk("without a script a person signs up, confirms, forgets the password and sets a new one", async () => {
    const email = "no.script@firma.test";
    await open({ ...phone, locale: "de", javaScriptEnabled: false }, async (page, context) => {
      const send = (name: string) => page.getByRole("button", { name, exact: true }).click();
      await page.goto(`${base}/sign-up`);
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await page.getByLabel(de.password, { exact: true }).fill("password1234");
      await send(de.sign_up_action);
      await page.getByText(de.bad_password).waitFor();
      expect(await page.getByLabel(de.email, { exact: true }).inputValue()).toBe(email);
      expect(await page.getByLabel(de.password, { exact: true }).inputValue()).toBe("");
      await page.getByLabel(de.password, { exact: true }).fill(password);
      await send(de.sign_up_action);
      await page.getByText(de.confirm_sent).waitFor();
      await page.goto(linkIn((await office.mailTo(email)).text));
      await send(de.confirm_action);
      await page.getByText(de.confirm_done).waitFor();
      await page.goto(`${base}/recover`);
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await send(de.recover_action);
      await page.getByText(de.recover_done).waitFor();
      await page.goto(linkIn((await office.mailTo(email, 2)).text));
      await page.getByLabel(de.new_password, { exact: true }).fill("too short");
      await send(de.reset_action);
      await page.getByText(de.bad_password).waitFor();
      await page.getByLabel(de.new_password, { exact: true }).fill(`${password} at all`);
      await send(de.reset_action);
      await page.getByText(de.reset_done).waitFor();
      await page.getByRole("status").getByRole("link", { name: de.sign_in_action }).click();
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await page.getByLabel(de.password, { exact: true }).fill(`${password} at all`);
      await send(de.sign_in_action);
      await page.waitForURL(`${base}/account`);
      expect(signsIn(await context.cookies())).not.toEqual([]);
      await page.getByLabel(de.key_name, { exact: true }).fill("Ohne Skript");
      await send(de.key_make);
      await page.locator("[data-secret-text]").waitFor();
      await page.locator(`summary[aria-label="${de.revoke}: Ohne Skript"]`).click();
      await send(de.revoke);
      await page.getByText(de.revoke_done).waitFor();
      await send(de.sign_out);
      await page.waitForURL(`${base}/sign-in`);
    });
  });

  walk("everything is accessible and usable by keyboard", async () => {
    await open({ locale: "en" }, async (page) => {
      await page.goto(`${base}/sign-in`);
      const reached: string[] = [];
      for (let i = 0; i < 8; i++) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate<string>("document.activeElement.id || document.activeElement.textContent"));
      }
      const offer = en.continue_with.replace("{name}", "keycloak");
      const rest = [en.sign_in_action, offer, en.forgot, en.sign_up_action, en.reference];
      expect(reached).toEqual(["email", "password", en.show, ...rest]);
      await page.getByLabel(en.password, { exact: true }).fill("seen");
      await page.getByRole("button", { name: en.show }).press("Space");
      await becomes(() => page.locator("#password").getAttribute("type"), "text");
      await becomes(() => page.getByRole("button", { name: en.hide }).getAttribute("aria-pressed"), "true");
    });
  });
});
