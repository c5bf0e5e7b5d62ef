import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { unscoped } from "../../db/tenancy.ts";
import { setOperator } from "../../src/accounts/admin/users.ts";
import { executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;
let firm = "";

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole([]);
  const { world } = opened;
  const user = await unscoped(world.store.read).selectFrom("users").selectAll().executeTakeFirstOrThrow();
  await world.store.write((tx) => setOperator(tx, world.act, user, true));
  firm = (await unscoped(world.store.read).selectFrom("firms").select("id").executeTakeFirstOrThrow()).id;
});

afterAll(() => opened?.close());

const credits = async (): Promise<number> => {
  const told = await opened.world.ask("/v1/credits", { as: opened.token });
  return ((await told.json()) as { readonly balance: { readonly available: number } }).balance.available;
};
const limits = () => unscoped(opened.world.store.read).selectFrom("quotas").select("monthly_runs").execute();

/** Checks that the typed text is kept, with `text` as its error. */
async function isRefused(page: Page, label: string, typed: string, action: string, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: label, exact: true });
  await field.fill(typed);
  await page.getByRole("button", { name: action }).click();
  await page.getByText(text, { exact: true }).waitFor();
  expect(await field.inputValue()).toBe(typed);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
}

describe("a number in the console", () => {
  walk("is sent unchanged or not at all: a firm's credits and limits", async () => {
    const before = await credits();
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console, `admin/firms/${firm}`);
      await page.getByLabel("Reason").fill("A pilot");
      const whole = "Enter a whole number in digits, such as 1,000.";
      const given = "At least 1. To take credits back, choose “Adjust”.";
      for (const [typed, text] of [
        ["-700", given],
        ["0", given],
        ["2.5", whole],
        ["1e3", whole],
        ["99999999999999", "From 1 to 1,000,000,000,000."],
      ] as const)
        await isRefused(page, "Credits", typed, "Change credits", text);
      await look(page, "console-admin-credits-refused-phone-light");
      await page.getByRole("combobox", { name: "Applies to" }).click();
      await page.getByRole("option").first().click();
      for (const [typed, text] of [
        ["-5", "At least 0."],
        ["2.5", whole],
      ] as const)
        await isRefused(page, "Limit", typed, "Set limit", text);
      expect([await credits(), await limits()]).toEqual([before, []]);
      await page.getByRole("combobox", { name: "Type" }).click();
      await page.getByRole("option", { name: "Adjust" }).click();
      await page.getByRole("textbox", { name: "Credits", exact: true }).fill("-1,700");
      await page.getByRole("button", { name: "Change credits" }).click();
      await page.getByText("Credits changed").waitFor();
    });
    expect(await credits()).toBe(before - 1700);
  });

  walk("is validated in the forms of an audience and of the architect, in the page's language", async () => {
    const whole = "Geben Sie eine ganze Zahl in Ziffern ein, zum Beispiel 1.000.";
    await visit(opened.console, { size: "wide", scheme: "dark", locale: "de" }, async (page) => {
      await enter(page, opened.console, "validations/audiences/new");
      await page.getByLabel("Name").fill("Pendler");
      await page.getByLabel("Wer dazugehört").fill("Erwachsene, die mit dem Rad fahren.");
      await isRefused(page, "Personas", "4", "Zielgruppe anlegen", "Von 5 bis 50.");
      await isRefused(page, "Personas", "7,5", "Zielgruppe anlegen", whole);
      await page.goto(`${opened.console.base}/console/architect`);
      await page.getByLabel("Firma").fill("Beispiel");
      await page.getByLabel("Land").fill("DE");
      await page.getByLabel("Branche").fill("Versicherung");
      await page.getByRole("textbox", { name: "Ziele" }).fill("Fragen aus unseren Bedingungen beantworten");
      await isRefused(page, "Budget in Credits", "2.5", "Weiter", whole);
      await isRefused(page, "Budget in Credits", "-5", "Weiter", "Von 0 bis 1.000.000.000.");
    });
  });
});
