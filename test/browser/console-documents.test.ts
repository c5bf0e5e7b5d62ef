import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { importStarter } from "../support/starter.ts";
import { executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole(["insurance-assistant"]);
});

afterAll(() => opened?.close());

describe("the console's documents", () => {
  walk("show that there are none, and once imported answer a question with their sources", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "documents");
      await page.getByText("No documents yet").waitFor();
      await look(page, "console-documents-none-wide-light");
      await importStarter(opened.world);
      await page.reload();
      await page.getByRole("region", { name: "Coverage by market" }).getByText("Czechia").waitFor();
      await page.getByLabel("Question").fill("Does the travel insurance cover sports?");
      await page.getByRole("combobox", { name: "Country" }).click();
      await page.getByRole("option", { name: "Czechia" }).click();
      await page.getByRole("button", { name: "Ask" }).click();
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      const source = page.getByRole("listitem").filter({ hasText: "[1]" });
      expect(await source.first().textContent()).toContain("Risk sports need the additional cover.");
      await page.getByText("Passages").waitFor();
      await page.getByRole("button", { name: /All classes of documents/ }).click();
      await page.getByRole("region", { name: "Catalogue" }).waitFor();
      await look(page, "console-documents-asked-wide-light");
    });
  });
});
