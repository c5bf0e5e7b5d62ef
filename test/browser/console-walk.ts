import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { barriers, becomes, contextOf, pictures } from "./chromium.ts";

/** A server with its console, and a person who can sign in. */
export interface Console {
  readonly browser: Browser;
  /** The installation's address, without a trailing slash. */
  readonly base: string;
  readonly email: string;
  readonly password: string;
}

/** The folder for screenshots: the configured one, or that of the other browser tests. */
const folder = process.env.CONSOLE_PICTURES ?? pictures;
mkdirSync(folder, { recursive: true });

const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
/** Wide and on a phone, light and dark. */
export const views = (["wide", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((scheme) => ({ size, scheme })),
);

/** Collects errors and warnings, of the page and of the browser. */
export function messagesOf(page: Page): string[] {
  const heard: string[] = [];
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") heard.push(message.text());
  });
  return heard;
}

/** Signs in with the sign-in page's form, and opens a page of the console. */
export async function enter(page: Page, { base, email, password }: Console, path = ""): Promise<void> {
  await page.goto(`${base}/sign-in?redirect_to=${encodeURIComponent(`${base}/console/${path}`)}`);
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await page.locator("form[data-form=sign-in] button[type=submit]").click();
  await page.waitForURL(`${base}/console/${path}`);
  await settled(page);
}

/** Waits until an overlay has taken the focus, which happens with a delay and would take it from other elements. */
export async function hasFocus(page: Page, opened: Locator): Promise<void> {
  await opened.locator(":focus").waitFor({ state: "attached" });
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Waits until a page shows its title and no part of it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.evaluate("document.fonts.ready");
}

/** Takes a screenshot, which must have no accessibility violations and no horizontal overflow. */
export async function look(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  expect(await barriers(page), name).toEqual([]);
  const [content = 0, window = 0] = await page.evaluate<number[]>("[document.documentElement.scrollWidth, innerWidth]");
  expect(content, `${name}: wider than its window`).toBeLessThanOrEqual(window);
}

/**
 * Opens the console in one size and colour scheme, and closes it after the visit. No errors or warnings are allowed.
 */
export async function visit(
  console: Console,
  view: { size: keyof typeof sizes; scheme: "light" | "dark"; locale?: string },
  walk: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const phone = view.size === "phone" && { hasTouch: true, isMobile: true };
  const context = await contextOf(console.browser, {
    viewport: sizes[view.size],
    colorScheme: view.scheme,
    reducedMotion: "reduce",
    locale: view.locale ?? "en",
    ...phone,
  });
  const page = await context.newPage();
  const heard = messagesOf(page);
  await walk(page, context);
  expect(heard).toEqual([]);
  await context.close();
}

/**
 * Visits every page of the navigation in one view, and the pages in `more` (paths below `/console`, such as `runs/…`).
 * Each must have a title, no accessibility violations and no errors or warnings, and gets a screenshot.
 */
export async function walkEveryPage(
  console: Console,
  { size, scheme }: (typeof views)[number],
  more: readonly string[] = [],
): Promise<void> {
  await visit(console, { size, scheme }, async (page) => {
    await enter(page, console);
    const links = await page.locator("nav a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const paths = links.map((href) => (href ?? "").replace(/^.*\/console\/?/, ""));
    for (const path of [...new Set([...paths, ...more])]) {
      await page.goto(`${console.base}/console/${path}`);
      await settled(page);
      await becomes(async () => /\S · Assay$/.test(await page.title()), true);
      await look(page, `console-${path.replaceAll("/", "-") || "home"}-${size}-${scheme}`);
    }
  });
}
