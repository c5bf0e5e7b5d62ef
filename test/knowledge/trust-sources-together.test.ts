import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";

/** Returns an answer's trust state by its words alone. */
function stateOf(sources: readonly string[], question: string, answer: string): string {
  const { promised, failed } = checkFaithfulness({ question, answer, sources });
  return promised ? "OK" : failed ? "FAIL" : "WARN";
}

describe("a rule that another source ends or restricts is not OK", () => {
  test.each([
    ["Staff may park in the yard.", "Memo: parking in the yard is no longer possible for agency staff."],
    ["The travel allowance is GBP 40 a day.", "The travel allowance has been discontinued for short trips."],
    ["The grant is EUR 900.", "The grant is only available to residents."],
    ["Zaměstnanec může pracovat z domova tři dny.", "Oběžník: Pro zákaznickou linku se pravidla práce z domova ruší."],
    ["Za práci v noci náleží příplatek 25 procent.", "Vedoucím příplatek za práci v noci nenáleží."],
    ["Zľava na spiatočný lístok je 50 percent.", "Zľava na spiatočný lístok sa v sobotu neuplatňuje."],
    ["Hostia majú pripojenie na internet zdarma.", "Oznam: pripojenie na internet je pozastavené."],
    ["Die Rechnung kann in drei Raten gezahlt werden.", "Die Ratenzahlung wird für Neuverträge nicht mehr angeboten."],
    ["Kunden erhalten einen Treuerabatt von 5 Prozent.", "Der Treuerabatt steht nur Kunden ohne Schaden zu."],
    ["Dopłata do okularów wynosi 400 zł.", "Przepisu o dopłacie do okularów nie stosuje się do umów zlecenia."],
    ["Pociąg Bryza kursuje codziennie.", "Od 3 listopada pociąg Bryza zostaje odwołany."],
    ["A hűségkedvezmény 5 százalék.", "A hűségkedvezmény kizárólag kármentes ügyfeleknek jár."],
    ["A munkavállaló heti két napot dolgozhat otthonról.", "Az otthonról végzett munka lehetősége megszűnik."],
  ])("%p with %p", (rule, other) => {
    expect(stateOf([rule], rule, rule)).toBe("OK");
    expect(stateOf([rule, other], rule, rule)).toBe("WARN");
  });

  test.each([
    ["The grant is EUR 900.", "Only those who have lived here for two years qualify."],
    ["Das Weihnachtsgeld beträgt 900 Euro.", "Anspruch hat nur, wer im November beschäftigt ist."],
    ["Příspěvek činí 900 Kč.", "Nárok má jen ten, kdo dojíždí."],
    ["Dodatek wynosi 900 zł.", "Otrzymuje go tylko ten, kto pracuje na pełny etat."],
    ["A támogatás 90 000 forint.", "Csak az kaphatja meg, aki itt lakik."],
  ])("%p before %p, which restricts only who is entitled", (rule, next) => {
    expect(stateOf([`${rule} ${next}`], rule, rule)).toBe("WARN");
  });

  test.each([
    ["The late fee is EUR 12.", "From 1 May 2026 the late fee is EUR 20."],
    ["The travel allowance is GBP 40 a day.", "From 1 May 2026 the travel allowance is GBP 55 a day."],
    ["Poplatek za upomínku činí 100 Kč.", "Dodatek: poplatek za upomínku činí 150 Kč."],
    ["Die Mahngebühr beträgt 5 Euro.", "Preisanpassung: Die Mahngebühr beträgt künftig 8 Euro."],
    ["A felszólítás díja 1000 forint.", "Módosítás: a felszólítás díja 1500 forint."],
  ])("nor %p with another amount for the same", (rule, other) => {
    expect(stateOf([rule, other], rule, rule)).toBe("WARN");
  });

  test("nor the general value if another source names the special case", () => {
    const terms = "Goods may be returned within 60 days. For clearance items the period is 14 days.";
    const answer = "Goods may be returned within 60 days.";
    expect(stateOf([terms], "How long do I have to return the tent?", answer)).toBe("OK");
    expect(stateOf([terms, "Order: tent, clearance."], "How long do I have to return the tent?", answer)).toBe("WARN");
  });

  test.each([
    ["Guests may bring one dog.", "The old pool rules were withdrawn in March."],
    ["Příspěvek na stravu činí 80 Kč denně.", "Příspěvek na dopravu se ruší."],
    ["Das Ticket gilt drei Tage.", "Die Abholung ist nur nach Termin möglich."],
    ["Bilet kosztuje 4 zł.", "Sprzedaż u kierowcy zostaje zniesiona."],
    ["The limit is EUR 5,000 per event.", "The limit is EUR 20,000 per year."],
  ])("but %p is, with the end of something else: %p", (rule, other) => {
    expect(stateOf([rule, other], rule, rule)).toBe("OK");
  });
});

describe("a claim that combines statements about two things is not OK", () => {
  test.each([
    [
      "The Basic account costs EUR 2 a month.",
      "The Plus account costs EUR 9 and includes free cash withdrawals abroad.",
      "The Basic account costs EUR 2 a month and includes free cash withdrawals abroad.",
    ],
    [
      "Na kotel poskytujeme záruku dva roky.",
      "Na čerpadlo poskytujeme záruku sedm let, pokud je zákazník zaregistruje.",
      "Na kotel poskytujeme záruku dva roky, a pokud jej zákazník zaregistruje, sedm let.",
    ],
    [
      "Das Konto Start kostet 2 Euro im Monat.",
      "Das Konto Plus kostet 9 Euro und umfasst kostenlose Abhebungen.",
      "Das Konto Start kostet 2 Euro im Monat und umfasst kostenlose Abhebungen.",
    ],
  ])("%p and %p", (one, other, answer) => {
    expect(stateOf([one, other], "What is offered?", answer)).not.toBe("OK");
  });

  test("nor one without a subject, if the sentence's differs from the question's", () => {
    const plus = "The Plus account costs EUR 9 and includes free cash withdrawals abroad.";
    const answer = "It includes free cash withdrawals abroad.";
    expect(stateOf([plus], "What does the Basic account include?", answer)).toBe("WARN");
    expect(stateOf([plus], "What does the Plus account include?", answer)).toBe("OK");
  });

  test("nor one that gives a reason, if no source does", () => {
    const sources = ["The fee rose in June. The customer gave up the card in May."];
    const answer = "The fee rose in June because the customer gave up the card in May.";
    expect(stateOf(sources, "Why did the fee rise?", answer)).not.toBe("OK");
  });

  test("but for one thing it is OK", () => {
    const source = "The Basic account costs EUR 2 a month. The Basic account includes free cash withdrawals.";
    const answer = "The Basic account costs EUR 2 a month and includes free cash withdrawals.";
    expect(stateOf([source], "What does it offer?", answer)).toBe("OK");
  });
});
