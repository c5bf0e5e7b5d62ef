import { expect } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser on this machine, or undefined, in which case the browser tests are skipped. */
export const executable: string | undefined =
  names.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;

/** The folder for the screenshots. */
export const pictures = join(tmpdir(), "assay-pictures");
mkdirSync(pictures, { recursive: true });

const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const flags = [...quiet, "--disable-component-update", "--disable-sync", "--no-proxy-server"];

/** Timeout in milliseconds, long enough for a busy machine. */
const patienceMs = 120_000;

/** Starts a headless browser. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    headless: true,
    timeout: patienceMs,
    chromiumSandbox: false,
    args: flags,
    ...(executable && { executablePath: executable }),
  });

/** Opens a context with separate cookies and storage, and the timeout. */
export async function contextOf(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0],
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

/** Waits until a value is as expected, because a page shows an action's result with a delay. */
export async function becomes<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const giveUp = performance.now() + patienceMs;
  let seen = await read();
  while (!Bun.deepEquals(seen, wanted) && performance.now() < giveUp) seen = await read();
  expect<unknown>(seen).toEqual(wanted);
}

/** Collects the page's errors, except for refused requests, which browsers also report and which may be intended. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/^Failed to load resource: .* (401|422)/.test(message.text()))
      heard.push(message.text());
  });
  return heard;
}

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const rules = '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]';

/** Returns the accessibility violations on the page in its present state, as rules and elements. */
export async function barriers(page: Page): Promise<string[]> {
  const run = `axe.run({ runOnly: ${rules} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`;
  return page.evaluate<string[]>(`(() => { ${axe}; return ${run}; })()`);
}

/** Takes a screenshot of the whole page, which must have no accessibility violations and no horizontal overflow. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  const found = await barriers(page);
  if (found.length > 0) throw new Error(`${name}: ${found.join("\n")}`);
  const [content = 0, window = 0] = await page.evaluate<number[]>("[document.documentElement.scrollWidth, innerWidth]");
  if (content > window) throw new Error(`${name}: the page is ${content} wide in a window of ${window}`);
}
