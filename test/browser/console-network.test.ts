import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { becomes, contextOf, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, hasFocus, look, messagesOf, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole(["exa-filter"]);
});

afterAll(() => opened?.close());

/** Delays responses from these addresses until released, like a slow network. */
async function held(page: Page, address: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

const question = "What is the limit of indemnity?";
const answer = "The limit of indemnity is 500 000 CZK.";

/** Opens a capability's form, and fills in its required fields. */
async function fillIn(page: Page): Promise<void> {
  await enter(page, opened.console, "capabilities/exa-filter");
  await page.getByLabel("Question").fill(question);
  await page.getByLabel("Answer").fill(answer);
  await page.getByRole("button", { name: "Add" }).click();
  await page.locator("#root_sources_0").fill(answer);
}

/** Returns the firm's number of runs. */
async function runs(): Promise<number> {
  const listed = await opened.world.ask("/v1/runs", { as: opened.token });
  return ((await listed.json()) as { readonly items: readonly unknown[] }).items.length;
}

describe("when the session expires midway", () => {
  walk("input is kept, and the request continues after signing in again", async () => {
    const context = await contextOf(opened.console.browser, { locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    const heard = messagesOf(page);
    await fillIn(page);
    await context.clearCookies();
    await page.getByRole("button", { name: "Show the price" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    const signInAgain = async () => {
      await hasFocus(page, dialog);
      const typed = dialog.getByLabel("Password", { exact: true });
      await typed.fill(opened.console.password);
      await typed.press("Enter");
      await dialog.waitFor({ state: "detached" });
    };
    await signInAgain();
    await page.getByText("It costs no credits.").waitFor();
    expect(await page.getByLabel("Question").inputValue()).toBe(question);
    expect(await page.getByLabel("Answer").inputValue()).toBe(answer);
    expect(await page.locator("#root_sources_0").inputValue()).toBe(answer);
    await context.clearCookies();
    await page.getByRole("button", { name: "Run it" }).click();
    await signInAgain();
    await page.locator("mark").first().waitFor();
    expect(await runs()).toBe(1);
    expect(heard.filter((message) => !/status of 401/.test(message))).toEqual([]);
    await context.close();
  });
});

describe("when the network is slow", () => {
  for (const size of ["wide", "phone"] as const)
    walk(`the page's frame is shown before its program is loaded, ${size}`, async () => {
      await visit(opened.console, { size, scheme: "dark" }, async (page) => {
        await enter(page, opened.console);
        const release = await held(page, /\/console\/assets\/.*\.js$/);
        await page.reload({ waitUntil: "commit" });
        await page.locator(".boot-side").waitFor();
        release();
        await settled(page);
        await becomes(() => page.locator(".boot").count(), 0);
      });
    });

  walk("a loading page is announced, and the previous one stays until it is loaded", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console);
      const release = await held(page, /\/console\/assets\//);
      await page.getByRole("link", { name: "Team" }).click();
      await page.locator(".under-way").waitFor({ state: "attached" });
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Home");
      release();
      await page.getByRole("heading", { name: "Team", level: 1 }).waitFor();
      await page.locator(".under-way").waitFor({ state: "detached" });
    });
  });

  /** All of a page's requests except for the signed-in user. */
  const reading = /:\d+\/v1\/(?!developer\/(workspaces|scopes))/;
  walk("every page shows that it is loading, and then its data", async () => {
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console);
      for (const path of [
        "",
        "capabilities",
        "runs",
        "approvals",
        "validations",
        "documents",
        "usage",
        "team",
        "developers",
      ]) {
        const release = await held(page, reading);
        await page.goto(`${opened.console.base}/console/${path}`, { waitUntil: "commit" });
        await page.locator("h1").waitFor();
        await page.locator("[aria-busy=true]").first().waitFor();
        release();
        await settled(page);
        await page.unroute(reading);
      }
    });
  });

  walk("a second click does not start a second run", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await fillIn(page);
      await page.getByRole("button", { name: "Show the price" }).click();
      const run = page.getByRole("button", { name: "Run it" });
      await run.waitFor();
      const before = await runs();
      const release = await held(page, /\/runs$/);
      await run.click();
      await becomes(() => run.isDisabled(), true);
      await run.click({ force: true, noWaitAfter: true });
      release();
      await page.locator("mark").first().waitFor();
      expect(await runs()).toBe(before + 1);
    });
  });
});

describe("when the server does not respond", () => {
  walk("a page that can't be loaded shows an error, and loads after a retry", async () => {
    const context = await contextOf(opened.console.browser, { locale: "de", reducedMotion: "reduce" });
    const page = await context.newPage();
    await enter(page, opened.console);
    await context.setOffline(true);
    await page.getByRole("link", { name: "Team", exact: true }).click();
    await page.getByText("Der Server ist nicht erreichbar.").waitFor();
    await look(page, "console-offline-de");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Neu laden" }).click();
    await page.getByRole("cell", { name: opened.console.email }).waitFor();
    await context.close();
  });

  walk("input is kept, and sent with a retry", async () => {
    const context = await contextOf(opened.console.browser, { locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    await fillIn(page);
    await page.getByRole("button", { name: "Show the price" }).click();
    const run = page.getByRole("button", { name: "Run it" });
    await run.waitFor();
    await context.setOffline(true);
    await run.click();
    await page.getByText("The server can't be reached.").waitFor();
    await look(page, "console-offline-typed");
    expect(await page.getByLabel("Question").inputValue()).toBe(question);
    await context.setOffline(false);
    await run.click();
    await page.locator("mark").first().waitFor();
    await context.close();
  });
});
