import { expect, test } from "bun:test";
import { phrasesLanguage } from "../../src/products/capabilities/insurance-assistant/phrases.ts";

/** The language of what the assistant says in its own words. */
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
] as const)("is the one that is asked for, by its code or its name: %p", (language, expected) => {
  expect(told("Kolik dní mám na odstoupení?", "CZ", language)).toBe(expected);
});

test.each(["hu", "it", "sl", "Magyar", "tlhInganHol"])(
  "is English where no remark is in what is asked for: %p",
  (language) => {
    expect(told("Wie lange kann ich zurücktreten?", "DE", language)).toBe("en");
  },
);

test("is the question's where none is asked for", () => {
  for (const language of [undefined, "", " "])
    expect(told("Wie lange kann ich zurücktreten?", "DE", language)).toBe("de");
});
