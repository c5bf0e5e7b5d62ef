import { afterAll, expect, test } from "bun:test";
import type { ExaFilterOutput } from "../../src/products/capabilities/exa-filter/schema.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { World } from "../support/harness.ts";
import { importStarter } from "../support/starter.ts";

const world = await World.open(undefined, { capabilities });
await world.openGates("exa-filter");
await importStarter(world);
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

test.each([
  ["an empty text", [""]],
  ["blanks", ["  ", "\n"]],
  ["punctuation", ["…!"]],
])("an answer whose only sources are %s is not supported by them, whatever the documents say", async (_, sources) => {
  const answer = "Při odcizení vozidla činí spoluúčast 10 %.";
  const input = { question: "Jaká je spoluúčast při odcizení vozidla?", answer, country: "CZ", sources };
  const { result } = await world.settled(firm, { slug: "exa-filter", input });
  expect(result).toMatchObject({ trust_state: "FAIL", sources: [] });
});

test("an answer without sources is checked against the documents, which the result names", async () => {
  const check = async (answer: string) => {
    const input = { question: "Jaká je spoluúčast při odcizení vozidla?", answer, country: "CZ" };
    return (await world.settled(firm, { slug: "exa-filter", input })).result as ExaFilterOutput;
  };
  const right = await check("Při odcizení vozidla činí spoluúčast 10 %.");
  expect(right).toMatchObject({ trust_state: "OK", verdict_text: expect.stringContaining("s nahranými dokumenty") });
  expect(right.sources?.[0]).toContain("Pojistné podmínky havarijního pojištění vozidel (SYNTHETIC)");
  const wrong = await check("Při odcizení vozidla činí spoluúčast 25 %.");
  expect(wrong.trust_state).not.toBe("OK");
});

test.each([
  ["CZ", "Modrá Lípa", "Pojištění domácnosti kryje povodeň do limitu 900 000 Kč."],
  ["CZ", undefined, "Povodeň je kryta bez limitu."],
  ["CZ", undefined, "Pojišťovna hradí škody způsobené mimozemšťany."],
  ["SK", "Neexistuje", "Povodeň je kryta."],
])("a statement that is not in the documents is never OK: %s %s %s", async (country, insurer, answer) => {
  const input = { question: "Co pojištění kryje?", answer, country, ...(insurer && { insurer }) };
  const { result } = await world.settled(firm, { slug: "exa-filter", input });
  expect((result as ExaFilterOutput).trust_state).not.toBe("OK");
});

test.each([
  ["Wann muss der Schaden gemeldet werden?", "Der Schaden ist spätestens innerhalb von 7 Tagen anzuzeigen."],
  ["Jaká je spoluúčast při odcizení vozidla?", "Při odcizení vozidla činí spoluúčast 10 %."],
])("a result without a country is never OK on one country's documents: %s", async (question, answer) => {
  const { result } = await world.settled(firm, { slug: "exa-filter", input: { question, answer } });
  const { trust_state, verdict_text = "", sources } = result as ExaFilterOutput;
  expect([trust_state, sources.length]).toEqual(["WARN", 1]);
  expect(sources[0]).toMatch(/při odcizení|Při škodě/i);
  expect(verdict_text).toMatch(/documents.*for CZ|dokumenty pro CZ/);
});

test("the EU's documents apply in each country", async () => {
  const answer = "No recommendation may be made if no insurance-based investment product is suitable.";
  const input = { question: "May an unsuitable insurance-based investment product be recommended?", answer };
  const { result } = await world.settled(firm, { slug: "exa-filter", input });
  expect(result).toMatchObject({ trust_state: "OK", verdict_text: expect.not.stringContaining("No country") });
});
