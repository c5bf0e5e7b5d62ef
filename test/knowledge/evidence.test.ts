import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answerLogit } from "../../src/knowledge/faithfulness/answer-score.ts";
import { splitClaims, splitSentences } from "../../src/knowledge/faithfulness/claims.ts";
import { directions, featureNames } from "../../src/knowledge/faithfulness/features.ts";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";
import weights from "../../src/knowledge/faithfulness/weights.json" with { type: "json" };
import { parseNumber, tokenize } from "../../src/knowledge/language/tokens.ts";
import { minimalPairs } from "../../tools/training/faithfulness/corruptions.ts";

const keys = (text: string, language: "cs" | "sk" | "en") => tokenize(text, language).map(({ key }) => key);
const texts = (text: string, split: typeof splitClaims) => split(text).map(({ start, end }) => text.slice(start, end));

describe("numbers and dates", () => {
  test.each([
    ["500 000", "cs", 500_000],
    ["500\u00a0000,50", "cs", 500_000.5],
    ["57.410", "cs", 57_410],
    ["3,5", "sk", 3.5],
    ["1,234.5", "en", 1234.5],
    ["3.500", "en", 3.5],
    ["1.2.3", "en", 1],
  ] as const)("%p in %p is %p", (written, language, value) => {
    expect(parseNumber(written, language)).toBe(value);
  });

  test("a multiplier is part of the number, and a number word is a number", () => {
    expect(keys("60 milionů korun", "cs")[0]).toBe(keys("60.000.000 Kč", "cs")[0] ?? "none");
    expect(keys("three claims", "en")[0]).toBe("#3");
  });

  test("a date is the same in figures and in words, in both languages", () => {
    expect(keys("3. dubna 2024", "cs")).toEqual(["#3", "@m4", "#2024"]);
    expect(keys("3. 4. 2024", "cs")).toEqual(["#3", "@m4", "#2024"]);
    expect(keys("2024-04-03", "en")).toEqual(["#3", "@m4", "#2024"]);
    expect(keys("3 April 2024", "en")).toEqual(["#3", "@m4", "#2024"]);
  });

  test("a currency is the same as a sign, a code and a word", () => {
    const currency = (text: string, language: "cs" | "en") => tokenize(text, language)[0]?.unit;
    expect(currency("500 Kč", "cs")).toBe("czk");
    expect(currency("500 korun", "cs")).toBe("czk");
    expect(currency("€500", "en")).toBe("eur");
  });
});

test.each([
  ["Which comic published the heroine made by J. H. Williams III?", "asked"],
  ["Whom did the player ranked No. 1 in singles defeat?", "asked"],
  ['Who gives the award for the film "Babe?"', "asked"],
  ["I have a car. Which comic published the heroine?", "english"],
  ["Which comic published the heroine.", "english"],
])("with the question %p, a short answer is judged as %p", (question, kind) => {
  const sources = ["Williams made the heroine for Detective Comics."];
  expect<string>(checkFaithfulness({ question, answer: "Detective Comics", sources }).kind).toBe(kind);
});

test("a superlative or a noun starting with ne- is not a negation, a verb is", async () => {
  const sources = ["Škodu je třeba oznámit do 15 dnů. Nehodu hlaste policii."];
  const score = async (answer: string) => checkFaithfulness({ question: "", answer, sources }).score;
  expect(await score("Škodu oznamte nejpozději do 15 dnů.")).toBeGreaterThan(0.5);
  expect(await score("Nehodu neprodleně hlaste policii.")).toBeGreaterThan(0.5);
  expect(await score("Nehodu nehlaste policii.")).toBeLessThan(0.5);
});

test("a number that the source gives for something else supports nothing", async () => {
  const source = "Škodu je třeba oznámit do 15 dnů, škodu v zahraničí do 30 dnů.";
  const score = async (answer: string) => checkFaithfulness({ question: "", answer, sources: [source] }).score;
  expect(await score("Škodu je třeba oznámit do 15 dnů.")).toBeGreaterThan(0.5);
  expect(await score("Škodu v zahraničí je třeba oznámit do 30 dnů.")).toBeGreaterThan(0.5);
  expect(await score("Škodu v zahraničí je třeba oznámit do 15 dnů.")).toBeLessThan(0.5);
});

describe("a claim that is OK", () => {
  const isPromised = (answer: string, sources: readonly string[], question = answer) =>
    checkFaithfulness({ question, answer, sources }).promised;
  const apart = ["The waiting period is six months.", "Dental treatment is paid up to EUR 500 a year."];

  test("may have co-ordinated statements from different sentences, all of which must be supported", () => {
    expect(
      isPromised("The waiting period is half a year and dental treatment is paid up to EUR 500 a year.", apart),
    ).toBe(true);
    expect(
      isPromised("The waiting period is half a year and dental treatment is paid up to EUR 600 a year.", apart),
    ).toBe(false);
  });

  test("may not drop a condition of one of its two statements", () => {
    const sources = ["Baggage is insured up to EUR 2,000 provided it was supervised.", "Jewellery is not insured."];
    expect(isPromised("Jewellery is excluded and baggage is insured up to EUR 2,000.", sources)).toBe(false);
  });

  test("may start with a No that answers the question, which negates nothing after it", () => {
    const sources = ["Rental cars are insured worldwide, except in the United States."];
    const question = "Is a rental car insured in the United States?";
    expect(isPromised("No, rental cars are not insured in the United States.", sources, question)).toBe(true);
    expect(isPromised("No, rental cars are insured in the United States.", sources, question)).toBe(false);
  });

  test(`keeps a "without" with its noun, wherever the predicate is`, () => {
    const sources = ["Poisťovňa nehradí škody na vozidle bez platnej technickej kontroly."];
    expect(isPromised("Škody na vozidle bez platnej technickej kontroly poisťovňa neuhradí.", sources)).toBe(true);
    expect(isPromised("Škody na vozidle bez platnej technickej kontroly poisťovňa uhradí.", sources)).toBe(false);
  });
});

describe("claims", () => {
  test("do not end at abbreviations, initials and Czech ordinals", () => {
    expect(texts("Schůzi vedl Ing. Novák dne 3. dubna. Trvala hodinu.", splitSentences)).toEqual([
      "Schůzi vedl Ing. Novák dne 3. dubna.",
      "Trvala hodinu.",
    ]);
  });

  test("end at the same places if there is a space before a full stop", () => {
    expect(splitSentences("Vedl ji Ing . Novák . Trvala hodinu .")).toHaveLength(2);
  });

  test("are co-ordinated clauses of a long sentence, but not of a short one", () => {
    const long = "The insurer pays for damage caused by a flood, but it does not pay for damage caused by intent.";
    expect(texts(long, splitClaims)).toHaveLength(2);
    expect(texts("It pays, but not much.", splitClaims)).toHaveLength(1);
  });

  test("are parts of the answer, in order and without overlap", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (answer) => {
        let last = 0;
        for (const { start, end } of splitClaims(answer)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(answer.length);
      }),
    );
  });
});

describe("scorer", () => {
  test("the shipped weights have one number per feature and keep each feature's direction", () => {
    for (const model of [weights.models.slavic, weights.models.english, weights.models.asked]) {
      expect(Object.keys(model.weights)).toEqual([...featureNames]);
      const against = Object.entries(model.weights).filter(([name, weight]) => weight * (directions[name] ?? 0) < 0);
      expect(against).toEqual([]);
    }
  });

  test("one unsupported claim lowers an answer below the mean of its claims", () => {
    expect(answerLogit([2, 2, -2])).toBeCloseTo((2 / 3 - 2) / 2);
    expect(answerLogit([])).toBe(0);
  });

  test("the spacing of a source's punctuation does not change the score", async () => {
    const source = "Povodeň poškodila dům, garáž (a zahradu). Škoda činí 300 000 Kč, uvedl Ing. Novák.";
    const spaced = "Povodeň poškodila dům , garáž ( a zahradu ) . Škoda činí 300 000 Kč , uvedl Ing . Novák .";
    const check = (text: string) =>
      checkFaithfulness({ question: "", answer: "Škoda na domě činí 300 000 Kč.", sources: [text] });
    expect((await check(spaced)).score).toBe((await check(source)).score);
  });

  test("minimal pairs come in twos, the changed one differs, and the seed determines them", () => {
    const rows = [
      "The limit is 500 EUR and the excess is 50 EUR for each claim.",
      "The policy is valid for twelve months in Europe.",
    ].map((source, at) => ({ set: "x", group: `${at}`, question: "", answer: "", sources: [source], faithful: true }));
    const pairs = minimalPairs(rows, "en", "seed");
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.length % 2).toBe(0);
    for (let at = 0; at < pairs.length; at += 2) {
      expect(pairs[at]?.faithful).toBe(true);
      expect(pairs[at + 1]?.faithful).toBe(false);
      expect(pairs[at + 1]?.answer).not.toBe(pairs[at]?.answer ?? "");
    }
    expect(minimalPairs(rows, "en", "seed")).toEqual(pairs);
  });
});
