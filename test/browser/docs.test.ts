import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { minute } from "../../src/platform/clock.ts";
import type { DocSummary } from "../../src/surfaces/docs/schema.ts";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { type ClientWorld, openClientWorld } from "../support/client-world.ts";
import { barriers, becomes, complaints, contextOf, executable, launch, picture } from "./chromium.ts";

setDefaultTimeout(10 * minute);
const walk = test.skipIf(executable === undefined);
const walkAll = test.skipIf(executable === undefined || process.env.PAGES !== "all");

let browser: Browser;
let served: ClientWorld;
let base: string;
let guides: string[];
let operations: string[];

beforeAll(async () => {
  if (executable === undefined) return;
  served = await openClientWorld();
  base = served.baseUrl;
  const pages = (await (await fetch(`${base}/v1/docs`)).json()) as DocSummary[];
  const { paths } = (await (await fetch(`${base}/openapi-public.json`)).json()) as OpenApi;
  guides = pages.map(({ slug }) => `/docs/${slug}`);
  operations = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

async function open(options: Parameters<Browser["newContext"]>[0], visit: (page: Page) => Promise<void>) {
  const context = await contextOf(browser, { locale: "en", ...options });
  const page = await context.newPage();
  const heard = complaints(page);
  await visit(page);
  expect(heard).toEqual([]);
  await context.close();
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Visits pages, each of which must have no accessibility violations, no errors and no horizontal overflow. */
async function walkThrough(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(base + path);
    expect({ path, found: await barriers(page) }).toEqual({ path, found: [] });
    const [content = 0, window = 0] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect({ path, sticksOut: content > window }).toEqual({ path, sticksOut: false });
  }
}

describe("the documentation", () => {
  const home = ["/docs", "/docs/reference", "/docs/api", "/docs/search?q=receipt", "/docs/search?q=zzzzqqq"];
  /** One page of each kind, covering every form of content. */
  const kinds = ["quickstart", "engines", "settings", "reverse-proxies", "exa-filter", "eu-market-snapshot", "errors"];
  const examples = ["createCapabilityRun", "getRun", "oauthToken", "getRunReceipt", "composeSolutionStream"];
  const schemes = ["light", "dark"] as const;

  for (const colorScheme of schemes)
    walk(`is accessible in the ${colorScheme} scheme, and on a phone`, async () => {
      const shown = examples.filter((id) => operations.includes(id));
      const paths = [
        ...home,
        ...kinds.map((slug) => `/docs/${slug}`),
        ...shown.flatMap((id) => [`/docs/reference/${id}`, `/docs/api/${id}`]),
      ];
      await open({ colorScheme }, (page) => walkThrough(page, paths));
      await open({ ...phone, colorScheme }, (page) =>
        walkThrough(page, [...home, "/docs/engines", "/docs/api/getRun"]),
      );
    });

  // A few hundred similar pages, which take minutes: one page of each kind is always visited above.
  walkAll("has no accessibility violation on any page, in one of the schemes", async () => {
    const all = [...guides, ...operations.flatMap((id) => [`/docs/reference/${id}`, `/docs/api/${id}`])];
    for (const [i, colorScheme] of schemes.entries())
      await open({ colorScheme }, (page) =>
        walkThrough(
          page,
          all.filter((_, at) => at % schemes.length === i),
        ),
      );
  });
});

describe("a reader", () => {
  walk("chooses a language once, and gets it on the next page too", async () => {
    await open({}, async (page) => {
      await page.goto(`${base}/docs/quickstart`);
      await page.getByRole("tab", { name: "Python" }).first().click();
      await becomes(() => page.getByRole("tab", { name: "Python", selected: true }).count(), 4);
      await page.getByText("import json, os, urllib.request").waitFor();
      await picture(page, "docs-quickstart");
      await page.goto(`${base}/docs/exa-filter`);
      await page.getByRole("tab", { name: "Python", selected: true }).waitFor();
      await page.getByRole("tab", { name: "Python" }).press("ArrowLeft");
      await becomes(() => page.evaluate<string>("document.activeElement.textContent"), "TypeScript");
    });
  });

  walk("copies an example unchanged", async () => {
    await open({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await page.goto(`${base}/docs/quickstart`);
      await page.getByRole("button", { name: "Copy" }).first().click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
        `export ASSAY=http://assay.test\nexport KEY=assay_sk_…`,
      );
    });
  });

  walk("searches while typing, using only the keyboard", async () => {
    await open({}, async (page) => {
      await page.goto(`${base}/docs`);
      await page.keyboard.press("/");
      await page.keyboard.type("idempotency");
      await page.locator('.panel li:first-child a[href$="/docs/idempotency"]').waitFor();
      await picture(page, "docs-search");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${base}/docs/idempotency`);
      await page.keyboard.press("/");
      await page.keyboard.type("receipts");
      await page.locator(".panel a").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".panel").waitFor({ state: "hidden" });
      await page.keyboard.press("Enter");
      await page.waitForURL(`${base}/docs/search?q=receipts`);
    });
  });

  walk("skips to the content, and opens and closes the menu on a phone", async () => {
    await open(phone, async (page) => {
      await page.goto(`${base}/docs/runs`);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await becomes(() => page.evaluate<string>("document.activeElement.id"), "content");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      await picture(page, "docs-menu-phone");
      await page.keyboard.press("Escape");
      await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "hidden" });
    });
  });

  walk("needs no script: examples are shown below each other, and the search is a form", async () => {
    await open({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${base}/docs/quickstart`);
      expect(await page.locator(".tabs .code").filter({ visible: true }).count()).toBe(12);
      await page.getByRole("searchbox").fill("receipt");
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(`${base}/docs/search?q=receipt`);
      await page.getByRole("link", { name: "Receipts" }).first().click();
      await page.waitForURL(`${base}/docs/receipts`);
    });
  });

  walk("follows an address of the former interactive reference", async () => {
    await open({}, async (page) => {
      await page.goto(`${base}/docs#/Runs/getRun`);
      await page.waitForURL(`${base}/docs/api/getRun`);
    });
  });

  walk("runs a capability from the page, and reads the result", async () => {
    await open({ colorScheme: "dark" }, async (page) => {
      await page.goto(`${base}/docs/api/createCapabilityRun`);
      await page.getByLabel("Credential").fill(served.firm.key);
      await page.getByLabel("slug").fill("exa-filter");
      const input = { question: "What is the limit?", answer: "It is 500.", sources: ["The limit is 500."] };
      await page.getByLabel("Body").fill(JSON.stringify({ input }));
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").filter({ hasText: "202" }).waitFor();
      await page.locator("#answer code").filter({ hasText: '"capability": "exa-filter"' }).waitFor();
      await picture(page, "docs-try-it-dark");
      await page.goto(`${base}/docs/api/listRuns`);
      await page.getByLabel("Credential").fill("assay_sk_wrong");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").filter({ hasText: "401" }).waitFor();
      await page.locator("#answer code").filter({ hasText: "invalid_api_key" }).waitFor();
    });
  });
});
