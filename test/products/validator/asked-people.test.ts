import { describe, expect, test } from "bun:test";
import type { Persona } from "../../../src/products/validator/persona.ts";
import { callTool } from "../../support/mcp-world.ts";
import {
  audienceOf,
  bicycles,
  expectSoundStudies,
  ordered,
  resultOf,
  validatorWorld,
} from "../../support/validator-world.ts";

describe("a validation", () => {
  const funeral =
    "Seniors in Germany would buy funeral insurance for 10 EUR a month in an app, since burials are expensive.";

  test("reports everywhere that none of the people asked is one whom the hypothesis is about", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 5, {
      description: "Young people, 18 to 34, who ski",
      market: "DE",
    });
    const id = await ordered(world, firm, { hypothesis: funeral, audience_id });
    await world.idle();
    const { report, confidence, summary } = await resultOf(world, firm, id);
    expect(report?.market).toMatchObject({ described: ["ages 18-34", "young", "old"], left_out: ["old"] });
    const [nobody = "", unused = ""] = report?.notes ?? [];
    expect([nobody, unused]).toEqual([expect.stringContaining("55 years and over"), expect.stringContaining('"ski"')]);
    expect(summary).toContain("no one who was asked fits");
    expect(confidence).toBeLessThanOrEqual(0.1);
    const { text } = await callTool(world, firm.key, "get_result", { simulation_id: id });
    for (const said of [nobody, unused, "Charged: 250 credits."]) expect(text).toContain(said);
    const run = await callTool(world, firm.key, "get_run", { run_id: id });
    expect(run.value).toMatchObject({ result: { notes: [nobody, unused] } });
    expect(run.text).toContain(JSON.stringify(nobody));
    await expectSoundStudies(world);
  });

  test("asks the people whom a hypothesis names by age, sex and status, if no audience is named", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const hypothesis = "Self-employed women aged 30 to 45 would buy income cover for 10 EUR a month in an app.";
    const { id } = await world.settled(firm, { slug: "market-validator", input: { hypothesis, market: "DE" } });
    const { report } = await resultOf(world, firm, id);
    expect(report?.market).toMatchObject({ described: ["ages 30-45", "female", "self_employed"], left_out: [] });
    expect(report?.notes).toEqual([]);
    const stored = await world.store.read
      .selectFrom("validation_personas")
      .select("persona_json")
      .where("validation_id", "=", id)
      .execute();
    const people = stored.map(({ persona_json }) => JSON.parse(persona_json) as Persona);
    expect(people.every(({ age, sex }) => age >= 30 && age <= 45 && sex === "f")).toBe(true);
    expect(new Set(people.map(({ role }) => role))).toEqual(new Set(["self-employed"]));
  });

  test("reports for firms, and for groups without figures, that other people were asked", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const said = {
      "Small firms in Austria would buy cyber insurance for EUR 1,200 a year.":
        'Firms or organisations are meant ("Small firms in Austria"), but private adults were asked',
      "Dog owners in Germany would buy pet insurance for EUR 20 a month.":
        'No figure of the market describes "Dog owners"',
    };
    for (const [hypothesis, note] of Object.entries(said)) {
      const run = await world.settled(firm, { slug: "market-validator", input: { hypothesis, market: "DE" } });
      const notes = [expect.stringContaining(note)];
      expect(run.result).toMatchObject({ notes });
      expect((await resultOf(world, firm, run.id)).report?.notes).toMatchObject(notes);
    }
  });

  test("states its maximum price when ordered, and its charge when completed", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 10);
    const asked = { hypothesis: bicycles, audience_id, decision_size: "S" };
    const { value, text } = await callTool(world, firm.key, "run_validation", asked);
    expect([value.maximum_credits, text]).toEqual([250, expect.stringContaining("250 credits at most")]);
    await world.idle();
    expect((await resultOf(world, firm, String(value.simulation_id))).charged_credits).toBe(250);
  });
});
