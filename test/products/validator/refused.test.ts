import { describe, expect, test } from "bun:test";
import { refusal } from "../../support/harness.ts";
import { callTool } from "../../support/mcp-world.ts";
import { audienceOf, bicycles, validatorWorld } from "../../support/validator-world.ts";

describe("an incomprehensible hypothesis", () => {
  for (const hypothesis of ["xxxxxxxxxxxxxxxxx", "1234567890", "Lorem ipsum dolor sit amet"])
    test(`is refused before anything is reserved: ${hypothesis}`, async () => {
      await using world = await validatorWorld();
      const firm = await world.firm();
      const audience_id = await audienceOf(world, firm);
      const { error } = await callTool(world, firm.key, "run_validation", { hypothesis, audience_id });
      expect(error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/hypothesis" }] });
      const input = { hypothesis, market: "DE" };
      expect(await refusal(await world.start(firm, { slug: "market-validator", input }))).toEqual([
        422,
        "validation_error",
      ]);
      expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    });
});

describe("a quote of Validate Before Shipping", () => {
  const slug = "validate-before-shipping";
  const wrong: readonly (readonly [input: object, path: string])[] = [
    [{ hypothesis: bicycles, market: "Japan" }, "market"],
    [{ hypothesis: "xxxxxxxxxxxxxxxxx", market: "DE" }, "hypothesis"],
  ];
  for (const [input, member] of wrong)
    test(`at /mcp refuses whatever a run would refuse: ${member}`, async () => {
      await using world = await validatorWorld();
      const firm = await world.firm();
      const detail = { path: `/arguments/input/${member}` };
      for (const tool of ["quote_use_case", "run_use_case"]) {
        const { error } = await callTool(world, firm.key, tool, { slug, input });
        expect(error).toMatchObject({ code: "validation_error", details: [detail] });
      }
      // Over REST there is no caller: the specification has a price for any input that matches the schema.
      const quoted = await world.ask(`/v1/use-cases/${slug}/quote`, { method: "POST", body: { input } });
      expect(quoted.status).toBe(200);
    });

  test("checks the audience for an authenticated caller, and not for an anonymous one", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = "01980c5e-7a10-7c3d-9b41-2f6d8e0a1b2c";
    const input = { hypothesis: bicycles, market: "CZ", audience_id };
    expect((await callTool(world, firm.key, "quote_use_case", { slug, input })).error.code).toBe("not_found");
    const quoted = await world.ask(`/v1/use-cases/${slug}/quote`, { method: "POST", body: { input } });
    expect(quoted.status).toBe(200);
  });
});
