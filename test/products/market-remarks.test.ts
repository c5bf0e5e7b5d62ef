import { describe, expect, test } from "bun:test";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { countriesIn } from "../../src/products/datasets/country-words.ts";
import { wordsOf, writtenWordsOf } from "../../src/products/datasets/phrases.ts";
import { languageOf } from "../../src/products/datasets/question-language.ts";
import { starterVersion } from "../support/datasets.ts";

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

test("a few words are in English where nothing of Czech or Slovak is in them", () => {
  const english = ["China's GDP", "France’s population", "Germany v France GDP", "UK's GDP", "Magyarország népessége"];
  expect(english.map(languageOf)).toEqual(english.map(() => "en"));
  const others = ["HDP Itálie", "GDP v Polsku", "Obyvatelé V4", "Počet obyvatel", "Miera nezamestnanosti"];
  expect(others.map(languageOf).join(" ")).toBe("cs cs cs cs sk");
});
