import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable === undefined) return;
  opened = await openConsole(["exa-filter", "validate-before-shipping"]);
  const body = { input: { question: "What is covered?", answer: "Floods are.", sources: ["Floods are covered."] } };
  const headers = { "idempotency-key": crypto.randomUUID() };
  await opened.world.ask("/v1/capabilities/exa-filter/runs", { as: opened.token, body, headers });
  await opened.world.idle();
});

afterAll(() => opened?.close());

/** Returns how much wider the contents of each of the page's tables are than its visible part. */
const cut = `[...document.querySelectorAll(".scroller")]
  .map((one) => [one.getAttribute("aria-label"), one.scrollWidth - one.clientWidth])
  .filter(([, width]) => width > 0)`;

describe("the content of a page", () => {
  for (const locale of ["en", "cs", "de"])
    walk(`is fully visible on a phone: the usage figures, ${locale}`, async () => {
      await visit(opened.console, { size: "phone", scheme: "light", locale }, async (page) => {
        await enter(page, opened.console, "usage");
        await page.locator(".rows[data-paired] td.end:visible").first().waitFor();
        await settled(page);
        expect(await page.evaluate<unknown>(cut)).toEqual([]);
        await look(page, `console-usage-phone-light-${locale}`);
      });
    });

  walk("is not wider than the window for a capability with many requirements", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "capabilities/distribution-intelligence");
      await look(page, "console-needs-wide-light");
    });
  });
});
