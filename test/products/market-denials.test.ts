import { describe, expect, test } from "bun:test";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { starterVersion } from "../support/datasets.ts";

/** Tests how questions with negations or exclusions are answered. */
const version = starterVersion("eu-data");
const now = new Date("2026-11-22T12:00:00Z");

const ask = (question: string, ...countries: string[]) => answer(version, understand({ question, countries }, [], now));
const figures = (question: string, country: string): string[] =>
  ask(question, country).aggregates.map(({ indicator }) => indicator);

describe("insurance without life insurance is non-life insurance", () => {
  for (const question of [
    "Insurance penetration excluding life",
    "What is penetration excl. life?",
    "Penetration ex-life",
    "penetration of insurance other than life",
    "non-life, not life penetration",
    "Penetration der Nicht-Lebensversicherung",
    "Nicht-Leben Penetration",
    "Wie hoch ist die Durchdringung ohne Lebensversicherung?",
    "Versicherungsdurchdringung exkl. Lebensversicherung",
    "Durchdringung außer Leben",
    "Jaká je penetrace pojištění bez životního pojištění?",
    "Penetrace jiného než životního pojištění",
    "Podíl pojistného na HDP kromě životního pojištění",
    "Aká je penetrácia okrem životného poistenia?",
    "penetrácia iného ako životného poistenia",
    "Penetracja ubezpieczeń bez ubezpieczeń na życie",
    "Penetracja ubezpieczeń innych niż na życie",
    "Nem-életbiztosítási penetráció",
    "penetráció életbiztosítás nélkül",
  ])
    test(question, () => expect(figures(question, "AT")).toEqual(["insurance_penetration_nonlife"]));

  test("and without non-life insurance it is life insurance", () => {
    for (const question of [
      "Penetration excluding non-life",
      "Penetrace bez neživotního pojištění",
      "life, not non-life penetration",
    ])
      expect([question, figures(question, "AT")]).toEqual([question, ["insurance_penetration_life"]]);
  });
});

describe("an exclusion is not answered with the figure of what is excluded", () => {
  for (const [question, denied] of [
    ["What share of Poles does not use the internet?", "leaves out: “not use the internet”."],
    ["How many people don’t use the internet?", "the internet”."],
    ["Households without internet", "“without internet”."],
    ["Share of the population not living in cities", "“not living in cities”."],
    ["share of people who are not over 65", "“not over 65”."],
    ["GDP that is not per head", "“not per head”."],
    ["GDP outside the EU", "“outside the EU”."],
    ["Jaký podíl Čechů nepoužívá internet?", "neobsahují: „nepoužívá internet“."],
    ["Kolik procent lidí nemá internet?", "„nemá internet“."],
    ["Kolik lidí v Česku nebydlí ve městech?", "„nebydlí ve městech“."],
    ["Koľko ľudí nevyužíva internet?", "neobsahujú: „nevyužíva internet“."],
    ["Aký podiel ľudí nežije v mestách na Slovensku?", "„nežije v mestách“."],
    ["Anteil der Personen, die das Internet nicht nutzen, in Deutschland", "keine Angabe: „Internet nicht“."],
    ["Wie viele Deutsche nutzen das Internet nicht?", "„Internet nicht“."],
    ["Anteil der Menschen ohne Internetzugang", "„ohne Internetzugang“."],
    ["udział ludności poza miastami", "“poza miastami”."],
    ["Hányan nem használnak internetet?", "“nem használnak internetet”."],
  ] as const)
    test(question, () => {
      const { summary, aggregates } = ask(question, "PL");
      expect({ aggregates, said: summary.includes(denied) ? denied : summary }).toEqual({
        aggregates: [],
        said: denied,
      });
    });

  test("nor is a question about people who do not live in a country", () => {
    expect(ask("How many people do not live in Germany?", "DE").aggregates).toEqual([]);
  });

  test("excluded countries are not shown", () => {
    const { aggregates } = ask("GDP of the V4 without Poland and Hungary");
    expect(aggregates.map(({ country }) => country)).toEqual(["CZ", "SK"]);
    expect(
      ask("total population of the EU without Germany", "DE").aggregates.map(({ country }) => country),
    ).not.toContain("DE");
  });

  test("an exclusion that affects no figure is named before the figures", () => {
    expect(ask("Wie hoch ist das BIP ohne Landwirtschaft?", "DE").summary).toStartWith(
      "Diese Wörter der Frage berücksichtigen die Angaben nicht: ohne, Landwirtschaft.",
    );
  });
});

describe("a question that rejects an alternative is answered without it", () => {
  for (const question of [
    "GDP, not population",
    "GDP rather than population",
    "HDP, ne počet obyvatel",
    "BIP statt Bevölkerung",
  ])
    test(question, () => expect(figures(question, "FR")).toEqual(["gdp"]));

  for (const question of [
    "Not only GDP but also population",
    "Nicht nur das BIP, sondern auch die Bevölkerung",
    "Nejen HDP, ale i počet obyvatel",
    "Nemohl byste mi říct HDP a počet obyvatel?",
    "Několik údajů: HDP, počet obyvatel",
    "I don't know the GDP and the population",
  ])
    test(`a polite or emphatic negation is not an exclusion: ${question}`, () => {
      expect(understand({ question, countries: ["FR"] }, [], now)).toMatchObject({
        concepts: ["population", "gdp"],
        denied: [],
        unread: [],
      });
    });
});

describe("a question's own words", () => {
  for (const [question, said] of [
    ["How many people over 80 live in Poland?", "no number of people by: over 80."],
    ["Wie viele Menschen über 80 leben in Polen?", "nach: über 80."],
    ["Kolik lidí nad 80 let žije v Polsku?", "podle: nad 80."],
    ["Koľko ľudí nad 80 rokov žije v Poľsku?", "podľa: nad 80."],
  ] as const)
    test(`are repeated with their number: ${question}`, () => {
      expect(ask(question, "PL").summary).toContain(said);
    });

  test("are recognised for insurance premiums per head in Slovak and Polish too", () => {
    for (const question of [
      "Aká je hustota poistenia?",
      "Aká je poistná hustota?",
      "pojistná hustota",
      "gęstość ubezpieczeń",
    ])
      expect([question, figures(question, "SK")]).toEqual([question, ["insurance_density"]]);
  });

  test("do not ask about insurance if they mean the internet's penetration", () => {
    expect(figures("Jaká je penetrace internetu?", "DE")).toEqual(["internet_users"]);
    expect(figures("insurance and internet penetration", "DE")).toEqual(["internet_users", "insurance_penetration"]);
  });
});
