import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { unscoped } from "../../db/tenancy.ts";
import { goodPassword } from "../support/people.ts";
import { becomes, contextOf, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { type Console, enter, hasFocus, look, settled } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
const beta = "owner@beta.test";
let opened: OpenedConsole;
let other: Console;

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole([]);
  await opened.world.ask("/auth/v1/signup", { body: { email: beta, password: goodPassword } });
  other = { ...opened.console, email: beta, password: goodPassword };
});

afterAll(() => opened?.close());

/**
 * Opens two tabs of one browser: the first shows a person's page, and another person has since signed in in the second.
 */
async function twoTabs(path: string, visit: (first: Page, second: Page, context: BrowserContext) => Promise<void>) {
  const context = await contextOf(opened.console.browser, { locale: "en", reducedMotion: "reduce" });
  const first = await context.newPage();
  await enter(first, opened.console, path);
  await visit(first, await context.newPage(), context);
  await context.close();
}

const another = (page: Page) => page.getByRole("dialog", { name: "Someone else is signed in now" });
const invitations = () => unscoped(opened.world.store.read).selectFrom("invitations").select("email").execute();

describe("two tabs of one browser", () => {
  walk("show one person each at most: if someone else signs in, the other tab says so and is reloaded", async () => {
    await twoTabs("usage", async (first, second) => {
      await first.getByText("100,000").first().waitFor();
      await enter(second, other);
      await another(first).waitFor();
      await hasFocus(first, another(first));
      await look(first, "console-another-person");
      await another(first).getByRole("button", { name: "Reload page" }).click();
      await first.getByRole("button", { name: beta }).waitFor();
      await settled(first);
      expect(await first.getByText("100,000").count()).toBe(0);
    });
  });

  walk(
    "send nothing in the other's firm, even without a message between them, and continue after signing in as before",
    async () => {
      await twoTabs("team", async (first, second) => {
        await first.getByRole("button", { name: "Invite" }).click();
        const form = first.getByRole("dialog");
        await form.getByLabel("E-mail address").fill("guest@people.test");
        // The sign-in page is not part of the console, and sends no message to other tabs.
        const next = encodeURIComponent(`${other.base}/account`);
        await second.goto(`${other.base}/sign-in?redirect_to=${next}`);
        await second.locator("#email").fill(beta);
        await second.locator("#password").fill(goodPassword);
        await second.locator("form[data-form=sign-in] button[type=submit]").click();
        await second.waitForURL(`${other.base}/account`);
        await form.getByRole("button", { name: "Invite" }).click();
        await another(first).waitFor();
        expect(await invitations()).toEqual([]);
        const typed = another(first).getByLabel("Password", { exact: true });
        await typed.fill(opened.console.password);
        await typed.press("Enter");
        await another(first).waitFor({ state: "detached" });
        await first.getByText("Pass on this link").waitFor();
        await becomes(invitations, [{ email: "guest@people.test" }]);
        const { items } = (await (await opened.world.ask("/v1/team/invitations", { as: opened.token })).json()) as {
          readonly items: readonly { readonly email: string }[];
        };
        expect(items.map(({ email }) => email)).toEqual(["guest@people.test"]);
      });
    },
  );
});
