import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import weights from "../../src/knowledge/faithfulness/read-weights.json" with { type: "json" };

const engines = readFileSync(join(import.meta.dir, "../../docs/engines.md"), "utf8");
const written = (threshold: number): string => String(threshold).replace(/^0/, "");

test("the page on the engines states the reader's current thresholds", () => {
  const { whole, parts } = weights.scopes;
  expect(engines).toContain(`its probability is at least ${written(whole.ok_from)}.`);
  expect(engines).toContain(`OK starts at ${written(whole.ok_from)} now`);
  expect(engines).toContain(`if the answer's score is below ${written(whole.fail_below)}.`);
  expect([parts.ok_from, parts.fail_below]).toEqual([whole.ok_from, 0]);
});
