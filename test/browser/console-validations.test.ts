import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ValidationList, ValidationResult } from "../../src/products/validator/schema.ts";
import type { Run } from "../../src/runs/schema.ts";
import { bicycles } from "../support/validator-world.ts";
import { becomes, executable } from "./chromium.ts";
import { askedStudy, type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable !== undefined) opened = await openConsole(["market-validator"]);
});

afterAll(() => opened?.close());

const readStudy = async (id: string): Promise<ValidationResult> => {
  const { world, token } = opened;
  return (await (await world.ask(`/v1/validator/validations/${id}`, { as: token })).json()) as ValidationResult;
};

describe("the console's validations", () => {
  walk("lead from an audience and a price to a verdict", async () => {
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "validations");
      await page.getByText("No studies yet").waitFor();
      await page.getByRole("link", { name: "New audience" }).click();
      await page.getByRole("heading", { name: "New audience", level: 1 }).waitFor();
      await page.getByLabel("Name").fill("Riders");
      await page.getByRole("textbox", { name: "Who belongs to it" }).fill("Adults who ride to work.");
      await page.getByRole("combobox", { name: "Market" }).click();
      await page.getByRole("option", { name: "Czechia" }).click();
      await look(page, "console-audience-new-phone-light");
      await page.getByRole("button", { name: "Create audience" }).click();
      await page.getByRole("heading", { name: "Some of them" }).waitFor();
      await page.getByRole("link", { name: "Ask them" }).click();
      await page.getByLabel("Hypothesis").fill(bicycles);
      await page.getByText("At most 500 credits").waitFor();
      await page.getByLabel("L: 1,000 credits", { exact: true }).check();
      await page.getByText("At most 1,000 credits").waitFor();
      await look(page, "console-ask-phone-light");
      await page.getByRole("button", { name: "Ask them now" }).click();
      await page.getByText(bicycles).waitFor();
      await page.getByRole("heading", { name: "Reliability" }).waitFor();
      const { world, token } = opened;
      const listed = await world.ask("/v1/validator/validations", { as: token });
      const { validations } = (await listed.json()) as ValidationList;
      expect(validations.map(({ decision_size, outcome }) => [decision_size, outcome])).toEqual([["L", "verdict"]]);
    });
  });

  walk("show verdict, interval, both charts with their figures, segments, objections and the reliability", async () => {
    const id = await askedStudy(opened);
    const { verdict, summary, report } = await readStudy(id);
    await visit(opened.console, { size: "wide", scheme: "dark" }, async (page) => {
      await enter(page, opened.console, `validations/${id}`);
      await page.locator(".recharts-surface").nth(1).waitFor();
      const main = page.getByRole("main");
      for (const table of await page.getByRole("button", { name: /the figures as a table/ }).all()) await table.click();
      await page.getByRole("cell", { name: "10", exact: true }).first().waitFor();
      const text = (await main.textContent()) ?? "";
      const shown = [
        String(verdict),
        String(summary),
        "with 80% certainty",
        "Simulated people, not a survey",
        report?.card.seed ?? "no seed",
        ...(report?.segments ?? []).map(({ label }) => label),
        ...(report?.objections ?? []).map(({ label }) => label),
      ];
      for (const part of shown) expect(text).toContain(part);
      expect(text).not.toContain("undefined");
      expect(text).not.toContain("NaN");
      await look(page, "console-study-wide-dark");
    });
  });

  walk("are shown with their run too: the verdict, its interval and its segments", async () => {
    const { world, token } = opened;
    const { report } = await readStudy(await askedStudy(opened));
    const listed = await world.ask("/v1/runs?limit=1", { as: token });
    const { items } = (await listed.json()) as { readonly items: readonly Run[] };
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, opened.console, `runs/${items[0]?.id}`);
      await page.getByText("with 80% certainty").waitFor();
      const segments = page.getByRole("region", { name: "Segments" }).getByRole("row");
      await becomes(() => segments.count(), 1 + (report?.segments.length ?? 0));
      await look(page, "console-run-verdict-phone-light");
      await page.getByRole("link", { name: "Open the study" }).click();
      await page.getByRole("heading", { name: "Reliability" }).waitFor();
    });
  });

  walk("can be tried from the catalogue with the unchanged example", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "capabilities/market-validator");
      await page.getByRole("button", { name: "Fill in an example" }).click();
      await becomes(() => page.getByLabel("Market").inputValue(), "CZ");
      await page.getByRole("button", { name: "Show the price" }).click();
      await page.getByRole("button", { name: "Run it" }).click();
      await page.getByText("with 80% certainty").waitFor();
    });
  });

  walk("show which words about people and price were not used", async () => {
    const { world, token: as, console } = opened;
    const described = { name: "Cyclists", description: "cyclists aged 25 to 45", market: "CZ", size: 20 };
    const { audience_id } = (await (await world.ask("/v1/validator/audiences", { as, body: described })).json()) as {
      readonly audience_id: string;
    };
    const id = await askedStudy(opened, "Cyclists lose bicycles to theft. We insure them in an app for 6 euros.");
    const { report } = await readStudy(id);
    expect(report?.notes?.length).toBeGreaterThan(0);
    await visit(console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, console, `validations/audiences/${audience_id}`);
      await page.getByText("The personas are chosen by: ages 25-45").waitFor();
      await page.getByText('Not used, because no figure of the market identifies them: "cyclists').waitFor();
      for (const path of [`validations/${id}`, `runs/${id}`]) {
        await page.goto(`${console.base}/console/${path}`);
        for (const note of report?.notes ?? []) await page.getByText(note).waitFor();
      }
      await look(page, "console-run-notes-phone-light");
      await page.goto(`${console.base}/console/validations/${id}`);
      await page.getByText("Missing from the hypothesis: the offer, evidence that it works.").waitFor();
      await page.getByText("· Riders · Czechia").waitFor();
      await look(page, "console-study-notes-phone-light");
    });
  });

  walk("are compared next to each other, whichever two are selected", async () => {
    const ids = [await askedStudy(opened), await askedStudy(opened)];
    await visit(opened.console, { size: "wide", scheme: "light", locale: "de" }, async (page) => {
      await enter(page, opened.console, "validations");
      const boxes = page.getByRole("checkbox");
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.getByRole("link", { name: "Vergleichen" }).click();
      await page.getByRole("heading", { name: "Verlässlichkeit" }).nth(1).waitFor();
      await settled(page);
      const search = new URL(page.url()).searchParams;
      expect([search.get("left"), search.get("right")].sort()).toEqual([...ids].sort());
      await look(page, "console-compare-wide-light-de");
    });
  });

  walk("show a caller's text as text, whatever it looks like", async () => {
    const hypothesis = `<script>alert(1)</script> & "Parents" need <b>an app</b> for 4 EUR a month`;
    const id = await askedStudy(opened, hypothesis);
    await visit(opened.console, { size: "wide", scheme: "light", locale: "cs" }, async (page) => {
      await enter(page, opened.console, `validations/${id}`);
      await page.getByText(hypothesis).waitFor();
      await page.getByRole("heading", { name: "Validace", level: 1 }).waitFor();
      expect(await page.getByRole("main").locator("script, b").count()).toBe(0);
    });
  });
});
