import { expect, test } from "bun:test";
import { languageOf } from "../../src/products/datasets/question-language.ts";

/** What an answer says of the words of a question that its figures take no account of. */

test("a few words are in English where nothing of Czech or Slovak is in them", () => {
  const english = ["China's GDP", "France’s population", "Germany v France GDP", "UK's GDP", "Magyarország népessége"];
  expect(english.map(languageOf)).toEqual(english.map(() => "en"));
  const others = ["HDP Itálie", "GDP v Polsku", "Obyvatelé V4", "Počet obyvatel", "Miera nezamestnanosti"];
  expect(others.map(languageOf).join(" ")).toBe("cs cs cs cs sk");
});
