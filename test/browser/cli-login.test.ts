import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { consentWordsIn } from "../../src/accounts/oauth/words.ts";
import { en } from "../../src/accounts/pages/words/en.ts";
import { openWorld, password, type World } from "../support/client-cli-world.ts";
import { talking } from "../support/client-sign-in-world.ts";
import { complaints, contextOf, executable, launch, picture } from "./chromium.ts";

if (executable === undefined)
  console.log("skipped for want of a browser: install Debian's chromium, or another Chrome");
const walk = test.skipIf(executable === undefined);
const words = consentWordsIn.en;

let browser: Browser;
let world: World;
beforeAll(async () => {
  if (executable === undefined) return;
  world = await openWorld();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

walk("a person signs in to the command line in the browser, and both confirm it", async () => {
  const env = { ASSAY_API_KEY: "", XDG_CONFIG_HOME: world.file("walker") };
  const login = talking(world, ["login", "--no-browser"], env);
  const url = await login.said(/http\S+\/oauth\/authorize\S+/);
  const context = await contextOf(browser, { locale: "en-GB" });
  const page = await context.newPage();
  const heard = complaints(page);
  await page.goto(url);
  await page.getByLabel(en.email, { exact: true }).fill("rich@example.com");
  await page.getByLabel(en.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: en.sign_in_action, exact: true }).click();
  await page.getByRole("heading", { name: words.sign_in_title }).waitFor();
  await picture(page, "cli-login-question");
  await page.getByRole("button", { name: words.allow, exact: true }).click();
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  await picture(page, "cli-login-done");
  expect(heard).toEqual([]);
  expect(await login.ended()).toMatchObject({
    code: 0,
    err: expect.stringContaining("rich, workspace First, as owner"),
  });
  expect((await world.assay(["whoami"], { env })).out).toContain("rich@example.com");
  await context.close();
});
