import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { pack, packServices } from "../support/pack-world.ts";
import { becomes, contextOf, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable === undefined) return;
  const gates = ["company-intelligence", "eu-market-data", "market-validator", pack];
  opened = await openConsole(gates, { stepEngines, services: await packServices([]) });
});

afterAll(() => opened?.close());

const price = (page: Page) => page.getByRole("button", { name: "Show the price" });

/** Selects a country by name in a multiple selection. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Candidate markets" }).fill(name);
  await page.getByRole("option", { name, exact: true }).click();
}

describe("the form of a capability or use case", () => {
  walk("accepts countries by name, and shows errors at each field", async () => {
    // The browser reports refused requests as errors, which are intended here.
    const context = await contextOf(opened.console.browser, { locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    await enter(page, opened.console, `use-cases/${pack}`);
    await price(page).click();
    await becomes(() => page.getByText("Required.").filter({ visible: true }).count(), 5);
    await page.getByLabel("Company URL").fill("www.mybroker.example");
    await page.getByLabel("Product category").fill("Cycling insurance");
    await page.getByLabel("Target adviser ICP").fill("Insurance brokers in Bavaria with 5 to 50 employees");
    await page.getByLabel("Value proposition").fill("We insure bicycles in an app for 4 EUR a month.");
    const wrong = (field: string) => page.locator(`#root_${field}-error`);
    await choose(page, "Germany");
    await price(page).click();
    await becomes(() => wrong("candidate_markets").textContent(), "At least 2 are needed.");
    await choose(page, "European Union");
    await price(page).click();
    await becomes(() => wrong("company_url").textContent(), "Enter the full address, such as https://example.com/.");
    await look(page, "console-form-mistakes-wide-light");
    await page.getByLabel("Company URL").fill("https://example.com/");
    await price(page).click();
    // Only the server knows that the EU is not a country: its message is shown at the field, without the request's
    // path.
    const refused = "ust be the two letters of a country (ISO 3166-1 alpha-2), such as CZ.";
    await page.getByText(`Candidate markets: m${refused}`).waitFor();
    await becomes(() => wrong("candidate_markets").textContent(), `M${refused}`);
    expect(await page.getByText("/body/").count()).toBe(0);
    await context.close();
  });

  walk("lists the firm's audiences instead of asking for an id", async () => {
    const { world, token: as, console } = opened;
    const described = { name: "Riders", description: "Adults who ride to work.", market: "CZ", size: 20 };
    await world.ask("/v1/validator/audiences", { as, body: described });
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, console, "capabilities/market-validator");
      await page.getByRole("combobox", { name: "Audience" }).click();
      await page.getByRole("option", { name: "Riders" }).click();
    });
  });
});
