import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { receiptWordsIn } from "../../src/surfaces/receipts/words.ts";
import { World } from "../support/harness.ts";
import { becomes, complaints, contextOf, executable, launch, picture, pictures } from "./chromium.ts";

const walk = test.skipIf(executable === undefined);
const { cs, de, en } = receiptWordsIn;

let browser: Browser;
let world: World;
let other: World;
let server: ReturnType<typeof Bun.serve>;
let base: string;
let receipt: string;
let run: string;
let firm: string;
/** Requests to the server, with their bodies. */
const asked: string[] = [];

/** Returns the receipt of a finished run. */
async function receiptOf(made: World): Promise<{ receipt: string; run: string; firm: string }> {
  const owner = await made.firm();
  const { id } = await made.settled(owner);
  const answer = await made.ask(`/v1/runs/${id}/receipt`, { as: owner.key });
  return { receipt: await answer.text(), run: id, firm: owner.id };
}

beforeAll(async () => {
  if (executable === undefined) return;
  [world, other] = [await World.open(), await World.open(undefined, { masterKey: new Uint8Array(32).fill(9) })];
  ({ receipt, run, firm } = await receiptOf(world));
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      asked.push(`${request.method} ${request.url} ${await request.clone().text()}`);
      return world.app.fetch(request);
    },
  });
  base = `http://127.0.0.1:${server.port}`;
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop(true);
  await world?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

async function open(options: Parameters<Browser["newContext"]>[0], visit: (page: Page) => Promise<void>) {
  const context = await contextOf(browser, options);
  const page = await context.newPage();
  const heard = complaints(page);
  await page.goto(`${base}/receipts/check`);
  await visit(page);
  expect(heard).toEqual([]);
  await context.close();
}

const outcome = (page: Page) => page.locator("#outcome");

/** Pastes a text, checks it, and waits for the message. */
async function says(page: Page, text: string, words: string): Promise<void> {
  await page.locator("#receipt").fill(text);
  await page.locator("#receipt + .hint").waitFor();
  await page.locator("button.primary").click();
  await outcome(page).getByText(words).waitFor();
}

/** Returns the receipt with a different charge under the same signature. */
function cheaper(): string {
  const [head, body = "", signature] = receipt.split(".");
  const statement = JSON.parse(Buffer.from(body, "base64url").toString());
  statement.charges.charged_credits = 1;
  return [head, Buffer.from(JSON.stringify(statement)).toString("base64url"), signature].join(".");
}

/** Returns the receipt with a different header under the same signature. */
function withHeader(change: Readonly<Record<string, unknown>>): string {
  const [head = "", ...rest] = receipt.split(".");
  const header = { ...JSON.parse(Buffer.from(head, "base64url").toString()), ...change };
  return [Buffer.from(JSON.stringify(header)).toString("base64url"), ...rest].join(".");
}

describe("the page for verifying receipts", () => {
  walk("states what a genuine one proves, and sends none of it", async () => {
    await open({ locale: "en", colorScheme: "light" }, async (page) => {
      await picture(page, "receipt-empty");
      asked.length = 0;
      await says(page, receipt, en.genuine);
      const text = (await outcome(page).textContent()) ?? "";
      for (const part of [run, firm, "echo", "succeeded", "of at most 500 credits"]) expect(text).toContain(part);
      expect(text).toContain(JSON.parse(Buffer.from(receipt.split(".")[0] ?? "", "base64url").toString()).kid);
      await picture(page, "receipt-genuine");
      expect(asked).toEqual([`GET ${base}/.well-known/jwks.json `]);
    });
  });

  walk("accepts one wrapped over lines, in quotes, and as a file from the terminal", async () => {
    await open({ locale: "cs", colorScheme: "dark", viewport: { width: 360, height: 740 } }, async (page) => {
      await says(page, `"${receipt.replace(/(.{76})/g, "$1\n")}"\n`, cs.genuine);
      await picture(page, "receipt-genuine-phone-dark-cs");
      await page.reload();
      const file = join(pictures, "receipt.jws");
      writeFileSync(file, `${receipt}\n`);
      await page.locator("#file").setInputFiles(file);
      await outcome(page).getByText(cs.genuine).waitFor();
    });
  });

  walk("accepts a file dropped anywhere", async () => {
    await open({ locale: "en" }, async (page) => {
      const transfer = await page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(receipt)}], "receipt.jws")); return data; })()`,
      );
      await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
      await outcome(page).getByText(en.genuine).waitFor();
    });
  });

  walk("states what is wrong with an invalid one, and shows none of it as proved", async () => {
    const foreign = (await receiptOf(other)).receipt;
    const [, body = ""] = receipt.split(".");
    const cases: readonly (readonly [text: string, words: string])[] = [
      ["", en.nothing],
      ["no receipt at all", en.not_receipt],
      ["a.b", en.not_receipt],
      ["{}", en.other_json],
      ['{"a": 1', en.not_receipt],
      [Buffer.from(body, "base64url").toString(), en.unsigned],
      [cheaper(), en.changed],
      [`${receipt.slice(0, -4)}AAAA`, en.changed],
      [foreign, "comes from another installation"],
      [withHeader({ typ: "at+jwt" }), en.other_type.replace("{type}", "at+jwt")],
      [withHeader({ alg: "none" }), en.bad_header],
      [`x${receipt}`, en.bad_header],
    ];
    await open({ locale: "en", colorScheme: "dark" }, async (page) => {
      for (const [text, words] of cases) {
        await says(page, text, words);
        expect({ words, shown: await page.locator("#outcome dd").count() }).toEqual({ words, shown: 0 });
        expect(await page.locator("#outcome details").isVisible()).toBe(false);
      }
      await picture(page, "receipt-wrong-dark");
    });
    await open({ locale: "de", colorScheme: "light" }, async (page) => {
      await says(page, cheaper(), de.changed);
      await picture(page, "receipt-changed-de");
    });
  });

  walk("can be used by keyboard alone", async () => {
    await open({ locale: "en" }, async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.insertText(receipt);
      for (let i = 0; i < 2; i++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await outcome(page).getByText(en.genuine).waitFor();
      await becomes(() => page.evaluate<string>("document.activeElement.id"), "outcome");
    });
  });
});

test("the page has a strict policy, and is sent again only if it has changed", async () => {
  await using alone = await World.open();
  const first = await alone.ask("/receipts/check", { headers: { "accept-language": "de" } });
  const html = await first.text();
  expect(html).toContain('lang="de"');
  expect(html.match(/<script(?![^>]* src=)|\son\w+=|style=/)).toBeNull();
  expect(first.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  const etag = first.headers.get("etag") ?? "";
  const again = { headers: { "accept-language": "de", "if-none-match": etag } };
  expect((await alone.ask("/receipts/check", again)).status).toBe(304);
  expect((await alone.ask("/receipts/check", { headers: { "if-none-match": etag } })).status).toBe(200);
  const [, script = ""] = /src="\.\.\/([^"]+check\.js)"/.exec(html) ?? [];
  expect((await alone.ask(`/${script}`)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await alone.ask("/receipts/assets/other/check.js")).status).toBe(404);
});
