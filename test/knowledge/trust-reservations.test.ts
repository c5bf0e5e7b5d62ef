import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";

/** Returns an answer's trust state by its words alone, and the rules that its claims fail. */
function checked(sources: readonly string[], question: string, answer: string) {
  const { promised, failed, claims } = checkFaithfulness({ question, answer, sources });
  const rules = claims.flatMap(({ reason, doubt }) => reason ?? doubt ?? []).map(({ rule }) => rule);
  return { state: promised ? "OK" : failed ? "FAIL" : "WARN", rules };
}

describe("a quoted sentence that another sentence qualifies is not OK", () => {
  test.each([
    ["an exception", "Lounge access is free. This does not apply to guests.", "Lounge access is free."],
    ["an exception", "Vklad je zdarma. To neplatí pro hotovost.", "Vklad je zdarma."],
    ["an exception", "Vklad je bezplatný. Výnimkou sú podnikatelia.", "Vklad je bezplatný."],
    ["an exception", "Die Lieferung ist kostenlos. Dies gilt nicht für Inseln.", "Die Lieferung ist kostenlos."],
    ["an exception", "Dostawa jest bezpłatna. Nie dotyczy to wysp.", "Dostawa jest bezpłatna."],
    ["an exception", "A szállítás ingyenes. Ez nem vonatkozik a szigetekre.", "A szállítás ingyenes."],
    ["a contrast", "The card is free. However, students pay EUR 5.", "The card is free."],
    ["a contrast", "Die Karte ist kostenlos. Studenten zahlen jedoch 5 Euro.", "Die Karte ist kostenlos."],
    ["a condition", "The repair is free. The condition is a yearly service.", "The repair is free."],
    ["a condition", "Oprava je zdarma. Podmínkou je roční prohlídka.", "Oprava je zdarma."],
    ["a repeal", "The account fee is EUR 5. From 1 May 2026 this fee is abolished.", "The account fee is EUR 5."],
    ["an exclusion", "Bicycles are covered. Electric bicycles are not.", "Bicycles are covered."],
    ["an exclusion", "Fahrräder sind versichert. Für E-Bikes besteht kein Schutz.", "Fahrräder sind versichert."],
  ])("%s: %p", (_, source, answer) => {
    expect(checked([source], "What do the terms say?", answer)).toEqual({
      state: "WARN",
      rules: ["condition_dropped"],
    });
  });

  test.each([
    ["The excess is EUR 100. For storm it is EUR 500.", "What is the excess for storm?", "The excess is EUR 100."],
    ["Spoluúčast činí 5 %. Při odcizení činí 10 %.", "Jaká je spoluúčast při odcizení?", "Spoluúčast činí 5 %."],
    [
      "Der Selbstbehalt beträgt 100 EUR. Bei Sturm beträgt er 500 EUR.",
      "Wie hoch ist der Selbstbehalt bei Sturm?",
      "Der Selbstbehalt beträgt 100 EUR.",
    ],
    [
      "Spoluúčast činí 1 000 Kč z každé pojistné události. U krádeže kol se uplatní spoluúčast 3 000 Kč.",
      "Jaká je spoluúčast při krádeži kola?",
      "Spoluúčast činí 1 000 Kč z každé pojistné události.",
    ],
    [
      "Az önrész 20 000 forint. Viharkárnál az önrész a kár 10 százaléka.",
      "Mennyi az önrész viharkárnál?",
      "Az önrész 20 000 forint.",
    ],
    [
      "Platby kartou sú bez poplatku. Pri platbách v inej mene účtujeme 1,5 %.",
      "Platím kartou v inej mene niečo?",
      "Platby kartou sú bez poplatku.",
    ],
  ])("nor if another amount applies to the case in the question: %p", (source, question, answer) => {
    expect(checked([source], question, answer).state).toBe("WARN");
  });

  test("wherever the other sentence is", () => {
    const far = "Bicycles are covered. Theft is included. Keep the receipt. Electric bicycles are excluded.";
    expect(checked([far], "What is covered?", "Bicycles are covered.").state).toBe("WARN");
    const sources = ["Cash withdrawals are free.", "Cash withdrawals outside the EU cost EUR 4 each."];
    expect(checked(sources, "What does cash cost?", "Cash withdrawals are free.").state).toBe("WARN");
  });

  test.each([
    [
      "a sentence that the answer includes",
      "Lounge access is free. This does not apply to guests.",
      "Lounge access is free. This does not apply to guests.",
    ],
    ["a sentence that adds to it", "Lounge access is free. This includes drinks.", "Lounge access is free."],
    [
      "an amount for something else",
      "Theft is covered up to EUR 900. The excess is EUR 100.",
      "Theft is covered up to EUR 900.",
    ],
    [
      "the case in question",
      "The excess is EUR 100. For storm the excess is EUR 500.",
      "For storm the excess is EUR 500.",
    ],
  ])("but is not qualified by %s", (_, source, answer) => {
    expect(checked([source], "What do the terms say?", answer).state).toBe("OK");
  });
});

describe("a claim that omits a word of its sentence is not OK", () => {
  test.each([
    [
      "may",
      "The insurer may reduce the payment if the claim is late.",
      "The insurer reduces the payment if the claim is late.",
    ],
    [
      "may",
      "Pojistitel může plnění snížit, pokud škoda nebyla oznámena.",
      "Pojistitel plnění sníží, pokud škoda nebyla oznámena.",
    ],
    [
      "may",
      "A biztosító csökkentheti a kifizetést, ha a bejelentés késik.",
      "A biztosító csökkenti a kifizetést, ha a bejelentés késik.",
    ],
    ["half", "Half of the deposit is refunded if you cancel.", "The deposit is refunded if you cancel."],
    ["half", "Der Arbeitgeber erstattet die Hälfte der Fahrtkosten.", "Der Arbeitgeber erstattet die Fahrtkosten."],
    ["a cause", "Damage to windows caused by hail is covered.", "Damage to windows is covered."],
    ["a cause", "Škody na vozidle způsobené krupobitím jsou hrazeny.", "Škody na vozidle jsou hrazeny."],
    ["the speaker", "The customer claims that the boiler was serviced in March.", "The boiler was serviced in March."],
    ["a plan", "The bank plans to close the branch in Brno.", "The bank closes the branch in Brno."],
  ])("%s: %p", (_, source, answer) => {
    expect(checked([source], "What do the terms say?", answer).state).toBe("WARN");
  });

  test.each([
    ["Send the receipt and the statement to the branch.", "Send the receipt or the statement to the branch."],
    ["Dokládá se potvrzení o příjmu a výpis z účtu.", "Dokládá se potvrzení o příjmu nebo výpis z účtu."],
    [
      "The fee is waived unless the balance falls below EUR 500.",
      "The fee is waived if the balance falls below EUR 500.",
    ],
    [
      "Poplatek se neúčtuje, ledaže zůstatek klesne pod 500 Kč.",
      "Poplatek se neúčtuje, pokud zůstatek klesne pod 500 Kč.",
    ],
  ])("nor one that reverses it: %p", (source, answer) => {
    expect(checked([source], "What do the terms say?", answer).state).not.toBe("OK");
  });

  test.each([
    ["For the permit you need a passport and a photograph.", "For the permit you need a passport."],
    ["K žádosti se přikládá účet a doklad o zaplacení.", "K žádosti se přikládá účet."],
    ["Nárok na odmenu vzniká uzavretím zmluvy a zaplatením splátky.", "Nárok na odmenu vzniká uzavretím zmluvy."],
    [
      "Für die Kündigung sind die Unterschrift und eine Ausweiskopie erforderlich.",
      "Für die Kündigung ist die Unterschrift erforderlich.",
    ],
    ["Do wniosku dołącza się rachunek, dowód zapłaty i zdjęcie.", "Do wniosku dołącza się rachunek i dowód zapłaty."],
    ["A kérelemhez csatolni kell a számlát és a leletet.", "A kérelemhez csatolni kell a számlát."],
    [
      "Withdrawal is free if it is declared early, is in writing and no flight is booked.",
      "Withdrawal is free if it is declared early and is in writing.",
    ],
  ])("nor one that shortens a list of requirements: %p", (source, answer) => {
    expect(checked([source], "What do the terms say?", answer).state).not.toBe("OK");
  });

  test("but a benefit may be one of several, and a requirement one in the question", () => {
    expect(checked(["The policy covers theft and fire."], "Is theft covered?", "The policy covers theft.").state).toBe(
      "OK",
    );
    const permit = "For the permit you need a passport and a photograph.";
    const answer = "For the permit you need a photograph.";
    expect(checked([permit], "Do I need a photograph for the permit, or my passport?", answer).state).toBe("OK");
  });

  test.each([
    ["The seller shall reimburse the buyer for the survey.", "The buyer must reimburse the seller for the survey."],
    ["The seller reimburses the buyer for the delivery.", "The seller is reimbursed by the buyer for the delivery."],
    ["The tenant must report damage to the landlord.", "The landlord must report damage to the tenant."],
    ["Pronajímatel vrací nájemci kauci.", "Nájemce vrací pronajímateli kauci."],
    ["Prenajímateľ vracia nájomcovi kauciu.", "Nájomca vracia prenajímateľovi kauciu."],
    ["Der Verkäufer erstattet dem Käufer die Prüfung.", "Der Käufer erstattet dem Verkäufer die Prüfung."],
    ["Die Gemeinde erstattet der Schule die Fahrt.", "Die Schule erstattet der Gemeinde die Fahrt."],
    ["Sprzedawca zwraca kupującemu koszty badania.", "Kupujący zwraca sprzedawcy koszty badania."],
    ["Az eladó megtéríti a vevőnek a vizsgálatot.", "A vevő megtéríti az eladónak a vizsgálatot."],
    ["The Basic plan is cheaper than the Plus plan.", "The Plus plan is cheaper than the Basic plan."],
  ])("nor one that swaps two parties: %p", (source, answer) => {
    expect(checked([source], "Who does what?", answer).state).not.toBe("OK");
  });

  test.each([
    [
      "The seller reimburses the buyer for the delivery.",
      "Who is reimbursed?",
      "The buyer is reimbursed by the seller for the delivery.",
    ],
    ["Pronajímatel vrací nájemci kauci.", "Kdo vrací nájemci kauci?", "Nájemci vrací pronajímatel kauci."],
    [
      "Der Mieter informiert den Vermieter über den Mangel.",
      "Wen informiert der Mieter?",
      "Den Vermieter informiert der Mieter über den Mangel.",
    ],
  ])("but a different word order is the same: %p", (source, question, answer) => {
    expect(checked([source], question, answer).state).toBe("OK");
  });

  test.each([
    ["The tenant is entitled to leave after a year.", "The tenant is obliged to leave after a year."],
    ["Klient je oprávněn splatit úvěr předčasně.", "Klient je povinen splatit úvěr předčasně."],
    ["Der Kunde darf das Darlehen zurückzahlen.", "Der Kunde muss das Darlehen zurückzahlen."],
    ["If we miss an appointment, we credit up to GBP 30.", "If we miss an appointment, we credit GBP 30."],
    ["The change is free, except for group tickets.", "The change is free if it is a group ticket."],
  ])("nor one that strengthens it: %p", (source, answer) => {
    expect(checked([source], "What do the terms say?", answer).state).not.toBe("OK");
  });

  test("but may omit another clause, and what its question has", () => {
    const policy = "The policy begins on 1 May and is concluded in writing.";
    expect(checked([policy], "When does it begin?", "The policy begins on 1 May.").state).toBe("OK");
    const hail = "Damage to windows caused by hail is covered.";
    expect(checked([hail], "Is damage caused by hail covered?", "Damage to windows is covered.").state).toBe("OK");
  });
});
