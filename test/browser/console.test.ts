import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Request } from "playwright-core";
import type { AudienceList } from "../../src/products/validator/schema.ts";
import { bundleConsole } from "../../src/surfaces/console/bundle.ts";
import { runIn } from "../support/harness.ts";
import { barriers, becomes, contextOf, executable } from "./chromium.ts";
import { askedStudy, type OpenedConsole, openConsole } from "./console-server.ts";
import {
  type Console,
  enter,
  hasFocus,
  look,
  messagesOf,
  settled,
  views,
  visit,
  walkEveryPage,
} from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;
let console: Console;
let email: string;
let password: string;
let further: string[];

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole(["exa-filter", "afa-assurance", "market-validator"]);
  console = opened.console;
  ({ email, password } = console);
  further = await furtherPages(opened);
});

afterAll(() => opened?.close());

/** Returns pages with content that are not in the navigation. */
async function furtherPages({ world, token: as }: OpenedConsole): Promise<string[]> {
  const study = await askedStudy(opened);
  const { audiences } = (await (await world.ask("/v1/validator/audiences", { as })).json()) as AudienceList;
  return [
    "nothing-here",
    `validations/${study}`,
    "validations/new",
    "validations/audiences/new",
    `validations/compare?left=${study}`,
    `validations/audiences/${audiences[0]?.audience_id}`,
  ];
}

describe("the console in a browser", () => {
  for (const view of views) {
    // Light if wide and dark on a phone; the other two take as long again, and are visited with PAGES=all.
    const isUsual = (view.size === "wide") === (view.scheme === "light");
    const walked = test.skipIf(executable === undefined || !(isUsual || process.env.PAGES === "all"));
    walked(`shows every page ${view.size} and ${view.scheme}, with no barrier and no message`, async () => {
      await walkEveryPage(console, view, further);
    });
  }

  walk("loads less than 250 kB of program and styles for its first page", async () => {
    const { contents } = await bundleConsole("most");
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      const fetched = new Set<string>();
      page.on("request", (request) => {
        const [, name] = /\/console\/assets\/(.+)$/.exec(request.url()) ?? [];
        if (name !== undefined) fetched.add(name);
      });
      await enter(page, console);
      for (const encoding of ["br", "gzip"] as const) {
        const sizes = [...fetched].map((name) => contents.files[name]?.parts[encoding][1] ?? Number.NaN);
        const sum = sizes.reduce((total, size) => total + size, 0);
        expect(sum).toBeGreaterThan(50_000);
        expect(sum).toBeLessThan(250_000);
      }
    });
  });

  walk("requests everything from the server once, even what is requested before the program is loaded", async () => {
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, console);
      for (const path of ["", "runs", "capabilities", "usage"]) {
        const asked: string[] = [];
        const listen = (request: Request): void => {
          const { pathname, search } = new URL(request.url());
          if (/^\/(v1|auth)\//.test(pathname)) asked.push(pathname + search);
        };
        page.on("request", listen);
        await page.goto(`${console.base}/console/${path}`);
        await settled(page);
        await page.waitForLoadState("networkidle");
        page.off("request", listen);
        expect(asked.length).toBeGreaterThan(3);
        expect(asked.toSorted(), path).toEqual([...new Set(asked)].sort());
      }
    });
  });

  walk("leads from the catalogue and a price to a run, its marked claims and its verified receipt", async () => {
    const answer = "The limit of indemnity is 500 000 CZK. It covers floods without any deductible.";
    await visit(console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, console, "capabilities");
      await page.getByLabel("Search").fill("exa");
      await look(page, "console-catalogue-found-phone-light");
      await page.getByRole("link", { name: "EXA Filter" }).click();
      await page.getByRole("heading", { name: "EXA Filter", level: 1 }).waitFor();
      await page.goBack();
      await becomes(() => page.getByLabel("Search").inputValue(), "exa");
      expect(new URL(page.url()).search).toBe("?words=exa");
      await page.getByRole("link", { name: "EXA Filter" }).click();
      const price = page.getByRole("button", { name: "Show the price" });
      await price.click();
      await becomes(() => page.getByText("Required.").filter({ visible: true }).count(), 2);
      await look(page, "console-try-mistakes-phone-light");
      await page.getByLabel("Question").fill("What is the limit of indemnity?");
      await page.getByLabel("Answer").fill(answer);
      await page.getByRole("button", { name: "Add" }).click();
      await page.locator("#root_sources_0").fill("The limit of indemnity is 500 000 CZK for each insured event.");
      await price.click();
      await page.getByText("It costs no credits.").waitFor();
      await look(page, "console-try-price-phone-light");
      await page.getByRole("button", { name: "Run it" }).click();
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("The receipt is valid").waitFor();
      await becomes(
        () => page.locator("mark").allTextContents(),
        ["The limit of indemnity is 500 000 CZK.", "It covers floods without any deductible."],
      );
      await becomes(() => page.locator("mark.bad").count(), 1);
      await look(page, "console-run-phone-light");
      await page.getByRole("link", { name: "Run again" }).click();
      await becomes(() => page.getByLabel("Answer").inputValue(), answer);
    });
  });

  walk("marks findings in place, keeps filters in the address, and reports if nothing matches", async () => {
    await visit(console, { size: "wide", scheme: "dark", locale: "cs" }, async (page) => {
      await enter(page, console, "capabilities/afa-assurance");
      await page.getByRole("combobox", { name: "Kontrola" }).click();
      await page.getByRole("option", { name: "Právní předpisy" }).click();
      await page.getByRole("button", { name: "Vyplnit příklad" }).click();
      expect(await page.getByLabel("Odpověď").inputValue()).not.toBe("");
      await page.getByRole("button", { name: "Ukázat cenu" }).click();
      await page.getByRole("button", { name: "Spustit", exact: true }).click();
      await page.locator("mark").first().waitFor();
      await settled(page);
      await look(page, "console-findings-wide-dark-cs");
      await page.getByRole("link", { name: "Běhy", exact: true }).click();
      await page.getByRole("link", { name: "AFA Assurance" }).waitFor();
      await page.getByLabel("Stav").selectOption("failed");
      await page.getByText("Těmto filtrům žádný běh neodpovídá").waitFor();
      expect(new URL(page.url()).search).toBe("?status=failed");
      await look(page, "console-runs-none-wide-dark-cs");
    });
  });

  walk("reports before a price that a firm has no contract, or too few credits", async () => {
    const { world, console } = opened;
    const poor = { ...console, email: "ota@firma.test" };
    await world.ask("/auth/v1/signup", { body: { email: poor.email, password } });
    await visit(poor, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, poor, "capabilities/germany-market-intelligence");
      await page.getByText("This is sold under contract, and your firm has none for it.").waitFor();
      expect(await page.getByRole("button", { name: "Show the price" }).count()).toBe(0);
      await page.goto(`${poor.base}/console/capabilities/market-validator`);
      await page.getByRole("button", { name: "Fill in an example" }).click();
      await page.getByRole("button", { name: "Show the price" }).click();
      await page.getByText("That isn't enough for this run.").waitFor();
      expect(await page.getByRole("button", { name: "Run it" }).isDisabled()).toBe(true);
      await look(page, "console-price-lacks-phone-light");
    });
  });

  walk("does not call a claim supported unless it is OK", async () => {
    const { world, console, token: as } = opened;
    const example = {
      question: "What is covered?",
      answer: "Floods are covered.",
      sources: ["Floods are covered if the windows were closed."],
    };
    const run = await runIn(
      await world.ask("/v1/capabilities/exa-filter/runs", {
        ...{ as, body: { input: example }, headers: { "idempotency-key": crypto.randomUUID() } },
      }),
    );
    await world.idle();
    const { result } = await runIn(await world.ask(`/v1/runs/${run.id}`, { as }));
    expect(result).toMatchObject({ trust_state: "WARN", claims: [{ supported: true }] });
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, console, `runs/${run.id}`);
      await page.getByText("Partly supported", { exact: true }).waitFor();
      await page.getByText("Probably supported", { exact: true }).waitFor();
      expect(await page.locator("mark.uneasy").count()).toBe(1);
      await look(page, "console-run-doubted-wide-light");
    });
  });

  walk("opens a catalogue's try_url, and reports if it can't be run", async () => {
    await visit(console, { size: "wide", scheme: "light", locale: "de" }, async (page) => {
      await enter(page, console);
      await page.goto(`${console.base}/console#/capabilities/eu-market-data`);
      await page.reload();
      await page.getByRole("heading", { name: "EU Market Data", level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/console/capabilities/eu-market-data");
      await page.getByText("Zurzeit nicht ausführbar").waitFor();
      await page.getByText("Stand der importierten Datensätze; jede Zahl trägt ihren Zeitraum.").waitFor();
      await look(page, "console-capability-closed-wide-light-de");
    });
  });

  walk("reports an unknown page or object", async () => {
    const context = await contextOf(console.browser, { locale: "en" });
    const page = await context.newPage();
    await enter(page, console);
    for (const path of [
      ...["use-cases/none", "capabilities/none", "runs/none"],
      ...["approvals/none", "validations/none", "validations/audiences/none"],
    ]) {
      await page.goto(`${console.base}/console/${path}`);
      await page.getByRole("heading", { name: "Page not found", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Go to Home" }).waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    await context.close();
  });

  walk("asks a signed-out user to sign in, and returns to the same address", async () => {
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await page.goto(`${console.base}/console/nothing?tab=2`);
      expect(new URL(page.url()).pathname).toBe("/sign-in");
      await page.locator("#email").fill(email);
      await page.locator("#password").fill(password);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${console.base}/console/nothing?tab=2`);
    });
  });

  walk("can be used by keyboard: past the navigation, and through its menu", async () => {
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, console);
      await page.keyboard.press("Tab");
      await becomes(() => page.evaluate<string>("document.activeElement.className"), "skip");
      await page.keyboard.press("Enter");
      await becomes(() => page.evaluate<string>("document.activeElement.id"), "main");
      await page.getByRole("button", { name: email }).press("Enter");
      await hasFocus(page, page.getByRole("menu"));
      await page.keyboard.press("Escape");
      await becomes(
        () => page.evaluate<string>("document.activeElement.textContent"),
        `${email.slice(0, 1).toUpperCase()}${email}`,
      );
      await page.keyboard.press("Enter");
      await hasFocus(page, page.getByRole("menu"));
      await page.getByRole("menuitemradio", { name: "Deutsch" }).press("Enter");
      await page.getByRole("heading", { name: "Übersicht", level: 1 }).waitFor();
      await becomes(() => page.evaluate<string>("document.documentElement.lang"), "de");
      await page.getByRole("menuitemradio", { name: "Dunkel" }).press("Enter");
      await becomes(() => page.locator("html").getAttribute("data-mantine-color-scheme"), "dark");
      await look(page, "console-menu-wide-dark-de");
    });
  });

  walk("hides the navigation behind a button on a phone, for the keyboard too", async () => {
    await visit(console, { size: "phone", scheme: "dark" }, async (page) => {
      await enter(page, console);
      const link = page.getByRole("navigation").getByRole("link", { name: "Home" });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Open the navigation" }).click();
      await link.waitFor();
      await look(page, "console-navigation-phone-dark");
      await link.click();
      await link.waitFor({ state: "hidden" });
    });
  });

  walk("opens a dialog when the session has expired, and continues from the same place", async () => {
    const context = await contextOf(console.browser, { locale: "cs", reducedMotion: "reduce" });
    const page = await context.newPage();
    const heard = messagesOf(page);
    await page.clock.install();
    await enter(page, console);
    await context.clearCookies();
    // Older data are reloaded when the user returns to the tab.
    await page.clock.fastForward("01:00");
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    const dialog = page.getByRole("dialog", { name: "Vaše přihlášení skončilo" });
    await hasFocus(page, dialog);
    await look(page, "console-session-ended-cs");
    await becomes(() => dialog.getByLabel("E-mail").inputValue(), email);
    const typed = dialog.getByLabel("Heslo", { exact: true });
    await typed.fill("not the password");
    await typed.press("Enter");
    await dialog.getByText("E-mail nebo heslo nesouhlasí.").waitFor();
    await typed.fill(password);
    await typed.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Přehled", level: 1 }).waitFor();
    expect(heard.filter((message) => !/status of 401/.test(message))).toEqual([]);
    await context.close();
  });
});
