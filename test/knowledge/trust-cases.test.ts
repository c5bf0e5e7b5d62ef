import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";
import { reasonText } from "../../src/knowledge/faithfulness/verdict.ts";

function checked(source: string, question: string, answer: string) {
  const { promised, failed, claims, language } = checkFaithfulness({ question, answer, sources: [source] });
  const why = claims.flatMap(({ reason, doubt }) => reason ?? doubt ?? []).map((one) => reasonText(one, language));
  return { state: promised ? "OK" : failed ? "FAIL" : "WARN", why: why.join("; ") };
}

const excess = "The excess is EUR 300 for drivers over 25; otherwise EUR 1,000.";
const sums = "The sum insured is EUR 80,000 for contents and EUR 150,000 for the building.";
const fees = "The management fee is 1.2 % for class A units and 0.8 % for class B units.";
const children = "Children under 15 are insured free of charge.";
const glass = "Glass breakage is covered in the Comfort tariff.";
const spoluucast = "Spoluúčast je 5 000 Kč, u řidičů do 25 let 15 000 Kč.";
const suma = "Pojistná částka je 80 000 Kč pro domácnost a 150 000 Kč pro stavbu.";
const udzial = "Suma ubezpieczenia wynosi 80 000 zł dla ruchomości i 150 000 zł dla budynku.";

describe("one of several values without its case is not OK", () => {
  test.each([
    [excess, "What is the excess for a driver aged 20?", "The excess is EUR 300."],
    [sums, "What is the sum insured for the building?", "The sum insured is EUR 80,000."],
    [fees, "What is the management fee of class B?", "The management fee is 1.2 %."],
    [
      "The interest rate is 4.9 % for the first five years and 6.9 % thereafter.",
      "What rate applies after five years?",
      "The interest rate is 4.9 %.",
    ],
    [spoluucast, "Jaká je spoluúčast pro řidiče ve věku 20 let?", "Spoluúčast je 5 000 Kč."],
    [suma, "Jaká je pojistná částka pro stavbu?", "Pojistná částka je 80 000 Kč."],
    [
      "Čekací doba je tři měsíce u nemoci a osm měsíců u porodu.",
      "Jaká je čekací doba u porodu?",
      "Čekací doba je tři měsíce.",
    ],
    [
      "Poistná suma je 80 000 eur pre domácnosť a 150 000 eur pre stavbu.",
      "Aká je poistná suma pre stavbu?",
      "Poistná suma je 80 000 eur.",
    ],
    [
      "Der Selbstbehalt beträgt 300 Euro für Fahrer über 25 Jahre, sonst 1.000 Euro.",
      "Wie hoch ist der Selbstbehalt?",
      "Der Selbstbehalt beträgt 300 Euro.",
    ],
    [udzial, "Jaka jest suma ubezpieczenia budynku?", "Suma ubezpieczenia wynosi 80 000 zł."],
    [
      "Udział własny wynosi 300 euro, dla kierowców do 25 lat 1000 euro.",
      "Jaki jest udział własny?",
      "Udział własny wynosi 300 euro.",
    ],
    [
      "A biztosítási összeg 8 millió forint az ingóságokra és 15 millió forint az épületre.",
      "Mennyi a biztosítási összeg az épületre?",
      "A biztosítási összeg 8 millió forint.",
    ],
  ])("%p %p", (source, question, answer) => {
    const { state, why } = checked(source, question, answer);
    expect(state).toBe("WARN");
    expect(why).not.toBe("");
  });

  test.each([
    [excess, "What is the excess?", "The excess is EUR 300 for drivers over 25."],
    [sums, "What is the sum insured?", "The sum insured is EUR 80,000 for contents."],
    [fees, "What is the management fee of class A units?", "The management fee is 1.2 %."],
    [suma, "Jaká je pojistná částka?", "Pojistná částka pro domácnost je 80 000 Kč."],
    [spoluucast, "Jaká je spoluúčast?", "Spoluúčast u řidičů do 25 let je 15 000 Kč."],
    [udzial, "Jaka jest suma ubezpieczenia?", "Suma ubezpieczenia dla ruchomości wynosi 80 000 zł."],
    ["The premium is EUR 900 and the excess is EUR 300.", "What is the excess?", "The excess is EUR 300."],
    ["Der Beitrag beträgt 900 Euro und der Selbstbehalt 300 Euro.", "Was?", "Der Beitrag beträgt 900 Euro."],
    ["Poistné je 900 eur a spoluúčasť je 300 eur.", "Aká je spoluúčasť?", "Spoluúčasť je 300 eur."],
    ["A díj 50 000 forint és az önrész 100 000 forint.", "Mennyi az önrész?", "Az önrész 100 000 forint."],
  ])("a value with its case, or of another thing, is OK: %p %p", (source, question, answer) => {
    expect(checked(source, question, answer).state).toBe("OK");
  });
});

describe("a restriction in a sentence must be kept", () => {
  test.each([
    [glass, "Is glass breakage covered?", "Glass breakage is covered."],
    [glass, "Is glass breakage covered in the Basic tariff?", "Glass breakage is covered."],
    [children, "Are children insured free of charge?", "Children are insured free of charge."],
    ["Premiums grew by 8.2 % at constant exchange rates.", "How much?", "Premiums grew by 8.2 %."],
    ["Děti do 15 let jsou pojištěny zdarma.", "Jsou děti pojištěny zdarma?", "Děti jsou pojištěny zdarma."],
    ["Rozbití skla je kryto v tarifu Komfort.", "Je kryto rozbití skla?", "Rozbití skla je kryto."],
    ["Poistné vzrástlo o 8,2 % pri stálych výmenných kurzoch.", "O koľko?", "Poistné vzrástlo o 8,2 %."],
    ["Kinder unter 15 Jahren sind kostenlos versichert.", "Sind Kinder?", "Kinder sind kostenlos versichert."],
    ["Glasbruch ist im Komfort-Tarif versichert.", "Ist Glasbruch versichert?", "Glasbruch ist versichert."],
    ["Dzieci do 15 lat są ubezpieczone bezpłatnie.", "Czy dzieci?", "Dzieci są ubezpieczone bezpłatnie."],
    ["A díj változatlan árfolyamon 8,2 %-kal nőtt.", "Mennyivel nőtt a díj?", "A díj 8,2 %-kal nőtt."],
  ])("%p %p", (source, question, answer) => {
    expect(checked(source, question, answer).state).toBe("WARN");
  });

  test.each([
    [glass, "Is glass breakage covered in the Comfort tariff?", "Glass breakage is covered."],
    ["Rozbití skla je kryto v tarifu Komfort.", "Je v tarifu Komfort kryto rozbití skla?", "Rozbití skla je kryto."],
    [children, "Are children insured free of charge?", "Children under 15 are insured free of charge."],
    ["Bags over 23 kg cost GBP 12, and all bags are insured.", "Are bags insured?", "All bags are insured."],
  ])("in the answer or its question: %p %p", (source, question, answer) => {
    expect(checked(source, question, answer).state).toBe("OK");
  });
});

describe("the case in the question decides, even for a quotation", () => {
  test("if it is about a person of another age", () => {
    const answer = "Children under 15 are insured free of charge.";
    expect(checked(children, "Is a 17-year-old child insured free of charge?", answer)).toEqual({
      state: "WARN",
      why: "the source covers another case: the question asks about “17-year”, the source is about “Children under 15”",
    });
    expect(checked(children, "Is a 12-year-old child insured free of charge?", answer).state).toBe("OK");
  });

  test("if another sentence has a different value for it", () => {
    const source = "The excess is EUR 300. For drivers under 25 the excess is EUR 1,000.";
    expect(checked(source, "What is the excess for a driver aged 20?", "The excess is EUR 300.").state).toBe("WARN");
    expect(checked(source, "What is the excess?", "The excess is EUR 300.").state).toBe("OK");
  });
});
