import { describe, expect, test } from "bun:test";
import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import { splitSentences } from "../../src/knowledge/faithfulness/claims.ts";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";
import { reasonText } from "../../src/knowledge/faithfulness/verdict.ts";

function checked(sources: readonly string[], question: string, answer: string) {
  const { promised, failed, claims, language } = checkFaithfulness({ question, answer, sources });
  const why = claims.flatMap(({ reason, doubt }) => reason ?? doubt ?? []).map((one) => reasonText(one, language));
  return { state: promised ? "OK" : failed ? "FAIL" : "WARN", why: why.join("; ") };
}

/** A sentence, the rest without its beginning, and a question that does not supply it. */
const fragments: readonly (readonly [string, string, string])[] = [
  ["Under the Gold plan, operations are paid up to EUR 4,000.", "Operations are paid up to EUR 4,000.", "What?"],
  ["In the Gold plan the excess for glass is zero.", "The excess for glass is zero.", "What in the Silver plan?"],
  ["Contactless payments up to EUR 50 need no PIN.", "Payments up to EUR 50 need no PIN.", "What?"],
  ["The first two withdrawals are free.", "Withdrawals are free.", "What do withdrawals cost?"],
  ["V balíčku Maxi je vandalismus kryt do 200 000 Kč.", "Vandalismus je kryt do 200 000 Kč.", "Je kryt?"],
  ["Studentské účty jsou vedeny bez poplatku.", "Účty jsou vedeny bez poplatku.", "Kolik stojí účet?"],
  ["Úplná invalidita sa odškodňuje sumou 40 000 eur.", "Invalidita sa odškodňuje sumou 40 000 eur.", "Ako?"],
  ["Ambulante Operationen sind bis 2.000 EUR versichert.", "Operationen sind bis 2.000 EUR versichert.", "Was?"],
  ["Im Tarif Exklusiv ist Reha bis 500 EUR versichert.", "Reha ist bis 500 EUR versichert.", "Im Tarif Kompakt?"],
  ["Nagłe leczenie jest pokrywane do 1000 zł.", "Leczenie jest pokrywane do 1000 zł.", "Ile?"],
  ["A sürgősségi kezelés 300 euróig térített.", "A kezelés 300 euróig térített.", "Mennyi?"],
];

describe("a sentence without its beginning", () => {
  test.each(fragments)("is not OK: %p, %p", (source, part, question) => {
    expect(checked([source], question, part).state).not.toBe("OK");
    expect(checked([source], question, source).state).toBe("OK");
  });

  test("is not a quotation, and is read like any other claim; a whole sentence is a quotation", () => {
    const source =
      "Acute dental treatment is covered. Theft is covered; loss of keys in the mail is not covered at all.";
    const quoted = (answer: string) =>
      assess({ question: "What?", answer, sources: [source] }).claims.map((claim) => claim.quoted);
    expect(quoted("Dental treatment is covered.")).toEqual([false]);
    expect(quoted("Acute dental treatment is covered.")).toEqual([true]);
    expect(quoted("Theft is covered; loss of keys in the mail is not covered at all.")).toEqual([true]);
  });

  test("may omit other items of an enumeration", () => {
    expect(checked(["A lost or stolen card must be reported."], "What?", "A stolen card must be reported.").state).toBe(
      "OK",
    );
    const excluded = "Not covered are hail, storm and flood.";
    expect(checked([excluded], "Is hail covered?", "Hail is not covered.").state).toBe("OK");
  });
});

describe("German ordinals do not end a sentence", () => {
  test.each([
    "Die Rate ist am 15. Kalendertag fällig.",
    "Bis zum vollendeten 25. Lebensjahr sind Kinder versichert.",
    "Ab dem 546. Tag endet das Krankengeld.",
    "Vom 1. Werktag an gilt der Schutz.",
  ])("%p", (sentence) => {
    expect(splitSentences(sentence)).toEqual([{ start: 0, end: sentence.length }]);
  });

  test("a number at the end of a sentence does", () => {
    expect(splitSentences("Der Vertrag endet am 5. Der Beitrag ist frei.")).toHaveLength(2);
    expect(splitSentences("The class is 43. Claims are paid.")).toHaveLength(2);
  });

  test("a combination of halves of two sentences is not OK", () => {
    const sources = ["Die Rate ist am 15. Kalendertag fällig. Der Zins ist am 30. Bankarbeitstag fällig."];
    expect(checked(sources, "Wann?", "Die Rate ist am 15. Bankarbeitstag fällig.").state).not.toBe("OK");
    expect(checked(sources, "Wann?", "Die Rate ist am 15. Kalendertag fällig.").state).toBe("OK");
  });
});

describe("an exception within a sentence, and a limit at its end", () => {
  test.each([
    [
      "Dogs other than fighting breeds are insured up to EUR 500.",
      "Dogs are insured up to EUR 500.",
      "fighting breeds",
    ],
    ["Úspory s výjimkou příspěvku lze převést do 3 měsíců.", "Úspory lze převést do 3 měsíců.", "příspěvku"],
    ["Poplatky okrem notárskych sa vracajú do 14 dní.", "Poplatky sa vracajú do 14 dní.", "notárskych"],
    ["Kreditkarten ausgenommen Firmenkarten sind versichert.", "Kreditkarten sind versichert.", "Firmenkarten"],
    ["Umowy oprócz grupowych można wypowiedzieć w 30 dni.", "Umowy można wypowiedzieć w 30 dni.", "grupowych"],
    ["A háziállatok a lovak kivételével biztosítottak.", "A háziállatok biztosítottak.", "lovak"],
    [
      "Sehhilfen werden bis 300 EUR erstattet, für Kinder jedoch bis 120 EUR.",
      "Sehhilfen werden bis 300 EUR erstattet.",
      "Kinder",
    ],
    ["Baggage is covered up to EUR 900, in cars however not at all.", "Baggage is covered up to EUR 900.", "in cars"],
    ["Elektronika je kryta do 900 Kč, ve vozidle však vůbec.", "Elektronika je kryta do 900 Kč.", "ve vozidle"],
  ])("%p is not %p", (source, answer, named) => {
    const { state, why } = checked([source], "?", answer);
    expect(state).not.toBe("OK");
    expect(why).toContain(named);
    expect(checked([source], "?", source).state).toBe("OK");
  });
});

describe("`Yes` affirms everything in the question", () => {
  test.each([
    [
      "Theft of the boat is insured up to EUR 900. Boats are insured in Austria only.",
      "Is my boat insured in Spain?",
      "Yes, theft of the boat is insured up to EUR 900.",
    ],
    [
      "Vybavení bytu je pojištěno do 900 Kč. Pronájem není pojištěn.",
      "Je pojištěn i pronájem?",
      "Ano, vybavení bytu je pojištěno do 900 Kč.",
    ],
    ["Liečba psa je hradená do 800 eur.", "Platí poistenie psa v Rakúsku?", "Áno, liečba psa je hradená do 800 eur."],
    [
      "Fahrräder sind bis 900 EUR versichert.",
      "Ist ein Fahrrad beim Transport versichert?",
      "Ja, Fahrräder sind bis 900 EUR versichert.",
    ],
    ["Szkody są objęte do 900 zł.", "Czy szkody za granicą są objęte?", "Tak, szkody są objęte do 900 zł."],
    [
      "A vásárlás 900 Ft-ig biztosított.",
      "A vásárlás Törökországban biztosított?",
      "Igen, a vásárlás 900 Ft-ig biztosított.",
    ],
  ])("%p %p", (source, question, answer) => {
    expect(checked([source], question, answer).state).not.toBe("OK");
    const [, ...rest] = answer.split(", ");
    expect(checked([source], "?", rest.join(", ")).state).toBe("OK");
  });

  test("is OK if the sentence has everything that was asked", () => {
    const source = "Theft of the boat in Spain is insured up to EUR 900.";
    const answer = "Yes, theft of the boat is insured up to EUR 900.";
    expect(checked([source], "Is theft of my boat in Spain insured?", answer).state).toBe("OK");
  });
});

describe("a value below another title", () => {
  test.each([
    [
      ["Tarif Basis\nDer Selbstbehalt beträgt 150 EUR.", "Tarif Premium\nEs gibt keinen Selbstbehalt."],
      "Tarif",
      "Basis",
      "Premium",
      "Der Selbstbehalt beträgt 150 EUR.",
    ],
    [
      ["Private account\nThe monthly fee is EUR 3.", "Business account\nThe monthly fee is EUR 9."],
      "What is the monthly fee of the account",
      "Private",
      "Business",
      "The monthly fee is EUR 3.",
    ],
    [
      ["Varianta Zlatá\nČekací doba činí 6 měsíců."],
      "Jaká je čekací doba ve variantě",
      "Zlatá",
      "Stříbrná",
      "Čekací doba činí 6 měsíců.",
    ],
    [
      ["Alap csomag\nAz önrész 900 Ft káronként."],
      "Mennyi az önrész, csomag",
      "Alap",
      "Prémium",
      "Az önrész 900 Ft káronként.",
    ],
  ])("%p", (sources, question, own, other, answer) => {
    expect(checked(sources, `${question} ${own}?`, answer).state).toBe("OK");
    expect(checked(sources, `${question} ${other}?`, answer).state).not.toBe("OK");
  });

  test("two equal sentences with different amounts make neither OK", () => {
    const sources = ["The notice period is two months.", "The notice period is one month."];
    expect(checked(sources, "How long is it?", "The notice period is one month.").state).not.toBe("OK");
  });
});

test("a negation with its comma is not a word missing in the sources", () => {
  const source = "Nicht versichert sind Kraftfahrzeuge, Drohnen über 250 Gramm und Tiere.";
  expect(checked([source], "Sind Tiere versichert?", "Nein, Tiere sind nicht versichert.").state).not.toBe("FAIL");
});
