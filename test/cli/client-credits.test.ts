import { expect, test } from "bun:test";
import { assay, Installation } from "../support/operator.ts";

test("a run refused for lack of credits exits with 4, with or without --wait, and without a hint to watch it", async () => {
  await using place = new Installation();
  const { api_key } = await place.init("--gates", "all");
  const { url } = await place.serve();
  const env = { ASSAY_BASE_URL: url, ASSAY_API_KEY: api_key.secret };
  const input = [
    "--set",
    "market=CZ",
    "--set",
    "hypothesis=Households would pay for a monthly check of their policies.",
  ];
  for (const flag of [[], ["--wait"], ["--json"]]) {
    const { code, err } = await assay(["run", "validate-before-shipping", ...input, ...flag], env);
    expect([flag, code, err]).toEqual([flag, 4, expect.stringContaining("(insufficient_credits)")]);
    expect(err).not.toContain("runs watch");
  }
}, 600_000);
