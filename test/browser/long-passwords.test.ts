import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { en } from "../../src/accounts/pages/words/en.ts";
import { freshEmail, mailTo, newcomer, signIn, tokenIn } from "../support/people.ts";
import { contextOf, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";

const walk = test.skipIf(executable === undefined);
/** As a password manager makes it, or somebody who types a long sentence. */
const long = "correct horse battery staple ".repeat(5).trim();
const longest = long.slice(0, 128).trim().padEnd(128, "z");
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable !== undefined) opened = await openConsole([]);
});

afterAll(() => opened?.close());

async function open(path: string, visit: (page: Page) => Promise<void>): Promise<void> {
  const context = await contextOf(opened.console.browser, { locale: "en" });
  const page = await context.newPage();
  await page.goto(opened.console.base + path);
  await visit(page);
  await context.close();
}

/** The page refuses the password and keeps all of it; then it takes the longest one that there may be. */
async function refusesAndTakes(page: Page, form: string): Promise<void> {
  const password = page.locator(`${form} input[name=password]`);
  const send = page.locator(`${form} button[type=submit]`);
  await password.fill(long);
  expect(await password.inputValue()).toBe(long);
  await send.click();
  await page.getByText(en.bad_password).waitFor();
  await password.fill(longest);
  await send.click();
}

describe("a password of more than 128 characters is refused and not cut", () => {
  walk("when an account is made", async () => {
    const email = freshEmail();
    await open("/sign-up", async (page) => {
      await page.locator("#email").fill(email);
      await refusesAndTakes(page, "form[data-form=sign-up]");
      await page.waitForURL(`${opened.console.base}/console`);
    });
    expect((await signIn(opened.world, email, longest)).status).toBe(200);
  });

  walk("when it is reset by a link", async () => {
    const { world } = opened;
    const email = freshEmail();
    await newcomer(world, email);
    await world.ask("/auth/v1/recover", { body: { email } });
    const token = tokenIn((await mailTo(world, email, 1)).text);
    await open(`/reset-password?token=${token}`, async (page) => {
      await refusesAndTakes(page, "form[data-form=reset]");
      await page.getByText(en.reset_done).waitFor();
    });
    expect((await signIn(world, email, longest)).status).toBe(200);
  });

  walk("when it is changed on the account's page", async () => {
    const { email, password } = opened.console;
    await open("/sign-in", async (page) => {
      await page.locator("#email").fill(email);
      await page.locator("#password").fill(password);
      await page.locator("form[data-form=sign-in] button[type=submit]").click();
      await page.waitForURL(`${opened.console.base}/console`);
      await page.goto(`${opened.console.base}/account`);
      await refusesAndTakes(page, "form:has(input[value=password])");
      await page.getByText(en.password_changed).waitFor();
    });
    expect((await signIn(opened.world, email, longest)).status).toBe(200);
  });
});
