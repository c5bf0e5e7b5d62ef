import { describe, expect, test } from "bun:test";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { starterVersion } from "../support/datasets.ts";

/** Tests questions that ask for more than one thing, or for something that must be computed. */
const version = starterVersion("eu-data");
const now = new Date("2026-11-22T12:00:00Z");

const read = (question: string, countries: string[] = []) => understand({ question, countries }, [], now);
const ask = (question: string, ...countries: string[]) => answer(version, read(question, countries));

const remark = {
  en: "Sums, averages, differences and shares are not computed",
  cs: "Součty, průměry, rozdíly a podíly se nepočítají",
  sk: "Súčty, priemery, rozdiely a podiely sa nepočítajú",
  de: "Summen, Durchschnitte, Differenzen und Anteile werden nicht berechnet",
};

describe("insurance in relation to GDP is its penetration, in any word order", () => {
  for (const [question, concepts] of [
    ["Share of life insurance in GDP", "life"],
    ["Share of non-life insurance in GDP", "nonlife"],
    ["non-life insurance to GDP", "nonlife"],
    ["life insurance, % of GDP", "life"],
    ["How much of GDP goes to non-life insurance?", "nonlife"],
    ["Share of life and non-life insurance in GDP", "life nonlife"],
    ["Podíl životního a neživotního pojištění na HDP", "life nonlife"],
    ["Koľko percent HDP tvorí životné poistenie?", "life"],
    ["Lebensversicherung in Prozent des Bruttoinlandsprodukts", "life"],
    ["udział ubezpieczeń na życie w PKB", "life"],
  ] as const)
    test(question, () => {
      expect(read(question).concepts).toEqual(concepts.split(" ").map((kind) => `insurance_penetration_${kind}`));
      expect(read(question)).toMatchObject({ unread: [], isComputed: false });
    });

  for (const question of [
    "insurance share of GDP",
    "premiums to GDP ratio",
    "Kolik procent HDP tvoří pojistné?",
    "pomer poistného k HDP",
    "Anteil der Versicherungen am BIP",
  ])
    test(question, () => expect(read(question).concepts).toEqual(["insurance_penetration"]));

  test("GDP stays GDP if nothing is measured by it, and another thing's share of GDP is unknown", () => {
    for (const question of ["size of GDP", "premiums and GDP", "ratio of GDP of Germany to Czechia"])
      expect(read(question).concepts).toContain("gdp");
    for (const question of ["public debt to GDP", "share of agriculture in GDP"])
      expect(read(question).concepts).toEqual([]);
  });
});

describe("each of two things that are asked for is answered", () => {
  for (const [question, concepts] of [
    ["GDP and GDP per head", "gdp gdp_per_head"],
    ["HDP a HDP na obyvatele", "gdp gdp_per_head"],
    ["HDP a HDP na obyvateľa", "gdp gdp_per_head"],
    ["BIP und BIP pro Kopf", "gdp gdp_per_head"],
    ["PKB i PKB na mieszkańca", "gdp gdp_per_head"],
    ["GDP, total and per capita", "gdp gdp_per_head"],
    ["GDP and premiums per head", "gdp gdp_per_head insurance_density"],
    ["premiums as percent of GDP and premiums per head", "insurance_penetration insurance_density"],
    ["GDP per head and premiums", "gdp_per_head insurance_premiums"],
    ["premiums and premiums per capita", "insurance_premiums insurance_density"],
    ["insurance penetration and life insurance penetration", "insurance_penetration insurance_penetration_life"],
    ["insurance penetration, total and life", "insurance_penetration insurance_penetration_life"],
    ["life and non-life insurance penetration", "insurance_penetration_life insurance_penetration_nonlife"],
    ["Kolik má Česko obyvatel a jaký je podíl uživatelů internetu?", "population internet_users"],
    ["How many people live in Czechia and what share uses the internet?", "population internet_users"],
    ["Koľko obyvateľov má Slovensko a aká je nezamestnanosť?", "population unemployment_rate"],
    ["population and number of households", "population households"],
    ["share of the population using the internet and share over 65", "share_elderly internet_users"],
  ] as const)
    test(question, () => expect(read(question)).toMatchObject({ concepts: concepts.split(" "), unread: [] }));

  test("a second thing without figures is named", () => {
    const { summary } = ask("GDP and life insurance premiums", "DE");
    expect(summary).toContain("words of the question: life, insurance, premiums.");
    expect(ask("GDP and unemployment per head", "DE").summary).toContain("per head of: Unemployment rate.");
    expect(ask("How many people live in Germany, and how many have a boat?", "DE").summary).toContain(
      "question: boat.",
    );
  });

  test("a list of countries does not ask for several things", () => {
    const { concepts, countries } = read("How many people in Germany, Austria and Switzerland are unemployed?");
    expect([concepts, countries]).toEqual([["unemployment_rate"], ["DE", "AT", "CH"]]);
    expect(read("internet use among people over 65").topics.map(({ en }) => en)).toEqual(["Figures by group"]);
  });
});

describe("a value that would have to be computed is reported as not computed", () => {
  for (const [question, language] of [
    ["average unemployment in the V4", "en"],
    ["difference in GDP per head between Germany and Czechia", "en"],
    ["total premiums of Czechia and Slovakia", "en"],
    ["How many more people live in Germany than in Austria?", "en"],
    ["Germany's share of EU GDP", "en"],
    ["součet obyvatel V4", "cs"],
    ["o kolik je vyšší HDP na hlavu v Německu než v Česku", "cs"],
    ["rozdiel HDP medzi Nemeckom a Rakúskom", "sk"],
    ["Wie viele Einwohner haben Deutschland und Österreich zusammen?", "de"],
    ["Unterschied im BIP pro Kopf zwischen Deutschland und Tschechien", "de"],
  ] as const)
    test(question, () => {
      const { summary, aggregates } = ask(question);
      expect([aggregates.length > 1, summary.includes(remark[language])]).toEqual([true, true]);
      expect(summary).not.toMatch(/take no account|neberou ohled|neberú ohľad|berücksichtigen/);
    });

  test("also for one country, if its figure is a total", () => {
    expect(ask("average premium", "CZ").summary).toContain(remark.en);
    expect(ask("průměrné pojistné", "CZ").summary).toContain(remark.cs);
  });

  test("but not if the figure is that average, total or share", () => {
    for (const question of ["average household size", "average age", "How rich are Germans on average?"])
      expect(read(question, ["DE"]).isComputed).toBe(false);
    for (const question of ["total population", "share of children", "percentage change in GDP"])
      expect(read(question, ["DE"]).isComputed).toBe(false);
  });

  test("an aggregate of the EU is the EU itself", () => {
    expect(ask("EU average GDP per head").aggregates.map(({ country, value }) => [country, value])).toEqual([
      ["EU", 40_877],
    ]);
    expect(read("celkový HDP EU").countries).toEqual(["EU"]);
    expect(read("Which EU country has the highest GDP?").countries.length).toBe(27);
    expect(read("Which EU countries are above the average GDP per head?").countries.length).toBe(27);
    expect(read("GDP per capita vs. EU average", ["FR"])).toMatchObject({ countries: ["FR", "EU"], isComputed: false });
    expect(read("average population in the EU").isComputed).toBe(true);
  });
});

test("country codes are recognised, but not among the words of a text in capitals", () => {
  expect(read("total premiums of CZ and SK", ["CZ", "SK"])).toMatchObject({ countries: ["CZ", "SK"], unread: [] });
  expect(read("gdp of cz", ["cz"])).toMatchObject({ countries: ["CZ"], unread: [] });
  expect(read("GDP of IT and ES").countries).toEqual(["IT", "ES"]);
  expect(read("GDP of the IT sector", ["DE"])).toMatchObject({ countries: ["DE"], unread: ["sector"] });
  expect(read("WHAT IS THE GDP AT PRESENT", ["DE"]).countries).toEqual(["DE"]);
});
