import { describe, expect, test } from "bun:test";
import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import { checkFaithfulness, verdictsOn } from "../../src/knowledge/faithfulness/scorer.ts";
import { reasonText } from "../../src/knowledge/faithfulness/verdict.ts";

function checked(source: string, question: string, answer: string) {
  const { promised, failed, claims, language } = checkFaithfulness({ question, answer, sources: [source] });
  const why = claims.flatMap(({ reason, doubt }) => reason ?? doubt ?? []).map((one) => reasonText(one, language));
  return { state: promised ? "OK" : failed ? "FAIL" : "WARN", why: why.join("; ") };
}

describe("no reason denies a figure that the sources have", () => {
  const flood =
    "Damage caused by flood is insured up to EUR 50,000. The policyholder bears the first EUR 500 of each loss.";
  const povoden = "Škody způsobené povodní jsou pojištěny do 50 000 Kč. Pojistník hradí prvních 500 Kč z každé škody.";
  const hochwasser =
    "Schäden durch Hochwasser sind bis 50.000 Euro versichert. Die ersten 500 Euro je Schaden trägt der Versicherungsnehmer.";

  test.each([
    [flood, "Flood is covered up to EUR 50,000 with an excess of EUR 500.", "“EUR 500” is in the sources"],
    [povoden, "Povodeň je kryta do 50 000 Kč se spoluúčastí 500 Kč.", "„500 Kč“ ve zdrojích je"],
    [hochwasser, "Hochwasser ist bis 50.000 Euro mit einem Selbstbehalt von 500 Euro versichert.", "“500 Euro” is in"],
    [
      "Krupobití je kryto. Plní se do výše 200 000 Kč.",
      "Krupobití je kryto do 200 000 Kč.",
      "„200 000 Kč“ ve zdrojích",
    ],
  ])("%p", (source, answer, reason) => {
    const { state, why } = checked(source, "?", answer);
    expect(state).toBe("WARN");
    expect(why).toStartWith(reason);
  });

  test("a claim with such a figure does not fail if the reader finds it unsaid", () => {
    const answer = "Flood is covered up to EUR 50,000 with an excess of EUR 500.";
    const assessment = assess({ question: "Is flood covered?", answer, sources: [flood] });
    const unsaid = { entailed: 0.01, unsaid: 0.98, denied: 0.01, answers: 0.01, whole: true };
    expect(verdictsOn(assessment, [unsaid]).failed).toBe(false);
  });

  test("a figure that no source has, or has for something else, still fails", () => {
    const more = "Flood is covered up to EUR 70,000 with an excess of EUR 500.";
    expect(checked(flood, "Is flood covered?", more).state).toBe("FAIL");
    const swapped = "Flood is covered up to EUR 500 with an excess of EUR 50,000.";
    expect(checked(flood, "Is flood covered?", swapped).state).toBe("FAIL");
  });

  test("an earlier figure in brackets shares its unit with the one before", () => {
    const source = "The operating profit increased 6.7 % to 14.7 (2022: 13.8) billion euros.";
    expect(checked(source, "What was it?", "Operating profit increased to EUR 14.7 billion.").why).not.toContain(
      "14.7",
    );
    expect(checked(source, "What was it?", "Operating profit increased to EUR 15.7 billion.").state).not.toBe("OK");
  });
});
