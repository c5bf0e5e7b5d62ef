import { describe, expect, test } from "bun:test";
import { differInAmounts } from "../../src/products/capabilities/insurance-assistant/amounts.ts";
import { type Sentence, sentencesOf } from "../../src/products/capabilities/insurance-assistant/sentences.ts";
import { foundChunk } from "../support/chunks.ts";

function sentence(text: string, language: string): Sentence {
  const found = foundChunk({ id: 1, text });
  const [only, ...others] = sentencesOf({ ...found, document: { ...found.document, language } }, 0);
  if (!only || others.length > 0) throw new Error(`"${text}" is not one sentence`);
  return only;
}

const differ = (one: string, other: string, language: string): boolean[] => {
  const [a, b] = [sentence(one, language), sentence(other, language)];
  return [differInAmounts(a, b), differInAmounts(b, a)];
};

describe("Two sentences", () => {
  test.each([
    ["cs", "Při odcizení vozidla činí spoluúčast 10 %.", "Spoluúčast 5 %, nejméně 5 000 Kč; při odcizení 10 %."],
    ["cs", "Spoluúčast 1 000 Kč, u povodně 5 000 Kč.", "U povodně a záplavy činí spoluúčast 5 000 Kč."],
    ["sk", "Spoluúčasť je 5 %, pri krádeži 10 %.", "Pri krádeži vozidla je spoluúčasť 10 %."],
    ["de", "Selbstbeteiligung 150 EUR, bei Diebstahl 300 EUR.", "Bei Diebstahl beträgt die Selbstbeteiligung 300 EUR."],
    ["en", "The deductible is 5 %, at theft 10 %.", "The deductible at theft is 10 %."],
    ["pl", "Franszyza wynosi 200 zł, przy kradzieży 500 zł.", "Przy kradzieży franszyza wynosi 500 zł."],
  ])("agree if one has the other's amount among those for other cases (%s): %s", (language, one, other) => {
    expect(differ(one, other, language)).toEqual([false, false]);
  });

  test.each([
    ["Vypůjčené věci jen do 50 000 Kč.", "Spoluúčast činí 1 000 Kč z každé události; u vypůjčené věci 5 000 Kč."],
    ["Cennosti do 80 000 Kč, v trezoru do 250 000 Kč.", "Cennosti: limit plnění 250 000 Kč; spoluúčast 1 000 Kč."],
  ])("agree if one is a limit and the other a deductible: %s", (one, other) => {
    expect(differ(one, other, "cs")).toEqual([false, false]);
  });

  test.each([
    ["cs", "Povodeň do 300 000 Kč; čekací doba je 14 dnů.", "Povodeň je kryta po uplynutí čekací doby 10 dnů."],
    ["cs", "Povodeň: limit 300 000 Kč; spoluúčast 5 000 Kč.", "Povodeň: limit 500 000 Kč; spoluúčast 5 000 Kč."],
    ["cs", "Spoluúčast 5 %, nejméně 5 000 Kč.", "Spoluúčast 10 %, nejméně 5 000 Kč."],
    ["cs", "Povodeň jen do 300 000 Kč.", "Limit plnění pro povodeň je 500 000 Kč."],
    ["de", "Die Selbstbeteiligung beträgt 150 EUR.", "Die Selbstbeteiligung beträgt 300 EUR."],
    ["en", "The deductible is 5 %, at theft 10 %.", "The deductible is 5 %, at theft 20 %."],
  ])("contradict each other if they have different amounts for the same thing (%s): %s", (language, one, other) => {
    expect(differ(one, other, language)).toEqual([true, true]);
  });
});
