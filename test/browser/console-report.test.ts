import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { runIn } from "../support/harness.ts";
import { pack, packInput, packServices } from "../support/pack-world.ts";
import { executable } from "./chromium.ts";
import { type OpenedConsole, openConsole } from "./console-server.ts";
import { enter, look, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);
let opened: OpenedConsole;

beforeAll(async () => {
  if (executable === undefined) return;
  const gates = ["company-intelligence", "eu-market-data", "market-validator", pack];
  // Without a universe there are no targets, and so no approval.
  opened = await openConsole(gates, { stepEngines, services: await packServices([]) });
});

afterAll(() => opened?.close());

describe("the page of a run that wrote a report", () => {
  for (const size of ["wide", "phone"] as const)
    walk(`shows the report formatted, and each step's result on request, ${size}`, async () => {
      const { world, token, console } = opened;
      const started = await world.ask(`/v1/use-cases/${pack}/runs`, {
        as: token,
        body: { input: packInput },
        headers: { "idempotency-key": crypto.randomUUID() },
      });
      const { id } = await runIn(started);
      await world.untilAfterPauses(
        async () => (await runIn(await world.ask(`/v1/runs/${id}`, { as: token }))).finished_at !== null,
        "the pack ends",
      );
      await visit(console, { size, scheme: "light" }, async (page) => {
        await enter(page, console, `runs/${id}`);
        await page.getByRole("heading", { name: "How the candidate markets compare" }).waitFor();
        const main = page.getByRole("main");
        const table = page.getByRole("table", { name: "Points out of 100" });
        expect(await table.getByRole("row").allTextContents()).toEqual([
          expect.stringMatching(/^Germany[\d.]+$/),
          expect.stringMatching(/^Austria[\d.]+$/),
          expect.stringMatching(/^Czechia[\d.]+$/),
        ]);
        expect(await page.getByRole("button", { name: "Proposition test on 50 personas" }).count()).toBe(0);
        await page.getByText(packInput.product_category, { exact: true }).waitFor();
        await look(page, `console-report-${size}-light`);
        await page.getByRole("button", { name: "What each step delivered" }).click();
        for (const title of ["Company profile", "Candidate markets", "Market structure", "Ten qualified targets"])
          await page.getByRole("button", { name: title, exact: true }).click();
        await page.getByRole("button", { name: "Proposition test on 50 personas" }).click();
        await page.getByRole("heading", { name: "Segments" }).waitFor();
        expect(await main.textContent()).not.toContain("<svg");
        expect(await main.textContent()).not.toMatch(/undefined|NaN|\[object/);
        await look(page, `console-report-steps-${size}-light`);
      });
    });
});
