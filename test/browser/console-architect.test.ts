import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { becomes, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
const goal = "Answer questions from our own terms";
const streamPath = "**/v1/solution-architect/compose/stream";
let opened: OpenedConsole;
/** The link of the solution saved by the first test. */
let link = "";

beforeAll(async () => {
  if (executable !== undefined) opened = await openConsole([]);
});

afterAll(() => opened?.close());

describe("the console's architect", () => {
  walk("leads from goals over an interrupted stream to its end, and to a specification", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "architect");
      await page.getByLabel("Company").fill("Example Insurance");
      await page.getByLabel("Country").fill("CZ");
      await page.getByLabel("Industry").fill("insurance");
      await page.getByRole("textbox", { name: "Goals" }).fill(goal);
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("heading", { name: "What we understood" }).waitFor();
      await page.getByRole("region", { name: "Matching products" }).waitFor();
      await look(page, "console-architect-understood-wide-light");
      await page.getByRole("button", { name: "Back" }).click();
      await becomes(() => page.getByRole("textbox", { name: "Goals" }).inputValue(), goal);
      await page.getByRole("button", { name: "Next" }).first().click();
      await page.getByRole("heading", { name: "What we understood" }).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page
        .getByRole("button", { name: /^Choose/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Design" }).waitFor();
      await look(page, "console-architect-options-wide-light");
      const asked: (string | undefined)[] = [];
      // The first response breaks after five events, and the rest is requested from there.
      await page.route(streamPath, async (route) => {
        asked.push(route.request().headers()["last-event-id"]);
        const response = await route.fetch();
        const events = (await response.text()).split("\n\n").filter((event) => event.startsWith("id: "));
        await route.fulfill({
          response,
          body: asked.length > 1 ? `${events.join("\n\n")}\n\n` : `${events.slice(0, 5).join("\n\n")}\n\n`,
        });
      });
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText("The document is complete.").waitFor();
      expect(asked).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{16}-4$/)]);
      await becomes(() => page.getByRole("heading", { name: "Summary" }).count(), 1);
      await becomes(() => page.getByRole("heading", { name: "Next steps" }).count(), 1);
      await page.getByRole("button", { name: "Details: Summary" }).click();
      await page.getByRole("heading", { name: "Details" }).waitFor();
      await look(page, "console-architect-document-wide-light");
      await page.getByRole("button", { name: "Next", exact: true }).click();
      const save = page.getByRole("button", { name: "Save and unlock" });
      await becomes(() => save.isDisabled(), true);
      await page.getByLabel("I consent to saving it").check();
      await save.click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download as JSON" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("messaging-channel.json");
      const spec = await Bun.file(await download.path()).json();
      expect(spec).toMatchObject({
        template: "messaging-channel",
        title: expect.stringContaining("Example Insurance"),
      });
      await look(page, "console-architect-build-wide-light");
      link = (await page.getByRole("region", { name: "Link" }).textContent()) ?? "";
      // Reloading the page requires no second consent, and the solution is listed in this browser.
      await page.reload();
      await page.getByRole("link", { name: "Download as JSON" }).waitFor();
      await page.getByRole("button", { name: "Goals" }).click();
      await page.getByRole("region", { name: "Your solutions" }).getByText("saved", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Example Insurance" }).click();
      await page.getByRole("heading", { name: "Saved solution" }).waitFor();
      await page.getByRole("heading", { name: "Build specification" }).waitFor();
    });
  });

  walk("keeps entered and parsed goals when reloaded, and goes back step by step", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "architect");
      const goals = page.getByRole("textbox", { name: "Goals" });
      await page.getByLabel("Company").fill("Sample Brokers");
      await goals.fill(goal);
      await page.reload();
      await becomes(() => goals.inputValue(), goal);
      await page.getByLabel("Country").fill("CZ");
      await page.getByLabel("Industry").fill("insurance");
      await page.getByLabel("Let me resume it later with a link").check();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("heading", { name: "What we understood" }).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page
        .getByRole("button", { name: /^Choose/ })
        .first()
        .waitFor();
      await page.reload();
      await page
        .getByRole("button", { name: /^Choose/ })
        .first()
        .waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "What we understood" }).waitFor();
      await page.goBack();
      await becomes(() => goals.inputValue(), goal);
      // The new input has not been parsed yet.
      await goals.fill(`${goal}, with citations`);
      await page.goForward();
      await becomes(() => goals.inputValue(), `${goal}, with citations`);
      const kept = page.getByRole("region", { name: "Your solutions" });
      await kept.getByRole("link", { name: "Sample Brokers" }).waitFor();
      await look(page, "console-architect-kept-wide-light");
      await kept.getByRole("button", { name: "Remove" }).click();
      await becomes(() => kept.count(), 0);
    });
  });

  walk("keeps the input of other forms during navigation, and deletes it at sign-out", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "validations/audiences/new");
      await page.getByLabel("Who belongs to it").fill("owners of small shops");
      await page.getByRole("link", { name: "Catalogue" }).click();
      await page.getByRole("heading", { name: "Catalogue" }).waitFor();
      await page.goBack();
      await becomes(() => page.getByLabel("Who belongs to it").inputValue(), "owners of small shops");
      await page.getByRole("button", { name: /@/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.waitForURL("**/sign-in");
      await enter(page, opened.console, "validations/audiences/new");
      await becomes(() => page.getByLabel("Who belongs to it").inputValue(), "");
    });
  });

  walk("accepts a country by name, and explains why nothing serves a need there", async () => {
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "architect");
      await page.getByLabel("Company").fill("Exemple Assurance");
      await page.getByLabel("Country").fill("France");
      await page.getByLabel("Industry").fill("insurance");
      await page.getByRole("textbox", { name: "Goals" }).fill("Check advice records for compliance");
      expect(await page.locator("datalist option[value=Germany]").count()).toBe(1);
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText("Not served").waitFor();
      await page.getByText("It covers CZ, not FR.").first().waitFor();
      await look(page, "console-architect-unserved-phone-light");
      await page.getByRole("button", { name: "Back" }).click();
      await becomes(() => page.getByLabel("Country").inputValue(), "France");
      await page.getByLabel("Country").fill("Atlantis");
      await page.getByRole("button", { name: "Next" }).first().click();
      await page.getByText("We know no country “Atlantis”.").waitFor();
    });
  });

  walk("opens a saved solution by its link, and continues from there", async () => {
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "architect");
      await page.goto(link);
      await page.getByRole("heading", { name: "Saved solution" }).waitFor();
      await page.getByRole("heading", { name: "Build specification" }).waitFor();
      await look(page, "console-architect-resumed-phone-light");
      await page.getByRole("button", { name: "Continue from here" }).click();
      await becomes(() => page.getByRole("textbox", { name: "Goals" }).inputValue(), goal);
    });
  });

  walk("can be cancelled while composing, and started again", async () => {
    await visit(opened.console, { size: "phone", scheme: "dark", locale: "de" }, async (page) => {
      await enter(page, opened.console, "architect");
      await page.getByLabel("Firma").fill("Beispiel");
      await page.getByLabel("Land").fill("DE");
      await page.getByLabel("Branche").fill("Versicherung");
      await page.getByRole("textbox", { name: "Ziele" }).fill("Fragen aus unseren Bedingungen beantworten");
      await page.getByRole("button", { name: "Weiter" }).click();
      await page.getByRole("heading", { name: "Was wir verstanden haben" }).waitFor();
      await page.getByRole("button", { name: "Weiter" }).click();
      await page
        .getByRole("button", { name: /wählen$/ })
        .first()
        .waitFor();
      const held = Promise.withResolvers<void>();
      await page.route(streamPath, async (route) => {
        await held.promise;
        await route.continue().catch(() => undefined);
      });
      await page.getByRole("button", { name: "Weiter" }).click();
      await page.getByRole("button", { name: "Abbrechen" }).click();
      await page.getByText("Was angekommen ist, bleibt unten.").waitFor();
      await look(page, "console-architect-cancelled-phone-dark-de");
      held.resolve();
      await page.getByRole("button", { name: "Neu verfassen" }).click();
      await page.getByText("Das Dokument ist fertig.").waitFor();
    });
  });
});
