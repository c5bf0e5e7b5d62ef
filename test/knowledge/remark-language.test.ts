import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectInMarket } from "../../src/knowledge/language/detect.ts";
import { remarkLanguage } from "../../src/knowledge/language/remark-language.ts";

const bench = join(import.meta.dir, "..", "bench");

interface Asked {
  readonly question: string;
  readonly country?: string;
  readonly language?: string;
}
const isAsked = (one: unknown): one is Asked => typeof one === "object" && one !== null && "question" in one;

describe("the language of remarks", () => {
  test("is the question's for all benchmark questions in one of the six, and English for Hungarian ones", () => {
    const files = readdirSync(bench).filter((name) => /^ask.*\.json$/.test(name));
    const all = files
      .flatMap((name): unknown[] => Object.values(JSON.parse(readFileSync(join(bench, name), "utf8"))).flat())
      .filter(isAsked);
    expect(all.length).toBeGreaterThan(1000);
    for (const { question, country = "EU", language } of all) {
      const expected = language === "hu" ? "en" : detectInMarket(question, country);
      expect([question, remarkLanguage(question, country)]).toEqual([question, expected]);
    }
  });

  test.each([
    ["HU", "Hány napon belül mondhatom fel a biztosítást?"],
    ["EU", "Mekkora az önrész?"],
    ["IT", "Quanto tempo ho per recedere dal contratto?"],
    ["IT", "La mia assicurazione copre il furto?"],
    ["NL", "Hoeveel dagen heb ik om op te zeggen?"],
    ["SI", "Koliko časa imam za odstop od pogodbe?"],
    ["SI", "Kdaj mi zavarovalnica izplača odškodnino?"],
    ["HR", "Koliki je rok za odustajanje od ugovora?"],
    ["RO", "Cât timp am pentru a renunța la contract?"],
    ["ES", "¿Cuánto tiempo tengo para desistir?"],
    ["PT", "Quanto tempo tenho para desistir do contrato?"],
    ["SE", "Hur lång tid har jag på mig att säga upp försäkringen?"],
    ["DK", "Hvor mange dage har jeg til at opsige?"],
    ["FI", "Kuinka monta päivää minulla on aikaa?"],
  ])("is English for a question in a language of %s: %s", (country, question) => {
    expect(remarkLanguage(question, country)).toBe("en");
  });

  test.each([
    ["DE", "Kasko Ausland", "de"],
    ["CZ", "spoluúčast kufr", "cs"],
    ["SK", "Do kedy môžem odstúpiť?", "sk"],
    ["PL", "W jakim terminie mogę odstąpić od umowy?", "pl"],
    ["FR", "Quel est le délai de renonciation ?", "fr"],
  ] as const)("is one of the six for a short question in it (%s): %s", (country, question, language) => {
    expect(remarkLanguage(question, country)).toBe(language);
  });
});
