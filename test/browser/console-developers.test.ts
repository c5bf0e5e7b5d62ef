import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../blackbox/server.ts";
import { run } from "../clients/tools.ts";
import { executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
const folder = temporaryFolder("snippets");
/** The programs that run each language's first call, if installed. */
const runners: Readonly<Record<string, readonly string[]>> = {
  curl: ["bash", "-euo", "pipefail"],
  TypeScript: [process.execPath],
  Python: ["python3"],
};
const needs: Readonly<Record<string, string>> = { curl: "curl", Python: "python3" };
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable !== undefined) opened = await openConsole(["exa-filter"]);
});

afterAll(async () => {
  folder.dispose();
  await opened?.close();
});

/** Creates a key for starting and reading runs, and returns its secret. */
async function newKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Start and read runs" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  return (await page.getByRole("region", { name }).textContent()) ?? "";
}

/** Returns the page's first call in a language. */
async function snippet(page: Page, language: string): Promise<string> {
  await page.getByRole("tab", { name: language, exact: true }).click();
  return (await page.getByRole("region", { name: language, exact: true }).textContent()) ?? "";
}

describe("the developers' page", () => {
  walk("has a first call in each language that runs unchanged", async () => {
    const { world, console } = opened;
    await visit(console, { size: "phone", scheme: "dark" }, async (page) => {
      await enter(page, console, "developers");
      const ASSAY_API_KEY = await newKey(page, "First call");
      for (const [language, command] of Object.entries(runners)) {
        if (Bun.which(needs[language] ?? "bash") === null) continue;
        const file = join(folder.path, `${language}.ts`);
        writeFileSync(file, await snippet(page, language));
        const { code, output } = await run([...command, file], folder.path, { ASSAY_API_KEY });
        expect({ language, code, output }).toMatchObject({ code: 0 });
        expect(output).toContain(language === "curl" ? "exa-filter" : "succeeded");
      }
      await world.idle();
      await look(page, "console-developers-phone-dark");
    });
  });

  walk("shows an address for MCP clients that asks them to sign in", async () => {
    const { console } = opened;
    await visit(console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, console, "developers");
      expect(await snippet(page, "Claude Code")).toEndWith(`${console.base}/mcp`);
      const { mcpServers } = JSON.parse(await snippet(page, "MCP")) as { mcpServers: { assay: { url: string } } };
      const answer = await fetch(mcpServers.assay.url, { method: "POST", body: "{}" });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining("resource_metadata"),
      ]);
    });
  });

  walk("shows revoked keys only on request", async () => {
    const { console } = opened;
    await visit(console, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, console, "developers");
      await newKey(page, "For a day");
      await page.getByRole("button", { name: "Revoke For a day" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      const key = page.getByRole("cell", { name: /^For a day/ });
      await key.waitFor({ state: "detached" });
      await page.getByRole("switch", { name: "Show expired and revoked" }).press("Space");
      await key.waitFor();
      await page.getByRole("cell", { name: "revoked", exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Revoke For a day" }).count()).toBe(0);
      await settled(page);
      await look(page, "console-keys-ended-phone-light");
    });
  });
});
