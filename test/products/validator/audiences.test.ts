import { describe, expect, test } from "bun:test";
import { present } from "../../../src/platform/assert.ts";
import { drawPersonas } from "../../../src/products/validator/draw.ts";
import { marketNamed } from "../../../src/products/validator/markets.ts";
import type { AudienceCreated, AudienceDetails } from "../../../src/products/validator/schema.ts";
import { audienceIn } from "../../../src/products/validator/study.ts";
import { callTool } from "../../support/mcp-world.ts";
import { runToEnd, validatorWorld } from "../../support/validator-world.ts";

const eu = present(marketNamed("EU"), "the EU");

/** Descriptions, the traits understood, and the parts not used. */
const read: readonly (readonly [text: string, traits: readonly string[], not_used: readonly string[]])[] = [
  ["Students aged 18 to 24", ["ages 18-24", "student"], []],
  ["Students (18-24)", ["ages 18-24", "student"], []],
  ["Young drivers who just passed their test, 18-25", ["ages 18-25", "young"], ["drivers who just passed their test"]],
  ["Männer zwischen 30 und 40 Jahren in Bayern", ["ages 30-40", "male"], ["Bayern"]],
  ["muži od 30 do 40 let", ["ages 30-40", "male"], []],
  ["lidé do 35", ["ages 0-35"], []],
  ["people over 60", ["ages 61+"], []],
  ["the over 60s", ["ages 61+"], []],
  ["60+", ["ages 60+"], []],
  ["aged 60 and over", ["ages 60+"], []],
  ["30- bis 40-Jährige", ["ages 30-40"], []],
  ["30-jährige Männer", ["ages 30", "male"], []],
  ["in their thirties", ["ages 30-39"], []],
  ["ženy mezi 25 a 35 lety", ["ages 25-35", "female"], []],
  ["Mladé rodiny na vidieku, 25 až 40 rokov", ["ages 25-40", "young", "parents", "rural"], []],
  ["dôchodci nad 70 rokov", ["ages 71+", "retired"], []],
  ["Rentner ab 65 Jahren mit Hund", ["ages 65+", "retired"], ["Hund"]],
  ["živnostníci 30-50 let v Praze", ["ages 30-50", "self_employed"], ["Praze"]],
  ["self-employed women aged 35-50", ["ages 35-50", "female", "self_employed"], []],
  ["employees between 25 and 40", ["ages 25-40", "employed"], []],
  ["over 18 and under 30", ["ages 19-29"], []],
  ["under 25 or over 60", ["ages 0-24 or ages 61+"], []],
  ["18-24 and 60-70", ["ages 18-24 or ages 60-70"], []],
  ["students and pensioners", ["student or retired"], []],
  ["young people and seniors", ["young or old"], []],
  ["women and men of 40 to 50 years", ["ages 40-50"], []],
  ["Studentinnen und Studenten", ["student"], []],
  ["studentky", ["female", "student"], []],
  ["mothers under 30", ["ages 0-29", "female", "parents"], []],
  // Ages of others, other numbers, and negations.
  ["Parents with children aged 6 to 12", ["parents"], ["6 to 12"]],
  ["lidé ve věku 30–40 let s dětmi do 6 let", ["ages 30-40", "parents"], ["do 6 let"]],
  ["firms with 10 to 50 employees", [], ["firms with 10 to 50 employees"]],
  ["flats of 60-80 m2", [], ["flats of 60-80 m2"]],
  ["customers for 10 years", [], ["10 years"]],
  ["people with an income over 50 000 EUR", [], ["income over 50 000 EUR"]],
  ["people without children", [], ["without children"]],
  ["not retired, over 50", ["ages 51+"], ["not retired"]],
  ["unemployed people", [], ["unemployed"]],
  ["people in Germany", [], ["Germany"]],
  // A place that is read leaves nothing of the verb.
  ["families who live in a town", ["parents", "urban"], []],
  ["rodiny, které žijí ve městě", ["parents", "urban"], []],
  ["rodiny, ktoré bývajú v meste", ["parents", "urban"], []],
  ["Familien, die in der Stadt wohnen", ["parents", "urban"], []],
  ["people who live alone", [], ["live alone"]],
  ["people living in Bavaria", [], ["living in Bavaria"]],
  ["people in the EU", [], []],
];

describe("the description of an audience", () => {
  for (const [text, traits, not_used] of read)
    test(`is understood: ${text}`, () => {
      const described = audienceIn(text, eu);
      expect(described.traits.map(({ name }) => name)).toEqual([...traits]);
      expect([described.not_used, described.isNobody]).toEqual([[...not_used], false]);
    });

  test("holds for every person drawn, for any seed and number", () => {
    const exact = read.filter(([text]) => audienceIn(text, eu).traits.some(({ isFirm }) => isFirm));
    expect(exact.length).toBeGreaterThan(20);
    for (const [text] of exact)
      for (const [count, seed] of [
        [5, "one"],
        [50, "other"],
      ] as const) {
        const { traits } = audienceIn(text, eu);
        const { people, left_out } = runToEnd(drawPersonas(eu, count, seed, traits));
        expect([text, people.length, left_out.map(({ name }) => name)]).toEqual([text, count, []]);
        expect(people.every((person) => traits.every(({ fits }) => fits(person)))).toBe(true);
      }
  });
});

test("drawing people yields to the event loop, however many ages are requested", () => {
  const { traits } = audienceIn(`${"over 65 or ".repeat(150)} parents over 65`, eu);
  const tested: number[] = [0];
  const counting = traits.map((trait) => ({
    ...trait,
    fits: (person: Parameters<typeof trait.fits>[0]) => {
      tested[tested.length - 1] = (tested.at(-1) ?? 0) + 1;
      return trait.fits(person);
    },
  }));
  const work = drawPersonas(eu, 50, "turns", counting);
  while (!work.next().done) tested.push(0);
  expect(tested.reduce((sum, times) => sum + times)).toBeGreaterThan(30_000);
  // 200 people between two turns, each compared with a few traits.
  expect(Math.max(...tested)).toBeLessThanOrEqual(200 * traits.length);
});

/** Returns the responses of `create_audience` and `get_audience_details` to a description. */
async function created(description: string, more: object = {}) {
  const world = await validatorWorld();
  const firm = await world.firm();
  const given = { name: "Some", description, ...more };
  const made = await callTool(world, firm.key, "create_audience", given);
  return { world, firm, given, made };
}

describe("create_audience", () => {
  test("draws the people described, and states in both of its parts what was understood and what was not", async () => {
    const { world, firm, made } = await created("Männer zwischen 30 und 40 Jahren in Bayern");
    await using _ = world;
    const value = made.value as unknown as AudienceCreated;
    expect(value).toMatchObject({ understood: ["ages 30-40", "men"], not_used: ["Bayern"] });
    expect(JSON.parse(made.text)).toEqual(value);
    const details = await callTool(world, firm.key, "get_audience_details", { audience_id: value.audience_id });
    const { personas, understood, not_used } = details.value as unknown as AudienceDetails;
    expect([understood, not_used]).toEqual([value.understood, value.not_used]);
    expect(JSON.parse(details.text)).toEqual(details.value);
    expect(personas.every(({ age }) => age >= 30 && age <= 40)).toBe(true);
    expect(personas.filter(({ role }) => /in$/.test(role))).toEqual([]);
  });

  test("gives its people roles with the status in the description", async () => {
    const { world, firm, made } = await created("Students aged 18 to 24");
    await using _ = world;
    const { value } = await callTool(world, firm.key, "get_audience_details", { audience_id: made.value.audience_id });
    const { personas } = value as unknown as AudienceDetails;
    expect(new Set(personas.map(({ role }) => role))).toEqual(new Set(["student"]));
    expect(personas.every(({ age }) => age >= 18 && age <= 24)).toBe(true);
  });

  for (const description of [
    "pensioners aged 10",
    "young pensioners",
    "people over 60 and under 30",
    "students aged 40 to 50",
    "Menschen unter 18 Jahren",
    "aged 95 to 100",
  ])
    test(`refuses a description that no one can match: ${description}`, async () => {
      const { world, firm, made } = await created(description);
      await using _ = world;
      expect(made.error).toMatchObject({
        code: "validation_error",
        details: [{ path: "/arguments/description", message: expect.stringContaining("matches no one") }],
      });
      const { value } = await callTool(world, firm.key, "list_audiences", {});
      expect(value.audiences).toEqual([]);
    });

  test("creates one audience per idempotency key, and refuses the key for another", async () => {
    const { world, firm, given } = await created("Students");
    await using _ = world;
    const keyed = { "assay/idempotency-key": "audience-1" };
    const call = (input: object) => callTool(world, firm.key, "create_audience", input, keyed);
    const [first, again] = [await call(given), await call(given)];
    expect(again.value).toEqual(first.value);
    expect((await call({ ...given, description: "Retired people" })).error.code).toBe("idempotency_conflict");
    const { value } = await callTool(world, firm.key, "list_audiences", {});
    expect(value.audiences).toHaveLength(2);
    const over = { method: "POST", as: firm.key, body: given, headers: { "idempotency-key": "audience-1" } };
    const made = (await (await world.ask("/v1/validator/audiences", over)).json()) as AudienceCreated;
    expect(made.audience_id).toBe(String(first.value.audience_id));
  });
});
