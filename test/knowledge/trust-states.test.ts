import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";

const stateOf = (source: string, answer: string, question = answer): string => {
  const { promised, failed } = checkFaithfulness({ question, answer, sources: [source] });
  return promised ? "OK" : failed ? "FAIL" : "WARN";
};

describe("FAIL", () => {
  const theft = "The policyholder must notify the insurer of a theft within 7 days of discovering it.";
  const glasses = "Brillen und Kontaktlinsen erstatten wir bis zu 300 Euro alle zwei Jahre, wenn ein Rezept vorliegt.";

  test.each([
    [theft, "The insurer has to be told about a theft by the policyholder within a week of its discovery."],
    [glasses, "Liegt ein Rezept vor, werden Brillen und Kontaktlinsen alle zwei Jahre bis 300 Euro bezahlt."],
    ["Der Selbstbehalt beträgt 500 Euro.", "Sie tragen 500 Euro selbst."],
    ["Škodu je třeba ohlásit do 7 dnů.", "Napište nám, co se stalo, nejpozději za týden."],
    ["Portable electronics are covered except when left in a car.", "If left in a car, electronics are not covered."],
  ])("few words of the source in common are no contradiction: %p", (source, answer) => {
    expect(stateOf(source, answer, "How is it?")).not.toBe("FAIL");
  });

  test.each([
    [theft, "You must notify the insurer of a theft within 70 days of discovering it."],
    [glasses, "Brillen und Kontaktlinsen erstatten wir bis zu 300 Franken alle zwei Jahre, wenn ein Rezept vorliegt."],
    [theft, "Stolen goods are found by the famous detective Sherlock in most cases."],
    [theft, "I would love to go to the seaside with you some time."],
    ["Poisťovňa hradí škody spôsobené povodňou.", "Poisťovňa nehradí škody spôsobené povodňou."],
  ])("another amount, unit or name, a denial and an opinion fail: %p", (source, answer) => {
    expect(stateOf(source, answer, "How is it?")).toBe("FAIL");
  });

  test("part of a sentence, word for word, is no failure", () => {
    for (const part of ["Kontaktlinsen erstatten wir", "alle zwei Jahre", "300 Euro"])
      expect(stateOf(glasses, part, "Was zahlt ihr?")).not.toBe("FAIL");
  });
});
