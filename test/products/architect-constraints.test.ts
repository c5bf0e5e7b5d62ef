import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Composition } from "../../src/products/architect/schema.ts";
import { askArchitect, begun, openArchitect, told } from "../support/architect-world.ts";
import type { Firm, World } from "../support/harness.ts";

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const ask = (part: string, body: unknown) => askArchitect(world, firm, part, body);

test.each([
  ["No personal data", "Checked: No personal data"],
  ["No personal data leaves the EU", "Not checked, for a person to judge: No personal data leaves the EU"],
  ["No personal data in the logs", "Not checked, for a person to judge: No personal data in the logs"],
  ["Žádné osobní údaje mimo EU", "posoudit člověk: Žádné osobní údaje mimo EU"],
  ["Žiadne osobné údaje mimo EÚ", "posoudit člověk: Žiadne osobné údaje mimo EÚ"],
  ["Keine personenbezogenen Daten außerhalb der EU", "zu beurteilen: Keine personenbezogenen Daten außerhalb der EU"],
])("a constraint is called checked only if it is checked: %s", async (constraint, expected) => {
  const { solution_id } = await begun(world, firm, { constraints: [constraint], goals: [constraint] });
  await told(ask("design", { solution_id, choices: [] }));
  const { sections } = await told<Composition>(ask("compose", { solution_id }));
  expect(JSON.stringify(sections).replaceAll("*", "")).toContain(expected);
});
