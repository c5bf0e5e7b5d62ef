import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { problems } from "../../src/platform/validate.ts";
import { roleProfile } from "../../src/products/capabilities/talent-intelligence/engine.ts";
import { competencyModel, texts } from "../../src/products/capabilities/talent-intelligence/model.ts";
import { redFlagKinds } from "../../src/products/capabilities/talent-intelligence/red-flags.ts";
import { TalentInput, TalentOutput } from "../../src/products/capabilities/talent-intelligence/schema.ts";

const profile = (role_title: string, analysis_goal: string) => roleProfile({ role_title, analysis_goal });
const goal = "We want advice that customers stay with.";

describe("the competency model is complete", () => {
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
    expect(Object.keys(text.red_flags)).toEqual(redFlagKinds());
    const laws = Object.values(competencyModel.requirements).flatMap((all) => all.map(({ key }) => key));
    expect(Object.keys(text.requirements).toSorted()).toEqual(laws.toSorted());
    for (const { behaviours, questions } of Object.values(text.dimensions))
      expect([behaviours.length, questions.length]).toEqual([3, 2]);
  });
});

describe("the role's family is derived from its title, in four languages", () => {
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
    "a title that matches none is asked about and not guessed: %s",
    (title) => {
      const told = profile(title, goal);
      expect(told).toMatchObject({ role_family: null, dimensions: [], work_sample: null });
      expect(told.question).not.toBeNull();
      expect(told.role_goal_clarity).toBeLessThanOrEqual(50);
    },
  );
});

test("an unlawful condition in a goal is shown in its own words, with a lawful wording", () => {
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

test("the law of the countries named in the goal is listed with its citation, and always the EU's", () => {
  const countries = (text: string) => [
    ...new Set(profile("Broker", text).legal_requirements.map(({ country }) => country)),
  ];
  expect(countries("Somebody for the Czech Republic and for Germany.")).toEqual(["EU", "CZ", "DE"]);
  expect(countries("Somebody who listens to customers.")).toEqual(["EU"]);
  expect(countries("Hledáme člověka, který naslouchá zákazníkům.")).toEqual(["EU", "CZ"]);
});

describe("a country whose law is not included", () => {
  const law = (role_title: string, analysis_goal: string) => {
    const { legal_requirements, limitations } = profile(role_title, analysis_goal);
    return { listed: [...new Set(legal_requirements.map(({ country }) => country))], said: limitations[0] };
  };

  test.each([
    ["Versicherungsmakler", "Beratung von Gewerbekunden in Österreich.", "Österreich"],
    ["Versicherungsmakler", "Beratung von Gewerbekunden in Wien und Graz.", "Österreich"],
    ["Versicherungsmakler in Luxemburg", "Beratung von Gewerbekunden vor Ort.", "Luxemburg"],
    ["Pojišťovací makléř", "Péče o rakouské klienty z Vídně.", "Rakousko"],
    ["Poisťovací maklér", "Poradenstvo klientom v Maďarsku, ktorým treba rozumieť.", "Maďarsko"],
    ["Insurance broker", "Advise clients in Austria on life cover.", "Austria"],
    ["Broker ubezpieczeniowy", "Doradzanie klientom we Francji i na Litwie.", "France, Lithuania"],
  ])("is named, and no other country's law replaces it: %s, %s", (title, text, named) => {
    const { listed, said } = law(title, text);
    expect(listed).toEqual(["EU"]);
    expect(said).toEndWith(`: ${named}.`);
  });

  test("is named along with those whose law is included", () => {
    const { listed, said } = law("Insurance broker", "Advise clients in Poland and Hungary.");
    expect(listed).toEqual(["EU", "PL"]);
    expect(said).toEndWith(": Hungary.");
    expect(law("Poisťovací maklér", "Poradenstvo, ktoré ľuďom pomáha.").said).toEndWith(": Slovensko.");
  });

  test("has no EU law listed if it is outside the EU, except within the Economic Area", () => {
    const swiss = law("Versicherungsmakler", "Beratung von Firmenkunden für die Schweiz.");
    expect(swiss.listed).toEqual([]);
    expect(swiss.said).toContain("Auch das Recht der Europäischen Union ist nicht aufgeführt");
    expect(law("Insurance broker", "Clients in Norway, Iceland and Liechtenstein.").listed).toEqual(["EU"]);
  });

  test.each([
    ["Insurance broker", "Advise German-speaking clients in Prague.", ["EU", "CZ"]],
    ["Insurance broker", "Fluent English and German, clients in Brno.", ["EU", "CZ"]],
    ["Versicherungsmakler", "Gute Deutschkenntnisse und Englisch, Kunden in Warschau.", ["EU", "PL"]],
    ["Pojišťovací makléř", "Mluví německy a anglicky, pečuje o klienty v Praze.", ["EU", "CZ"]],
    ["Sr. insurance broker", "Somebody to polish our offers and listen.", ["EU"]],
  ])("is not one whose name only describes a language: %s, %s", (title, text, listed) => {
    expect(law(title, text).listed).toEqual(listed);
  });
});

describe("discriminating conditions are found by their general forms", () => {
  const found = (text: string) => profile("Broker", text).red_flags.map(({ kind, excerpt }) => `${kind}: ${excerpt}`);

  test.each([
    ["Bewerber unter 35 Jahren für den Vertrieb.", "age: unter 35 Jahren"],
    ["Alter: 25-35 Jahre.", "age: Alter: 25-35"],
    ["Candidates aged 25 to 35 only.", "age: aged 25 to 35"],
    ["Applicants over 50 need not apply.", "age: Applicants over 50"],
    ["Uchazeč ve věku 25–35 let.", "age: ve věku 25–35 let"],
    ["Vo veku 20 až 35 rokov.", "age: Vo veku 20 až 35"],
    ["Kandydat w wieku do 40 lat.", "age: w wieku do 40"],
    ["Keine Frauen bitte.", "sex: Keine Frauen"],
    ["Wir suchen einen Mann für den Außendienst.", "sex: Mann"],
    ["No women.", "sex: No women"],
    ["Ženy nechceme.", "sex: Ženy nechceme"],
    ["Hľadáme ženu na pozíciu.", "sex: ženu"],
    ["Szukamy mężczyzny do sprzedaży.", "sex: mężczyzny"],
    ["No foreigners.", "origin: No foreigners"],
    ["Hledáme Čecha.", "origin: Čecha"],
    ["Nur Deutsche.", "origin: Nur Deutsche"],
    ["Cudzincov neberieme.", "origin: Cudzincov neberieme"],
    ["Tylko Polacy.", "origin: Tylko Polacy"],
    ["Christians preferred.", "religion: Christians preferred"],
    ["No Muslims or Jews.", "religion: No Muslims"],
    ["Kein Kopftuch.", "religion: Kein Kopftuch"],
    ["Chceme katolíka.", "religion: katolíka"],
    ["Native speaker of English.", "language: Native speaker"],
    ["Deutsch als Muttersprache.", "language: Muttersprache"],
    ["Rodilý mluvčí češtiny.", "language: Rodilý mluvčí"],
    ["Ohne Kinder und ungebunden.", "family: Ohne Kinder"],
    ["Bez dzieci i zobowiązań.", "family: Bez dzieci"],
  ])("%s", (text, flag) => {
    expect(found(text)).toEqual([flag]);
  });

  test("a young man is a condition of both age and sex", () => {
    expect(found("Hledáme mladého muže do prodeje.")).toEqual(["age: mladého muže", "sex: muže"]);
  });

  test.each([
    "Antwort unter 30 Minuten, Storno unter 30 %.",
    "Mindestens 20 Jahre Erfahrung, oder 20 bis 30 Jahre Erfahrung.",
    "Advise clients under 35 and women on pensions.",
    "Hypotéky se splatností do 30 let.",
    "Klienci w wieku 30-40 lat.",
    "Wir suchen Männer und Frauen, die zuhören.",
    "Frauen werden bei gleicher Eignung bevorzugt berücksichtigt.",
    "Nur deutsche Kunden werden betreut.",
    "Not only women should apply.",
    "Poradce pro cizince v Praze, pojištění pro ženy a muže.",
    "Advise the Catholic church and families with children.",
    "Německy na úrovni C1.",
  ])("a statement that is not a condition for applicants is not one: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("a result without a warning states that this is not a clearance, in each language", () => {
    expect(profile("Broker", goal).limitations).toContainEqual(expect.stringContaining("no warning is no clearance"));
    for (const { limitations } of Object.values(texts)) expect(limitations).toHaveLength(5);
  });

  test("the excerpt of a goal omits the words between the verb and the group", () => {
    expect(found("Hledáme zvonokosovského muže.")).toEqual(["sex: muže"]);
    expect(found("Žádné brumbalické ženy.")).toEqual(["sex: ženy"]);
  });
});

test("personal contact data are refused in any format, but not an amount or a date", () => {
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

test("for any role and goal, the profile matches its schema, is repeatable, and quotes only the goal", () => {
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

test("a goal of any length is checked to the end", () => {
  for (const word of ["muslims or ", "a ", "1.1."])
    expect(profile("Insurance adviser", word.repeat(20_000)).red_flags).toEqual([]);
});
