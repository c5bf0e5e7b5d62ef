import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse } from "../../src/knowledge/retrieval/analysis.ts";
import { readIndexFile } from "../../src/knowledge/retrieval/file.ts";
import {
  parseTranslations,
  printTranslations,
  rounded,
  translationsIn,
} from "../../src/knowledge/retrieval/translations.ts";
import { Associations, openingPair, type Pair } from "../../tools/training/retrieval/associations.ts";
import { Library } from "../support/library.ts";

describe("translations of question words into answer words", () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,6}$/);
  const terms = fc.uniqueArray(fc.tuple(word, fc.double({ min: 5e-4, max: 1, noNaN: true }).map(rounded)), {
    selector: ([term]) => term,
    minLength: 1,
  });

  test("are read back as written, for any words and probabilities", () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(word, terms), { selector: ([asked]) => asked }), (lines) => {
        const translations = new Map(lines.map(([asked, found]) => [asked, new Map(found)]));
        const read = parseTranslations(JSON.parse(JSON.stringify(printTranslations(translations))));
        for (const unknown of ["asked by nobody", "constructor"]) expect(read.get(unknown)).toBeUndefined();
        for (const [asked, found] of translations) {
          expect([...(read.get(asked)?.keys() ?? [])].sort()).toEqual([...found.keys()].sort());
          for (const [term, probability] of found) expect(read.get(asked)?.get(term)).toBeCloseTo(probability, 9);
        }
      }),
    ));

  test("are learned from a text's opening and the rest; a short text has no opening", () => {
    const pair = openingPair(analyse(`theft cover ${"lock key ".repeat(30)}`, "en"));
    expect(pair?.question).toContain(analyse("theft", "en")[0]?.stem ?? "");
    expect(pair?.answer.get("lock")).toBe(24);
    expect(openingPair(analyse("theft of the key", "en"))).toBeNull();
  });

  test("are learned only from pairs with a weight, and always the same", async () => {
    const texts = ["premium monthly", "premium yearly", "lock garage", "lock alarm"];
    const asked = ["cost", "cost", "theft", "theft"];
    const library = await Library.open(
      ...texts.map((text, at) => ({ facts: { id: `d${at}` }, passages: [["", text]] as const })),
    );
    await library.corpus().rebuild();
    const index = await readIndexFile(library.file);
    if (!index) throw new Error("no index was written");
    const pairs = texts.map(
      (text, at): Pair => ({
        question: [asked[at] ?? ""],
        answer: new Map(analyse(text, "en").map(({ stem }) => [stem, 1])),
      }),
    );
    const associations = new Associations(pairs);
    const all = associations.translations(index, () => 1);
    expect([...(all.get("cost")?.keys() ?? [])]).toEqual(["premium"]);
    expect(translationsIn(index, all, "cost")).toHaveLength(1);
    expect(associations.translations(index, () => 1)).toEqual(all);
    expect(associations.translations(index, (pair) => (pair < 2 ? 1 : 0)).has("theft")).toBe(false);
  });
});
