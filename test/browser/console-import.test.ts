import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { userByEmail } from "../../db/queries/firms.ts";
import { setOperator } from "../../src/accounts/admin/users.ts";
import { present } from "../../src/platform/assert.ts";
import { lines, pdfOf, scannedPdf } from "../support/corpus-files.ts";
import { DocumentPlace } from "../support/documents-world.ts";
import { becomes, executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, hasFocus, look, visit } from "./console-walk.ts";

setDefaultTimeout(600_000);

const walk = test.skipIf(executable === undefined);
const place = new DocumentPlace();
const files = mkdtempSync(join(tmpdir(), "assay-chosen-"));
let opened: OpenedConsole;

/** Writes a file to disk, for selection in the browser. */
function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}

/** Selects a value of a list by name. */
async function pick(form: Locator, field: string, option: string): Promise<void> {
  await form.getByRole("combobox", { name: field }).click();
  await form.page().getByRole("option", { name: option }).click();
}

/** Selects files to import, and enters their facts. */
async function choose(page: Page, chosen: string | string[]): Promise<void> {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Import documents" }) });
  await form.locator("input[type=file]").setInputFiles(chosen);
  await pick(form, "Country", "Czechia");
  await pick(form, "Kind", "Terms");
  await form.getByRole("combobox", { name: "Carrier" }).fill("Modrá");
  await form.getByRole("combobox", { name: "Product line" }).fill("household");
  await pick(form, "Provenance", "Published by the carrier");
}

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole(["insurance-assistant"], { installation: place.installation });
  const { world, console } = opened;
  const user = present(await userByEmail(world.store.read, console.email), "who signed up");
  await world.store.write((tx) => setOperator(tx, world.act, user, true));
});

afterAll(async () => {
  await opened?.close();
  place[Symbol.dispose]();
  rmSync(files, { recursive: true, force: true });
});

describe("an operator's documents in the console", () => {
  walk("are imported together, with the reason for unreadable ones, and answer a question", async () => {
    const text = [
      "Household insurance terms",
      "Article 7 Mowers",
      "The insurance covers robotic lawn mowers stolen from a fenced garden.",
      "The limit for a robotic lawn mower is 18 000 CZK for each insured event.",
    ];
    const chosen = [
      fileOf("mowers.pdf", await pdfOf([lines(text)], "Household insurance terms")),
      fileOf("scan.pdf", await scannedPdf(4)),
      fileOf("picture.png", "no document"),
    ];
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "documents");
      await page.getByText("No documents yet").first().waitFor();
      await look(page, "console-import-none-wide-light");
      await choose(page, chosen);
      await page.getByRole("button", { name: "Import documents" }).click();
      const list = page.getByRole("list", { name: "Imports" });
      const line = (file: string) => list.getByRole("listitem").filter({ hasText: file });
      await line("mowers.pdf").getByText("Imported").waitFor();
      await line("scan.pdf").getByText("Recognise the text (OCR)").waitFor();
      await line("picture.png").getByText("This file type isn't supported").waitFor();
      await page.getByText("All files are done.").waitFor();
      await page.getByRole("region", { name: "All documents" }).getByText("Household insurance terms").waitFor();
      await look(page, "console-import-done-wide-light");
      await page.getByLabel("Question").fill("Are robotic lawn mowers covered?");
      await page.getByRole("combobox", { name: "Country" }).first().click();
      await page.getByRole("option", { name: "Czechia" }).click();
      await page.getByRole("button", { name: "Ask" }).click();
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      const source = page.getByRole("listitem").filter({ hasText: "[1]" });
      expect(await source.first().textContent()).toContain("robotic lawn mowers stolen from a fenced garden");
    });
  });

  walk("show the progress of an upload, for assistive technology too", async () => {
    const path = fileOf("broken.pdf", new Uint8Array(2 ** 20).fill(37));
    await visit(opened.console, { size: "phone", scheme: "light" }, async (page, context) => {
      await enter(page, opened.console, "documents");
      await choose(page, path);
      const line = { offline: false, latency: 0, downloadThroughput: -1 };
      const network = await context.newCDPSession(page);
      // Slow enough that the upload takes minutes and its progress can be checked; the rest is then sent at full speed.
      await network.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: 10_000 });
      await page.getByRole("button", { name: "Import documents" }).click();
      const sent = page.getByRole("listitem").filter({ hasText: "broken.pdf" });
      const bar = sent.getByRole("progressbar", { name: "Uploading" });
      await sent.getByText(/^[1-9]\d?% of 1 MB sent$/).waitFor();
      const told = Number(await bar.getAttribute("aria-valuenow"));
      expect(told).toBeGreaterThan(0);
      expect(told).toBeLessThan(100);
      await look(page, "console-import-sending-phone-light");
      await network.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });
      await sent.getByText("Refused").waitFor();
    });
  });

  walk("are selected and removed by keyboard on a phone, in the reader's language", async () => {
    const front = "---\nmarket: CZ\nprovenance: legal_note\n---\n";
    const path = fileOf("zakon.md", `${front}# Zákon o pojištění\n\n§ 1 Pojištění odpovědnosti je povinné.`);
    await visit(opened.console, { size: "phone", scheme: "dark", locale: "cs" }, async (page) => {
      await enter(page, opened.console, "documents");
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Soubory" }).focus();
      await page.keyboard.press("Enter");
      await (await chooser).setFiles(path);
      const send = page.getByRole("button", { name: "Nahrát dokumenty" });
      await becomes(() => send.isEnabled(), true);
      await send.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("listitem").filter({ hasText: "zakon.md" }).getByText("Nahráno").waitFor();
      await look(page, "console-import-done-phone-dark");
      await page.getByRole("button", { name: "Odebrat Zákon o pojištění" }).focus();
      await page.keyboard.press("Enter");
      await hasFocus(page, page.getByRole("dialog"));
      await page.getByRole("dialog").getByRole("button", { name: "Odebrat" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Odebrat Zákon o pojištění" }).waitFor({ state: "detached" });
    });
  });

  walk("are imported with the reference's example unchanged, and with its form", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console);
      await page.goto(`${opened.console.base}/docs/reference/setOperatorGate`);
      const example = await page.locator(".code code").first().textContent();
      page.on("dialog", (asked) => asked.accept("platform"));
      const told = page.waitForEvent("console");
      await page.evaluate(`(async () => { ${example} })()`);
      expect((await told).text()).toStartWith("200");
      await page.goto(`${opened.console.base}/docs/api/listOperatorGates`);
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("status").filter({ hasText: "200" }).waitFor();
      await look(page, "docs-operator-wide-light");
    });
  });

  walk("can be imported by no one else", async () => {
    const { world } = opened;
    const email = "ada@firma.test";
    await world.ask("/auth/v1/signup", { body: { email, password: opened.console.password } });
    await visit(opened.console, { size: "wide", scheme: "dark" }, async (page) => {
      await enter(page, { ...opened.console, email }, "documents");
      await page.getByRole("region", { name: "Coverage by market" }).waitFor();
      expect(await page.getByRole("button", { name: "Import documents" }).count()).toBe(0);
    });
  });
});
