import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { problems } from "../../src/platform/validate.ts";
import { roleProfile } from "../../src/products/capabilities/talent-intelligence/engine.ts";
import { competencyModel, texts } from "../../src/products/capabilities/talent-intelligence/model.ts";
import { TalentInput, TalentOutput } from "../../src/products/capabilities/talent-intelligence/schema.ts";

const profile = (role_title: string, analysis_goal: string) => roleProfile({ role_title, analysis_goal });
const goal = "We want advice that customers stay with.";

describe("the competency model is whole", () => {
  test("the weights of each family add up to 100, over the same eight dimensions", () => {
    for (const { weights } of Object.values(competencyModel.families)) {
      expect(Object.keys(weights)).toEqual(Object.keys(competencyModel.dimensions));
      expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBe(100);
    }
  });

  test.each(Object.keys(texts) as (keyof typeof texts)[])("has all its texts in %s", (language) => {
    const text = texts[language];
    expect(Object.keys(text.families)).toEqual(Object.keys(competencyModel.families));
    expect(Object.keys(text.dimensions)).toEqual(Object.keys(competencyModel.dimensions));
    expect(Object.keys(text.evidence)).toEqual(Object.keys(competencyModel.reliability));
    expect(Object.keys(text.red_flags)).toEqual(Object.keys(competencyModel.red_flags));
    const laws = Object.values(competencyModel.requirements).flatMap((all) => all.map(({ key }) => key));
    expect(Object.keys(text.requirements).toSorted()).toEqual(laws.toSorted());
    for (const { behaviours, questions } of Object.values(text.dimensions))
      expect([behaviours.length, questions.length]).toEqual([3, 2]);
  });
});

describe("the role's family follows from its title, in four languages", () => {
  test.each([
    ["Tied agent for life insurance", "tied_agent"],
    ["Vázaný zástupce", "tied_agent"],
    ["Ausschließlichkeitsvertreterin", "tied_agent"],
    ["Senior insurance broker", "broker"],
    ["Pojišťovací makléř", "broker"],
    ["Versicherungsmakler (m/w/d)", "broker"],
    ["Poradce pro firmy", "corporate_adviser"],
    ["Firmenkundenberater", "corporate_adviser"],
    ["Vedúci tímu", "team_leader"],
    ["Vertriebsleiterin Nord", "team_leader"],
    ["Sales manager of the agents", "team_leader"],
    ["Telefonní poradce", "digital_adviser"],
  ])("%s: %s", (title, family) => {
    expect(profile(title, goal).role_family?.key).toBe(family);
  });

  test.each(["Adviser", "Poradce", "Gardener", "Underwriter", "???"])(
    "a title that fits none is asked about and not guessed: %s",
    (title) => {
      const told = profile(title, goal);
      expect(told).toMatchObject({ role_family: null, dimensions: [], work_sample: null });
      expect(told.question).not.toBeNull();
      expect(told.role_goal_clarity).toBeLessThanOrEqual(50);
    },
  );
});

test("what a goal must not ask for is shown in its own words, with a lawful wording", () => {
  const told = profile(
    "Vázaný zástupce",
    "Hledáme mladý kolektiv, jen ženy bez dětí, neomezený výdělek, odměna za nábor.",
  );
  expect(told.red_flags.map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
    ["income", "neomezený výdělek"],
    ["recruiting_pay", "odměna za nábor"],
    ["age", "mladý kolektiv"],
    ["sex", "jen ženy"],
    ["family", "bez dětí"],
  ]);
  for (const { warning, lawful_wording } of told.red_flags) expect(warning && lawful_wording).not.toBe("");
  const young = [
    "Join our young team.",
    "Mladý tým hledá makléře.",
    "Mladý tím v Žiline.",
    "Wir sind ein junges Team.",
  ];
  for (const text of young) expect(profile("Broker", text).red_flags.map(({ kind }) => kind)).toEqual(["age"]);
});

test("the law of the countries that the goal names is listed with its citation, and the EU's always", () => {
  const countries = (text: string) => [
    ...new Set(profile("Broker", text).legal_requirements.map(({ country }) => country)),
  ];
  expect(countries("Somebody for the Czech Republic and for Germany.")).toEqual(["EU", "CZ", "DE"]);
  expect(countries("Somebody who listens to customers.")).toEqual(["EU"]);
  expect(countries("Hledáme člověka, který naslouchá zákazníkům.")).toEqual(["EU", "CZ"]);
});

test("a person's contact is refused, whatever its form, and an amount or a date is none", () => {
  const refused = (analysis_goal: string) =>
    problems(TalentInput, { role_title: "Broker", analysis_goal }, "/body/input").map(({ message }) => message);
  for (const contact of [
    "Write to jan.novak@example.com about it.",
    "Call +420 777 123 456 about it.",
    "Rodné číslo 850101/1234 patří jemu.",
    "See linkedin.com/in/jan-novak first.",
    "Ring 0049 30 1234567 please.",
    "Mobil777123456, or Tel.777123456.",
    "E-mail jan.novak (at) example.com.",
    "Write to jan.novak [at] example [dot] com.",
    "Write to jan.novak @ example.com.",
    "Call +420\u00a0777\u202f123\u00a0456 about it.",
    "Volejte ７７７１２３４５６ nebo 777–123–456.",
    "Volejte 777.123.456 prosím.",
    "Call +420.777.123.456 please.",
    "Tel.: (030) 123 45 67, or +49 (0)89 123456.",
    "Rodné číslo 850101 / 1234 patří jemu.",
    "He is lnkd.in/abc12 and t.me/jannovak.",
    "See https://mastodon.social/@jan first.",
    "Insta: @jan_novak99 knows more.",
  ])
    expect(refused(contact)).toEqual([expect.stringContaining("describe the role instead")]);
  for (const plain of [
    "From 1. 1. 2025 to 31. 12. 2026.",
    "A portfolio of 250 000 000 CZK.",
    "EUR 1,250,000 of cover.",
    "The request 4f1234567890ab, for RFQ123456789 and 500000000CZK.",
    "123456789012a",
    "7771234560",
    "EUR 1.250.000 of cover, or 250.000.000 CZK.",
    "2025/2026 for 100 000/150 000 Kč.",
    "Between 10 000–20 000 customers, 10 000 - 20 000 of them new.",
    "Tel. 24.12.2025 nepracujeme.",
    "Somebody who is at home @work. And a team (at most 5 people).",
    "Look at example. Then go.",
    "Act 170/2018 and 396/2024, GewO 34d.",
  ])
    expect(refused(plain)).toEqual([]);
});

test("whatever role and goal say, the profile fits its schema, is the same again, and quotes only the goal", () => {
  const word = fc.oneof(
    fc.constantFrom("broker", "makléř", "nur Männer", "under 30", "constructor", "__proto__", "Praha", "vedoucí"),
    fc.string({ unit: "grapheme", maxLength: 10 }),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 25 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (role_title, analysis_goal) => {
      const told = profile(role_title, analysis_goal);
      expect(problems(TalentOutput, told, "")).toEqual([]);
      expect(profile(role_title, analysis_goal)).toEqual(told);
      for (const { excerpt } of told.red_flags) expect(analysis_goal).toContain(excerpt);
    }),
  );
});
