import { describe, expect, test } from "bun:test";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { countriesIn } from "../../src/products/datasets/country-words.ts";
import { wordsOf, writtenWordsOf } from "../../src/products/datasets/phrases.ts";
import { languageOf } from "../../src/products/datasets/question-language.ts";
import { readText, starterVersion } from "../support/datasets.ts";

/** What an answer says of the words of a question that its figures take no account of. */
const version = starterVersion("eu-data");
const now = new Date("2026-11-22T12:00:00Z");

const read = (question: string, countries: string[] = []) => understand({ question, countries }, [], now);
const ask = (question: string, ...countries: string[]) => answer(version, read(question, countries));

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
    test(`is named as missing: ${question}`, () => {
      const { summary, aggregates } = ask(question, "DE");
      expect(summary).toContain(`: ${missing}.`);
      expect(aggregates.map(({ country }) => country)).toEqual(["DE"]);
    });

  test("is found in Polish too, and so are those of the data", () => {
    const found = ["Japonii", "Rosji", "Chinach", "Niemczech", "Szwecji", "Nowej Zelandii"].map(
      (name) => read(`population ${name}`).countries[0],
    );
    expect(found.join(" ")).toBe("JP RU CN DE SE NZ");
  });

  test("is not seen in an ordinary word, nor where two countries may be meant", () => {
    const found = (text: string) => countriesIn(wordsOf(text), writtenWordsOf(text)).map(({ entry }) => entry);
    for (const text of ["mali", "male unemployment", "cíle", "daně", "samo", "an island", "individual", "v Nigérii"])
      expect([text, found(text)]).toEqual([text, []]);
    expect([found("Mali"), found("Čile"), found("Nigeria"), found("Niger")]).toEqual([["ML"], ["CL"], ["NG"], ["NE"]]);
  });
});

describe("a unit or a change that is asked for", () => {
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
    test(`is pointed out where it is not held: ${question}`, () => {
      const { summary } = ask(question, "CZ");
      expect(summary).toContain(remark);
      expect(summary).not.toMatch(/hold nothing about|: France/);
    });

  test("is answered where it is held, and the countries without it are named", () => {
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

  test("does not take the euro area for a currency", () => {
    expect(read("GDP of the euro area")).toMatchObject({ units: [], topics: [{ en: "Euro area" }] });
  });
});

test("a few words are in English where nothing of Czech or Slovak is in them", () => {
  const english = ["China's GDP", "France’s population", "Germany v France GDP", "UK's GDP", "Magyarország népessége"];
  expect(english.map(languageOf)).toEqual(english.map(() => "en"));
  const others = ["HDP Itálie", "GDP v Polsku", "Obyvatelé V4", "Počet obyvatel", "Miera nezamestnanosti"];
  expect(others.map(languageOf).join(" ")).toBe("cs cs cs cs sk");
});
