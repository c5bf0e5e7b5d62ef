import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectLanguage, detectSearchLanguage, isForeign, languageOf } from "../../src/knowledge/language/detect.ts";
import { namesIn } from "../../src/knowledge/language/insurance-glossary.ts";
import { isOpposite, oppositesOf } from "../../src/knowledge/language/opposites.ts";
import { currencies, months, multipliers, numberWords } from "../../src/knowledge/language/quantities.ts";
import { stem } from "../../src/knowledge/language/stem.ts";
import { insuranceGroupsOf, synonymGroupsOf } from "../../src/knowledge/language/synonyms.ts";
import { verdictLanguage } from "../../src/knowledge/language/verdict-language.ts";
import { foldedWords, oneOf, readGroups, readTable } from "../../src/knowledge/language/word-table.ts";

describe("the language of a claim", () => {
  test.each([
    ["Pojištění se vztahuje na škody, které vznikly při povodni.", "cs"],
    ["Pojisteni se nevztahuje na skody, ktere vznikly pri povodni.", "cs"],
    ["Poistenie sa vzťahuje na škody, ktoré vznikli pri povodni.", "sk"],
    ["Škodu treba oznámiť do 15 dní.", "sk"],
    ["The policy covers damage that was caused by a flood.", "en"],
    ["500 000", "en"],
  ] as const)("%p is recognised as %p", (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  test("is that of the context if it has no words", () => {
    expect(detectLanguage("500 000", "sk")).toBe("sk");
  });

  test("is English for a whole sentence in an unsupported language", () => {
    expect(detectLanguage("Versicherer zahlen Renten immer monatlich", "cs")).toBe("en");
  });

  test("is the same for any encoding of its accents", () => {
    const text = "Škodu je třeba hlásit hned";
    expect(detectLanguage(text.normalize("NFD"))).toBe(detectLanguage(text.normalize("NFC")));
  });
});

describe("the language of a verdict", () => {
  const sentences = readFileSync(join(import.meta.dir, "short-sentences.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t") as [language: string, text: string]);

  // Some short sentences are valid in two languages: `Limit je 5 000 eur.`
  test.each([
    ["cs", "cs", 37],
    ["sk", "sk", 34],
    ["en", "en", 40],
    ["de", "en", 40],
    ["pl", "en", 39],
    ["hu", "en", 38],
  ] as const)("on forty short sentences in %p is %p, with few exceptions", (language, told, least) => {
    const own = sentences.filter(([spoken]) => spoken === language);
    expect(own).toHaveLength(40);
    expect(own.filter(([, text]) => verdictLanguage(text) === told).length).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ["Die Wartezeit beträgt 8 Monate.", "en"],
    ["Ubezpieczyciel płaci za naprawę.", "en"],
    ["A biztosító kifizeti a kárt.", "en"],
    ["Le délai de carence est de 3 mois.", "en"],
    ["Lehota je päť dní.", "sk"],
    ["Pojistitel zaplatí opravu.", "cs"],
    ["Refunds take a month.", "en"],
    ["Payments take ten days.", "en"],
    ["Minden kártya ingyenes.", "en"],
  ] as const)("on %p is %p", (text, told) => {
    expect(verdictLanguage(text)).toBe(told);
  });

  test("is that of the context if a text has no words, and English if nothing decides", () => {
    expect(verdictLanguage("Allianz", "sk")).toBe("sk");
    expect(verdictLanguage("4711")).toBe("en");
  });
});

describe("the language of a question", () => {
  test.each([
    ["Jaká je spoluúčast při krádeži?", "cs"],
    ["Aká je spoluúčasť pri krádeži?", "sk"],
    ["Wie hoch ist die Selbstbeteiligung?", "de"],
    ["Kasko Ausland", "de"],
    ["Jaki jest udział własny przy kradzieży?", "pl"],
    ["What is the excess for theft?", "en"],
    ["Quelle est la franchise en cas de vol ?", "fr"],
  ] as const)("of %p is %p", (question, language) => {
    expect(detectSearchLanguage(question, "en")).toBe(language);
  });

  test("is the expected one if nothing decides", () => {
    expect(detectSearchLanguage("4711", "sk")).toBe("sk");
  });
});

describe("the language of a document", () => {
  test("is unknown if nothing decides, and for other alphabets", () => {
    expect(languageOf("4711")).toBeNull();
    expect(languageOf("Страхование распространяется на ущерб, причинённый наводнением.")).toBeNull();
    expect(languageOf("Die Versicherung gilt für Schäden durch Überschwemmung.")).toBe("de");
  });

  test("is foreign to the rule check if no rules are written for it", () => {
    expect(isForeign("Die Versicherung gilt auch für Schäden, die durch eine Überschwemmung entstehen.")).toBe(true);
    expect(isForeign("Pojištění se vztahuje na škody, které vznikly při povodni.")).toBe(false);
    expect(isForeign("Gilt nicht für Wasser")).toBe(false);
  });
});

describe("stems", () => {
  test.each([
    ["pojisteni", "pojistenim", "cs"],
    ["poistenie", "poistenia", "sk"],
    ["versicherung", "versicherungen", "de"],
    ["szkoda", "szkody", "pl"],
    ["claim", "claims", "en"],
    ["contrat", "contrats", "fr"],
  ] as const)("of %p and %p are the same in %p", (one, other, language) => {
    expect(stem(one, language)).toBe(stem(other, language));
  });

  test("are short for any length of word", () => {
    expect(stem("x".repeat(1_000), "cs")).toHaveLength(40);
  });
});

describe("the tables of words", () => {
  const folder = join(import.meta.dir, "../../src/knowledge/language/data");
  const files = readdirSync(folder).filter((file) => !file.endsWith(".md"));

  test("have no duplicate lines", () => {
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
      expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    }
  });

  test("have the expected content", () => {
    expect(synonymGroupsOf("pojistovna").length).toBeGreaterThan(0);
    expect(insuranceGroupsOf("zaplavy")).toEqual(insuranceGroupsOf("flood"));
    expect(namesIn("de", "povoden")).toContain("Überschwemmung Hochwasser");
    expect(isOpposite("excluded", oppositesOf("included"))).toBe(true);
    expect(numberWords.get("patnact")).toBe(15);
    expect(multipliers.get("mld")).toBe(1e9);
    expect(months[3]).toContain("dubna");
    expect(currencies.get("korun")).toBe("czk");
  });

  test("are refused with another header, a missing cell, or an empty one", () => {
    expect(readTable("left\tright\n# a comment\n\na\tb c\n", ["left", "right"])).toEqual([{ left: "a", right: "b c" }]);
    for (const text of ["right\tleft\na\tb", "left\tright\na", "left\tright\na\t", "left\tright\na\t b"])
      expect(() => readTable(text, ["left", "right"])).toThrow(/^(a table|the line)/);
  });

  test("are refused with a word that normalised text can't contain", () => {
    expect(readGroups("kc euro\n")).toEqual([["kc", "euro"]]);
    for (const cell of ["škoda", "Kc", "kc  euro", "kc\teuro"])
      expect(() => foldedWords(cell)).toThrow(/is empty, or has/);
    expect(() => oneOf("it", ["cs", "sk"])).toThrow('"it" is none of cs, sk');
  });
});
