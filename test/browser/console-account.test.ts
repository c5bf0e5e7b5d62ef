import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { goodPassword, signIn } from "../support/people.ts";
import { becomes, contextOf, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable !== undefined) opened = await openConsole([]);
});

afterAll(() => opened?.close());

describe("the account page", () => {
  walk("changes name and email language, and ends another session, on a phone", async () => {
    const { world, console } = opened;
    const elsewhere = (await (await signIn(world, console.email, console.password)).json()) as { access_token: string };
    const isThere = async () => (await world.ask("/auth/v1/user", { as: elsewhere.access_token })).status;
    await visit(console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, console, "account");
      await page.getByLabel("Name").fill("Eva Nová");
      await page.getByRole("combobox", { name: "E-mail language" }).click();
      await page.getByRole("option", { name: "Čeština" }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved").waitFor();
      const ends = page.getByRole("button", { name: /^End the session in/ });
      const others = await ends.count();
      expect(others).toBeGreaterThan(0);
      for (let left = others; left > 0; left--) {
        await ends.first().click();
        await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
        await becomes(() => ends.count(), left - 1);
      }
      await settled(page);
      await look(page, "console-account-saved-phone-light");
    });
    expect(await isThere()).toBe(401);
  });

  walk("shows at the form that the current password is wrong, instead of ending the session", async () => {
    const { console } = opened;
    const context = await contextOf(console.browser, { locale: "en" });
    const page = await context.newPage();
    await enter(page, console, "account");
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill(goodPassword);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });

  walk("changes the password given the current one", async () => {
    const { world, console } = opened;
    await visit(console, { size: "wide", scheme: "dark" }, async (page) => {
      await enter(page, console, "account");
      await page.getByLabel("Current password").fill(console.password);
      await page.getByLabel("New password").fill(goodPassword);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Password changed").waitFor();
      await becomes(() => page.getByLabel("New password").inputValue(), "");
    });
    expect((await signIn(world, console.email, console.password)).status).not.toBe(200);
    expect((await signIn(world, console.email, goodPassword)).status).toBe(200);
  });
});
