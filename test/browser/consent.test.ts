import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { consentWordsIn } from "../../src/accounts/oauth/words.ts";
import { cs } from "../../src/accounts/pages/words/cs.ts";
import { de } from "../../src/accounts/pages/words/de.ts";
import { en } from "../../src/accounts/pages/words/en.ts";
import { scopeWordsIn } from "../../src/accounts/pages/words/scopes.ts";
import { sha256 } from "../../src/platform/ids.ts";
import { World } from "../support/harness.ts";
import { complaints, contextOf, executable, launch, picture } from "./chromium.ts";

const walk = test.skipIf(executable === undefined);
const password = "four words nobody combines";
const verifier = "v".repeat(64);

let browser: Browser;
let world: World;
let server: ReturnType<typeof Bun.serve>;
/** The application that requests access, with a port of its own, like an editor. */
let program: ReturnType<typeof Bun.serve>;
const landed: URL[] = [];
let base: string;
let answer: (request: Request) => Promise<Response>;
let client_id: string;

const post = (path: string, body: unknown) =>
  fetch(base + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

beforeAll(async () => {
  if (executable === undefined) return;
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
  program = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const url = new URL(request.url);
      if (url.pathname !== "/callback") return new Response(null, { status: 204 });
      landed.push(url);
      const page = "<!doctype html><html lang='en'><title>Back</title><main><h1>Back in the program</h1></main></html>";
      return new Response(page, { headers: { "content-type": "text/html" } });
    },
  });
  base = `http://127.0.0.1:${server.port}`;
  world = await World.open(undefined, { baseUrl: base });
  answer = async (request) => world.app.fetch(request);
  const metadata = { client_name: "Editor & friends", redirect_uris: ["http://127.0.0.1/callback"] };
  client_id = ((await (await post("/oauth/register", metadata)).json()) as { client_id: string }).client_id;
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop(true);
  await server?.stop(true);
  await world?.[Symbol.asyncDispose]();
});

async function open(
  options: Parameters<Browser["newContext"]>[0],
  visit: (page: Page, context: BrowserContext) => Promise<void>,
  complaint?: RegExp,
) {
  const context = await contextOf(browser, options);
  const page = await context.newPage();
  const heard = complaints(page);
  await visit(page, context);
  expect(heard.filter((line) => !complaint?.test(line))).toEqual([]);
  await context.close();
}

const address = (other: Record<string, string> = {}): string => {
  const query = new URLSearchParams({
    ...{ client_id, response_type: "code", redirect_uri: `http://127.0.0.1:${program.port}/callback`, state: "st/ate" },
    ...{ code_challenge: sha256(verifier).toString("base64url"), code_challenge_method: "S256", ...other },
  });
  return `${base}/oauth/authorize?${query}`;
};

/** Signs in on the browser's current page. */
async function signIn(page: Page, words: { readonly [K in keyof typeof en]: string }, email: string): Promise<void> {
  await page.getByLabel(words.email, { exact: true }).fill(email);
  await page.getByLabel(words.password, { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

const tokensFor = async (code: string) => {
  const form = new URLSearchParams({ grant_type: "authorization_code", client_id, code, code_verifier: verifier });
  return (await (await fetch(`${base}/oauth/token`, { method: "POST", body: form })).json()) as { scope: string };
};

describe("in a browser", () => {
  walk("someone who signs up with the address of an existing account is asked to sign in", async () => {
    const email = "twice@firma.test";
    await post("/auth/v1/signup", { email, password });
    await open({ locale: "de" }, async (page) => {
      await page.goto(`${base}/sign-up`);
      await page.getByLabel(de.email, { exact: true }).fill(email);
      await page.getByLabel(de.password, { exact: true }).fill(password);
      await page.getByRole("button", { name: de.sign_up_action }).click();
      await page.getByText(de.email_refused).waitFor();
      await picture(page, "sign-up-taken-de");
    });
  });

  walk("a person signs in on the way, deselects a scope, allows, and sees the connection in the account", async () => {
    const email = "jana@firma.test";
    await post("/auth/v1/signup", { email, password });
    const words = consentWordsIn.cs;
    await open({ locale: "cs-CZ" }, async (page) => {
      await page.goto(address({ scope: "docs:read validator:read validator:run" }));
      expect(page.url()).toStartWith(`${base}/sign-in?`);
      await signIn(page, cs, email);
      await page.getByRole("heading", { name: words.title }).waitFor();
      await picture(page, "consent-cs");
      await page.getByLabel(scopeWordsIn.cs["validator:run"]).uncheck();
      await page.getByRole("button", { name: words.allow }).click();
      await page.getByRole("heading", { name: "Back in the program" }).waitFor();
      const back = landed.at(-1);
      expect([back?.searchParams.get("state"), back?.searchParams.get("iss")]).toEqual(["st/ate", base]);
      expect((await tokensFor(back?.searchParams.get("code") ?? "")).scope).toBe("docs:read validator:read");

      await page.goto(`${base}/account`);
      await page.getByText("Editor & friends", { exact: true }).waitFor();
      await page.getByLabel(cs.connection_name, { exact: true }).fill("Můj editor");
      await page.getByRole("button", { name: cs.connection_make }).click();
      const shown = page.locator('[data-secret="connection"]');
      await shown.waitFor();
      expect(await shown.locator("output").textContent()).toStartWith(`${base}/mcp?token=assay_pc_`);
      await picture(page, "account-connections-cs");
      await page.locator(`summary[aria-label="${cs.revoke}: Editor & friends"]`).click();
      await page.locator("details[open]").getByRole("button", { name: cs.revoke, exact: true }).click();
      await page.getByText(cs.revoke_done).waitFor();
    });
  });

  walk("on a phone in dark mode a person sees an error, and refuses", async () => {
    const email = "otto@firma.test";
    await post("/auth/v1/signup", { email, password });
    const words = consentWordsIn.de;
    const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
    await open({ ...phone, locale: "de-AT", colorScheme: "dark" }, async (page) => {
      await page.goto(address());
      await signIn(page, de, email);
      await page.getByRole("heading", { name: words.title }).waitFor();
      await picture(page, "consent-phone-dark-de");
      for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
      await page.getByRole("button", { name: words.allow }).click();
      await page.getByText(words.scopes_needed).waitFor();
      await picture(page, "consent-mistake-phone-dark-de");
      await page.getByRole("button", { name: words.deny }).click();
      await page.getByRole("heading", { name: "Back in the program" }).waitFor();
      expect(landed.at(-1)?.searchParams.get("error")).toBe("access_denied");
    });
  });

  walk("everything on the page is accessible and usable by keyboard, and without a script", async () => {
    const email = "kay@firma.test";
    await post("/auth/v1/signup", { email, password });
    const words = consentWordsIn.en;
    await open({ locale: "en" }, async (page, context) => {
      await page.goto(address());
      await signIn(page, en, email);
      await page.getByRole("heading", { name: words.title }).waitFor();
      const still = await contextOf(browser, { javaScriptEnabled: false, locale: "en" });
      await still.addCookies(await context.cookies());
      const plain = await still.newPage();
      await plain.goto(address({ scope: "docs:read runs:read" }));
      for (const _ of [words.other_account, "docs:read"]) await plain.keyboard.press("Tab");
      await plain.keyboard.press("Space");
      for (const _ of ["runs:read", words.workspace, words.allow]) await plain.keyboard.press("Tab");
      await plain.keyboard.press("Enter");
      await plain.getByRole("heading", { name: "Back in the program" }).waitFor();
      expect((await tokensFor(landed.at(-1)?.searchParams.get("code") ?? "")).scope).toBe("runs:read");
      await still.close();
    });
  });

  walk("the command line's request has its own text; an invalid request leads nowhere", async () => {
    const email = "cli@firma.test";
    await post("/auth/v1/signup", { email, password });
    const words = consentWordsIn.en;
    await open(
      { locale: "en" },
      async (page) => {
        await page.goto(address({ client_id: "assay-cli", resource: base }));
        await signIn(page, en, email);
        await page.getByRole("heading", { name: words.sign_in_title }).waitFor();
        await picture(page, "consent-cli-en");
        await page.getByRole("button", { name: words.allow }).click();
        await page.getByRole("heading", { name: "Back in the program" }).waitFor();
        const before = landed.length;
        const heard = page.waitForResponse((response) => response.status() === 400);
        await page.goto(address({ redirect_uri: "https://evil.example/callback" }));
        await heard;
        await page.getByRole("heading", { name: words.error_title }).waitFor();
        await picture(page, "consent-refused-en");
        expect(landed.length).toBe(before);
      },
      /status of 400/,
    );
  });
});
