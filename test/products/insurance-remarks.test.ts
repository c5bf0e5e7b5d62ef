import { expect, test } from "bun:test";
import { phrasesLanguage } from "../../src/products/capabilities/insurance-assistant/phrases.ts";

/** Returns the language of the assistant's own words. */
const told = (question: string, country: string, language?: string) =>
  phrasesLanguage({ question, country, ...(language !== undefined && { language }) });

test.each([
  ["sk", "sk"],
  ["de-AT", "de"],
  ["EN_us", "en"],
  ["German", "de"],
  ["němčina", "de"],
  ["polski", "pl"],
  [" fr ", "fr"],
] as const)("is the requested one, by code or name: %p", (language, expected) => {
  expect(told("Kolik dní mám na odstoupení?", "CZ", language)).toBe(expected);
});

test.each(["hu", "it", "sl", "Magyar", "tlhInganHol"])(
  "is English if there are no remarks in the requested one: %p",
  (language) => {
    expect(told("Wie lange kann ich zurücktreten?", "DE", language)).toBe("en");
  },
);

test("is the question's if none is requested", () => {
  for (const language of [undefined, "", " "])
    expect(told("Wie lange kann ich zurücktreten?", "DE", language)).toBe("de");
});
