import { describe, expect, test } from "bun:test";
import { detectSearchLanguage } from "../../src/knowledge/language/detect.ts";
import type { SearchLanguage } from "../../src/knowledge/language/languages.ts";
import { analyse } from "../../src/knowledge/retrieval/analysis.ts";
import { compoundParts } from "../../src/knowledge/retrieval/compounds.ts";
import { type Given, Library } from "../support/library.ts";

const stems = (text: string, language: SearchLanguage) =>
  analyse(text, language)
    .filter(({ isStop }) => !isStop)
    .map(({ stem }) => stem);

describe("words are found in all their forms", () => {
  const pairs: readonly (readonly [SearchLanguage, string, string])[] = [
    ["cs", "pojištění", "pojištěním"],
    ["cs", "škodách", "škoda"],
    ["sk", "poistenie", "poistenia"],
    ["de", "Schäden", "Schadens"],
    ["de", "Versicherungen", "Versicherung"],
    ["pl", "ubezpieczenie", "ubezpieczeniach"],
    ["pl", "szkody", "szkodami"],
    ["en", "policies", "policy"],
    ["en", "claimed", "claims"],
    ["fr", "assurances", "assurance"],
    ["fr", "généraux", "général"],
  ];
  for (const [language, one, other] of pairs)
    test(`${language}: ${one} is ${other}`, () => expect(stems(one, language)).toEqual(stems(other, language)));

  test("accents and case make no difference, in any of the languages", () => {
    for (const [language, written, bare] of [
      ["cs", "Příliš žluťoučký", "prilis zlutoucky"],
      ["pl", "Składka ŻÓŁW", "skladka zolw"],
      ["de", "Größe", "grosse"],
      ["fr", "Déchéance", "decheance"],
    ] as const)
      expect(stems(written, language)).toEqual(stems(bare, language));
  });

  test("a number is the same with any thousands separator", () => {
    const written = ["1 300 000", "1.300.000", "1,300,000", "1300000"];
    expect(written.map((text) => stems(text, "de"))).toEqual(written.map(() => ["1300000"]));
  });

  test("function words are distinguished from the topic of a question", () => {
    expect(stems("do kdy je to", "cs")).toEqual([]);
    expect(stems("was ist das", "de")).toEqual([]);
    expect(stems("what is it", "en")).toEqual([]);
  });

  test("a German compound is split, even over a linking s, if the corpus has its parts", () => {
    const known = stems("Haftpflicht Versicherung Vertrag", "de");
    const parts = (word: string) =>
      stems(word, "de").flatMap((stem) => compoundParts(stem, (part) => (known.includes(part) ? 1 : 0)));
    expect(parts("Haftpflichtversicherung")).toEqual(stems("Haftpflicht Versicherung", "de"));
    expect(parts("Versicherungsverträge")).toEqual(stems("Versicherung Vertrag", "de"));
    expect(parts("Haftpflichtversicherungsvertrag")).toEqual(stems("Haftpflicht Versicherung Vertrag", "de"));
    expect(parts("Unbekannteswort")).toEqual([]);
  });

  test("each of the six languages is detected from a short question", () => {
    const questions: Record<SearchLanguage, string> = {
      cs: "Do kdy musím nahlásit škodu?",
      sk: "Dokedy musím nahlásiť škodu poisťovni?",
      de: "Wann muss ich den Schaden melden?",
      pl: "Kiedy muszę zgłosić szkodę?",
      en: "When do I have to report a claim?",
      fr: "Quand dois-je déclarer un sinistre ?",
    };
    for (const [language, question] of Object.entries(questions))
      expect([question, detectSearchLanguage(question)]).toEqual([question, language as SearchLanguage]);
  });
});

describe("a question finds its passage", () => {
  const terms: Given = {
    facts: { id: "terms", language: "cs" },
    passages: [
      ["Pojistné > § 3", "Pojistné je splatné prvního dne pojistného období."],
      ["Pojistné události > § 7", "Škodu oznámíte pojistiteli bez zbytečného odkladu, nejpozději do patnácti dnů."],
      ["Výluky > § 9", "Pojištění se nevztahuje na škody způsobené úmyslně."],
    ],
  };
  const wording: Given = {
    facts: { id: "wording", language: "de", market: "DE" },
    passages: [
      ["Kündigung", "Der Versicherungsvertrag kann zum Ablauf des Versicherungsjahres beendet werden."],
      ["Ausland", "Schäden bei vorübergehendem Aufenthalt im Ausland sind eingeschlossen."],
    ],
  };

  test("with and without accents, with the same score", async () => {
    const library = await Library.open(terms, wording);
    const corpus = library.corpus();
    const at = new Date("2026-06-01");
    const ask = (question: string) => corpus.search({ question, language: "cs", at, limit: 3 });
    const [first] = await ask("Do kdy musím oznámit škodu pojistiteli?");
    expect(first?.chunk.heading).toBe("Pojistné události > § 7");
    expect(first?.document.title).toBe("terms");
    expect(await ask("do kdy musim oznamit skodu pojistiteli")).toEqual(
      await ask("Do kdy musím oznámit škodu pojistiteli?"),
    );
  });

  test("by a part of a German compound", async () => {
    const library = await Library.open(wording);
    await library.add({
      facts: { id: "other", language: "de", market: "DE" },
      passages: [["Vertrag", "Ein Vertrag über eine Versicherung kommt durch Annahme zustande."]],
    });
    expect(await library.found("Vertrag beendet")).toContain("wording");
  });

  test("with scores between 0 and 1 in descending order", async () => {
    const library = await Library.open(terms, wording);
    const passages = await library
      .corpus()
      .search({ question: "škoda pojistné úmyslně", at: new Date("2026-06-01"), limit: 10 });
    const scores = passages.map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score > 0 && score < 1).toBe(true);
  });

  test("within the limit", async () => {
    const library = await Library.open(terms);
    expect(await library.found("pojistné škody pojištění", { limit: 1 })).toHaveLength(1);
  });

  test("or nothing with unknown words, with function words alone, or in an empty corpus", async () => {
    const library = await Library.open(terms);
    expect(await library.found("xylofon quokka")).toEqual([]);
    expect(await library.found("do kdy je to", { language: "cs" })).toEqual([]);
    const empty = await Library.open();
    expect(await empty.found("škoda")).toEqual([]);
    const corpus = empty.corpus();
    expect((await corpus.refresh()).status).toBe("empty");
  });

  test("even if it has ten thousand characters", async () => {
    const library = await Library.open(terms);
    const long = `${"pojištění škoda ".repeat(620)}úmyslně ${"x".repeat(100)}`.slice(0, 10_000);
    expect(await library.found(long)).toContain("terms");
  });
});

describe("only relevant documents are searched", () => {
  const passage: Given["passages"] = [["Theft", "Theft of the vehicle is covered when it was locked."]];
  const question = "Is theft of the vehicle covered?";

  test("those of the country and the EU", async () => {
    const library = await Library.open(
      { facts: { id: "cz", market: "CZ" }, passages: passage },
      { facts: { id: "de", market: "DE" }, passages: passage },
      { facts: { id: "eu", market: "EU", carrier: null }, passages: passage },
    );
    const found = await library.found(question, { country: "cz" });
    expect(found.sort()).toEqual(["cz", "eu"]);
    expect((await library.found(question)).sort()).toEqual(["cz", "de", "eu"]);
  });

  test("those of the line, however it is written, and those for all lines", async () => {
    const library = await Library.open(
      { facts: { id: "motor", product_line: "motor_liability" }, passages: passage },
      { facts: { id: "home", product_line: "home" }, passages: passage },
      { facts: { id: "all", product_line: null }, passages: passage },
    );
    expect((await library.found(question, { product_line: "Motor Liability" })).sort()).toEqual(["all", "motor"]);
  });

  test("those of the carrier and laws", async () => {
    const library = await Library.open(
      { facts: { id: "one", carrier: "První pojišťovna" }, passages: passage },
      { facts: { id: "two", carrier: "Druhá pojišťovna" }, passages: passage },
      { facts: { id: "law", carrier: null, document_type: null, provenance: "legal_note" }, passages: passage },
    );
    expect((await library.found(question, { carrier: "prvni pojistovna" })).sort()).toEqual(["law", "one"]);
  });

  test("those valid on the day, including their first and last day", async () => {
    const library = await Library.open({
      facts: { id: "limited", valid_from: "2026-01-01", valid_to: "2026-12-31" },
      passages: passage,
    });
    const on = (day: string) => library.found(question, { at: new Date(`${day}T12:00:00Z`) });
    expect(await on("2025-12-31")).toEqual([]);
    expect(await on("2026-01-01")).toEqual(["limited"]);
    expect(await on("2026-12-31")).toEqual(["limited"]);
    expect(await on("2027-01-01")).toEqual([]);
  });

  test("the newest valid version, not a future one", async () => {
    const version = (id: string, valid_from: string | null, number: string): Given => ({
      facts: { id, family: "wording", valid_from, version: number },
      passages: passage,
    });
    const library = await Library.open(
      version("old", "2020-01-01", "9"),
      version("new", "2025-01-01", "10"),
      version("next", "2027-01-01", "11"),
    );
    expect(await library.found(question)).toEqual(["new"]);
    expect(await library.found(question, { at: new Date("2021-01-01") })).toEqual(["old"]);
    const undated = await Library.open(version("nine", null, "9"), version("ten", null, "10"));
    expect(await undated.found(question)).toEqual(["ten"]);
  });

  test("those in the question's language first, other things being equal", async () => {
    const library = await Library.open(
      { facts: { id: "german", language: "de" }, passages: [["Kasko", "Kasko 2026"]] },
      { facts: { id: "czech", language: "cs" }, passages: [["Kasko", "Kasko 2026"]] },
    );
    expect((await library.found("Kasko 2026", { language: "cs" }))[0]).toBe("czech");
    expect((await library.found("Kasko 2026", { language: "de" }))[0]).toBe("german");
  });
});
