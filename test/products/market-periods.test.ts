import { describe, expect, test } from "bun:test";
import type { DatasetVersion } from "../../db/datasets.ts";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { summaryIn } from "../../src/products/capabilities/eu-market-data/summary.ts";
import { readText, starterVersion } from "../support/datasets.ts";

/** Tests which figures answer a question about a year, a change or a span, and what is said about the rest. */
const version = starterVersion("eu-data");
const now = new Date("2026-11-22T12:00:00Z");

const answerOf = (of: DatasetVersion, question: string, ...countries: string[]) =>
  answer(of, understand({ question, countries }, [], now));
const ask = (question: string, ...countries: string[]) => answerOf(version, question, ...countries);

describe("a period", () => {
  for (const question of ["GDP growth 2023", "růst HDP v roce 2023", "BIP-Wachstum 2023", "rast HDP v roku 2023"])
    test(`of one year has its figure, with a note that there is no earlier one to count a change from: ${question}`, () => {
      const { summary, aggregates } = ask(question, "CZ");
      expect(aggregates.map(({ period, value }) => [period, value])).toEqual([["2023", 330_858_339_872]]);
      expect(summary).toMatch(/No earlier figure|Není dřívější|Keine frühere|Nie je skoršia/);
    });

  for (const [question, missing] of [
    ["GDP since 2020", "No figure for 2020,"],
    ["GDP 2020 to 2023", "No figure for 2020,"],
    ["GDP 2021, 2022, 2023", "No figure for 2021,"],
    ["HDP od roku 2020", "Pro rok 2020 hodnota není,"],
    ["HDP v rokoch 2020 až 2023", "Pre rok 2020 hodnota nie je,"],
    ["BIP von 2020 bis 2023", "Keine Angabe für 2020,"],
    ["GDP 2023 and 2025", "No figure for 2025,"],
  ] as const)
    test(`shows the figure within it, and names the end without one: ${question}`, () => {
      const { summary, aggregates } = ask(question, "DE");
      expect(aggregates.map(({ value }) => value)).toEqual([4_456_081_016_706, null]);
      expect(summary).toContain(missing);
      expect(summary).not.toMatch(/period asked for|požadované|gefragten|take no account|neberou|neberú/);
    });

  test("before all figures has none, and a missing figure has its series' label in any year", () => {
    expect(ask("GDP 2015 to 2019", "DE").aggregates.map(({ value }) => value)).toEqual([null]);
    expect(ask("GDP before 2023", "DE").summary).toContain("period asked for (2022)");
    for (const question of ["unemployment 1990", "unemployment 2020", "unemployment 2023"])
      expect(ask(question, "DE").aggregates.map(({ reliability }) => reliability)).toEqual(["C"]);
  });

  test("of one year is compared with the year before, and a span without its start from the earliest figure", async () => {
    const said =
      "publisher: Eurostat\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\nindicator: {fixed: population}\n";
    const { table } = await readText("p.csv", "geo;year;v\nDE;2021;80\nDE;2022;84\nDE;2023;63\n", said);
    const of: DatasetVersion = { dataset: "eu-data", number: 1, tables: [table] };
    const growth = answerOf(of, "population growth in 2022", "DE");
    expect(growth.summary).toContain("from 80 (2021) to 84 (2022) (5 %).");
    const span = answerOf(of, "population since 2019", "DE");
    expect(span.aggregates.map(({ period, value }) => [period, value])).toEqual([
      ["2023", 63],
      ["2021", 80],
      ["2019", null],
    ]);
    expect(span.summary).toContain("No figure for 2019, Population: Germany.");
    expect(answerOf(of, "How has the population changed since 2019?", "DE").aggregates[0]?.value).toBeNull();
    expect(summaryIn("de", span.summary, span.aggregates)).toContain(
      "Keine Angabe für 2019, Bevölkerung: Deutschland.",
    );
  });
});
