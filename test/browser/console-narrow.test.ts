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

/** How much wider the contents of each of the page's tables are than what is seen of them. */
const cut = `[...document.querySelectorAll(".scroller")]
  .map((one) => [one.getAttribute("aria-label"), one.scrollWidth - one.clientWidth])
  .filter(([, width]) => width > 0)`;

describe("what stands on a page", () => {
  for (const locale of ["en", "cs", "de"])
    walk(`is seen whole on a phone: the figures of what was used, ${locale}`, async () => {
      await visit(opened.console, { size: "phone", scheme: "light", locale }, async (page) => {
        await enter(page, opened.console, "usage");
        await page.locator(".rows[data-paired] td.end:visible").first().waitFor();
        await settled(page);
        expect(await page.evaluate<unknown>(cut)).toEqual([]);
        await look(page, `console-usage-phone-light-${locale}`);
      });
    });

  walk("is no wider than the window where a capability needs much", async () => {
    await visit(opened.console, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, opened.console, "capabilities/distribution-intelligence");
      await look(page, "console-needs-wide-light");
    });
  });
});
