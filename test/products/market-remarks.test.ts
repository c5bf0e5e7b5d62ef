import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { countriesIn } from "../../src/products/datasets/country-words.ts";
import { wordsOf, writtenWordsOf } from "../../src/products/datasets/phrases.ts";
import { languageOf } from "../../src/products/datasets/question-language.ts";
import unseen from "../data/market-questions-unseen.json";
import { readText, starterVersion } from "../support/datasets.ts";

/** Tests what an answer says about words of a question that its figures do not reflect. */
const version = starterVersion("eu-data");
const now = new Date("2026-11-22T12:00:00Z");

const read = (question: string, countries: string[] = []) => understand({ question, countries }, [], now);
const ask = (question: string, ...countries: string[]) => answer(version, read(question, countries));

const table = readFileSync(join(import.meta.dir, "..", "data", "market-questions.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t")[3] ?? "");

describe("a question that is narrower than the data", () => {
  for (const [question, country, indicator, remark] of [
    ["motor insurance premiums", "CZ", "insurance_premiums", "words of the question: motor."],
    ["reinsurance premiums", "DE", "insurance_premiums", "words of the question: reinsurance."],
    ["travel insurance penetration", "DE", "insurance_penetration", "words of the question: travel."],
    ["Jaké je pojistné za povinné ručení?", "CZ", "insurance_premiums", "slova otázky: povinné, ručení."],
    ["poistné za cestovné poistenie", "SK", "insurance_premiums", "slová otázky: cestovné."],
    ["Prämien in der Kfz-Versicherung", "DE", "insurance_premiums", "Diese Wörter der Frage berücksichtigen"],
    ["male unemployment rate", "DE", "unemployment_rate", "words of the question: male."],
    ["HDP zemědělství", "CZ", "gdp", "slova otázky: zemědělství."],
    ["rural population", "DE", "population", "words of the question: rural."],
    ["population over 80", "DE", "population", "words of the question: over 80."],
    ["GDP of Europe", "DE", "gdp", "words of the question: Europe."],
  ] as const)
    test(`is answered with the wider figure, naming its narrower words: ${question}`, () => {
      const { summary, aggregates } = ask(question, country);
      expect(aggregates.map((one) => one.indicator)).toEqual([indicator]);
      expect(summary).toContain(remark);
    });

  for (const [question, words] of [
    ["How many people in Germany have health insurance?", "no number of people by: health, insurance."],
    ["How many people work in Germany?", "no number of people by: work."],
    ["Kolik lidí má auto?", "žádný počet lidí podle: auto."],
    ["Kolik lidí v Česku pracuje v zemědělství?", "žádný počet lidí podle: pracuje, zemědělství."],
    ["Kolko ľudí má poistenie domácnosti?", "žiadny počet ľudí podľa: poistenie, domácnosti."],
    ["Wie viele Menschen haben eine Hausratversicherung?", "keine Zahl der Menschen nach: Hausratversicherung."],
    ["How many people live in Germany without insurance?", "no number of people by: without, insurance."],
    ["How many people have cars?", "The data hold nothing about: Insured cars."],
  ] as const)
    test(`is not answered with the number of people: ${question}`, () => {
      const { summary, aggregates } = ask(question, "DE");
      expect([aggregates, summary.includes(words)]).toEqual([[], true]);
    });

  test("combined with another is answered with the other one only", () => {
    const asked = read("How many people in Germany are vegetarians and what is the GDP?");
    expect([asked.concepts, asked.peopleBy]).toEqual([["gdp"], ["vegetarians"]]);
  });

  test("about the number of unemployed people is answered with the unemployment rate only", () => {
    for (const question of ["How many people are unemployed?", "Kolik lidí je nezaměstnaných?"])
      expect(read(question)).toMatchObject({ concepts: ["unemployment_rate"], peopleBy: [] });
  });

  test("has at most eight words of a long text named, once each", () => {
    const { unread } = read("GDP alpha beta gamma delta eps1lon zeta 5 eta theta iota kappa lambda alpha");
    expect(unread.join(" ")).toBe("alpha beta gamma delta eps1lon zeta 5 eta …");
  });
});

describe("a question in ordinary words", () => {
  for (const question of [
    "Please tell me, what is the current population of Germany according to your data?",
    "Could you give me the latest available unemployment figure for Poland, please?",
    "I would like to know the insurance density in Austria",
    "What percentage of the Czech population lives in urban areas?",
    "How big is the insurance market in Germany by premiums?",
    "how much is Germany's GDP per capita right now",
    "Which of these two countries has higher unemployment?",
    "Můžete mi prosím říct, jaký je aktuální počet obyvatel České republiky?",
    "Kolik lidí žije v Česku a kolik v Polsku?",
    "Jaká je míra nezaměstnanosti v České republice?",
    "Kolik činí předepsané pojistné v Česku?",
    "Jak velký je pojistný trh v Česku podle předepsaného pojistného?",
    "Koľko obyvateľov má Slovenská republika?",
    "Prosím, povedz mi, koľko ľudí žije na Slovensku",
    "Koľko percent obyvateľov používa internet?",
    "Könnten Sie mir bitte sagen, wie hoch das aktuelle Bruttoinlandsprodukt von Deutschland ist?",
    "Wie viele Einwohner hat Österreich?",
    "Wie viel Prozent der Menschen nutzen das Internet?",
    "Vergleiche bitte die Wirtschaftsleistung von Deutschland und Frankreich",
  ])
    test(`has no remark: ${question}`, () => {
      const { concepts, topics, unread, peopleBy } = read(question);
      expect([concepts.length, topics, unread, peopleBy]).toEqual([1, [], [], []]);
    });

  test("has none in the table, nor in those written by others except for a month, a quarter and a home", () => {
    const remarked = [...table, ...unseen.map(({ question }) => question)].flatMap((question) => {
      const { concepts, unread, peopleBy } = read(question);
      return concepts.length > 0 && unread.length + peopleBy.length > 0 ? [[...unread, ...peopleBy].join(" ")] : [];
    });
    expect(remarked.sort()).toEqual(["2 čtvrtletí", "Juni", "doma", "zum 1 Januar"]);
  });
});

describe("a country beyond the data", () => {
  for (const [question, missing] of [
    ["GDP of Kosovo", "Kosovo"],
    ["Population of Japan", "Japan"],
    ["population of South Korea, Canada and New Zealand", "South Korea, Canada, New Zealand"],
    ["Japanese GDP", "Japan"],
    ["U.S. GDP", "United States"],
    ["Kolik obyvatel má Čína?", "Čína"],
    ["Kolik lidí žije v Saúdské Arábii?", "Saúdská Arábie"],
    ["HDP Indie", "Indie"],
    ["hdp japonska", "Japonsko"],
    ["Počet obyvateľov Ruska a Číny", "Rusko, Čína"],
    ["Počet obyvateľov Nového Zélandu", "Nový Zéland"],
    ["Einwohner der Vereinigten Arabischen Emirate", "Vereinigte Arabische Emirate"],
    ["Bevölkerung Südkoreas", "Südkorea"],
    ["russische Bevölkerung", "Russland"],
  ] as const)
    test(`is reported as missing: ${question}`, () => {
      const { summary, aggregates } = ask(question, "DE");
      expect(summary).toContain(`: ${missing}.`);
      expect(aggregates.map(({ country }) => country)).toEqual(["DE"]);
    });

  test("is found in Polish too, like the countries of the data", () => {
    const found = ["Japonii", "Rosji", "Chinach", "Niemczech", "Szwecji", "Nowej Zelandii"].map(
      (name) => read(`population ${name}`).countries[0],
    );
    expect(found.join(" ")).toBe("JP RU CN DE SE NZ");
  });

  test("is not found in an ordinary word, nor if two countries may be meant", () => {
    const found = (text: string) => countriesIn(wordsOf(text), writtenWordsOf(text)).map(({ entry }) => entry);
    for (const text of ["mali", "male unemployment", "cíle", "daně", "samo", "an island", "individual", "v Nigérii"])
      expect([text, found(text)]).toEqual([text, []]);
    expect([found("Mali"), found("Čile"), found("Nigeria"), found("Niger")]).toEqual([["ML"], ["CL"], ["NG"], ["NE"]]);
  });
});

describe("a requested unit or change", () => {
  for (const [question, remark] of [
    ["GDP per capita PPP", "No figure in this unit (purchasing power parity), GDP per head."],
    ["GDP per head in PPS", "No figure in this unit (purchasing power parity), GDP per head."],
    ["HDP na hlavu v korunách", "V této jednotce (CZK) hodnota není, HDP na obyvatele."],
    ["předepsané pojistné v Kč", "V této jednotce (CZK) hodnota není, Předepsané pojistné."],
    ["HDP na obyvateľa v parite kúpnej sily", "V tejto jednotke (parita kúpnej sily) hodnota nie je"],
    ["Wie hoch ist das reale BIP?", "Keine Angabe in dieser Einheit (konstante Preise), Bruttoinlandsprodukt."],
    ["GDP in constant prices", "No figure in this unit (constant prices), Gross domestic product."],
    ["premiums in Swiss francs", "No figure in this unit (CHF), Insurance premiums."],
    ["GDP per head in £", "No figure in this unit (GBP), GDP per head."],
    ["GDP growth rate", "No earlier figure is held to count a change from, Gross domestic product."],
    ["Jak roste počet obyvatel?", "Není dřívější hodnota, od níž by se počítala změna, Počet obyvatel."],
    ["Bevölkerungswachstum", "Keine frühere Angabe, von der aus sich eine Veränderung zählen ließe, Bevölkerung."],
  ] as const)
    test(`is remarked on if there is none: ${question}`, () => {
      const { summary } = ask(question, "CZ");
      expect(summary).toContain(remark);
      expect(summary).not.toMatch(/hold nothing about|: France/);
    });

  test("is used if there is one, and the countries without it are named", () => {
    const { summary, aggregates } = ask("premiums in EUR", "CZ", "DE");
    expect(aggregates.map(({ country, unit }) => [country, unit])).toEqual([
      ["DE", "billion EUR"],
      ["CZ", "billion USD"],
    ]);
    expect(summary).toContain("No figure in this unit (EUR), Insurance premiums: Czechia.");
    expect(ask("GDP in dollars", "DE").summary).not.toContain("this unit");
    expect(ask("Population and GDP in dollars", "DE").summary).not.toContain("this unit");
  });

  test("is found in the units of imported tables", async () => {
    const said =
      'publisher: Eurostat\ncode: sdg_08_10\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: "EUR per inhabitant, prices of 2010"}\nindicator: {fixed: sdg_08_10}\n';
    const { table: imported } = await readText("s.csv", "geo;year;v\nDE;2023;36290\nDE;2022;36500\n", said);
    const both = { ...version, tables: [imported, ...version.tables] };
    const real = answer(both, read("real GDP per head in euros", ["DE"]));
    expect(real.aggregates.map(({ value }) => value)).toEqual([36_290]);
    expect(real.summary).not.toContain("this unit");
    const growth = answer(both, read("growth of real GDP per head", ["DE"]));
    expect(growth.summary).toContain("from 36,500 (2022) to 36,290 (2023) (-0.6 %).");
    expect(growth.summary).not.toContain("No earlier figure");
  });

  test("is not the euro area", () => {
    expect(read("GDP of the euro area")).toMatchObject({ units: [], topics: [{ en: "Euro area" }] });
  });
});

test("the population is given next to a share if both are asked for, but not if it is the whole of the share", () => {
  for (const question of ["population, GDP and internet use", "Počet obyvatel a podíl starších 65 let"])
    expect(read(question).concepts).toContain("population");
  for (const question of ["What share of the population, on average, uses the internet?", "urban population and gini"])
    expect(read(question).concepts).not.toContain("population");
});

describe("penetration, density and premiums", () => {
  for (const [question, concepts] of [
    ["Insurance density and penetration", ["insurance_penetration", "insurance_density"]],
    ["Insurance premiums per head", ["insurance_density"]],
    ["Insurance premiums as a share of GDP", ["insurance_penetration"]],
    ["premiums", ["insurance_premiums"]],
  ] as const)
    test(`are each given when asked for: ${question}`, () => {
      expect<readonly string[]>(read(question).concepts).toEqual(concepts);
    });
});

test("a few words are treated as English if none of them is Czech or Slovak", () => {
  const english = ["China's GDP", "France’s population", "Germany v France GDP", "UK's GDP", "Magyarország népessége"];
  expect(english.map(languageOf)).toEqual(english.map(() => "en"));
  const others = ["HDP Itálie", "GDP v Polsku", "Obyvatelé V4", "Počet obyvatel", "Miera nezamestnanosti"];
  expect(others.map(languageOf).join(" ")).toBe("cs cs cs cs sk");
});
