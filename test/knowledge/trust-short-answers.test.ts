import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";

/** Returns the trust state of an answer by its words alone. */
function stateOf(source: string, question: string, answer: string): string {
  const { promised, failed } = checkFaithfulness({ question, answer, sources: [source] });
  return promised ? "OK" : failed ? "FAIL" : "WARN";
}

describe("a short answer is OK only from the passage that its question is about", () => {
  const sizes = "Room service: breakfast in bed 12 euros; breakfast in the hall 8 euros, once a day.";
  const holidays =
    "Sonderurlaub: eigene Hochzeit 3 Tage; Umzug aus betrieblichem Grund 2 Tage; Umzug aus privatem Grund 1 Tag, höchstens einmal in drei Jahren.";
  const terms =
    "The tenant must return the keys to the office within the handover period. Once they are returned, the deposit is paid within six weeks of the handover date.";
  test.each([
    [sizes, "What does breakfast in the hall cost?", "8 euros, once a day.", "12 euros, once a day."],
    [
      holidays,
      "Wie viele Tage gibt es bei einem Umzug aus privatem Grund?",
      "Einen Tag, höchstens einmal in drei Jahren.",
      "Zwei Tage, höchstens einmal in drei Jahren.",
    ],
  ])("with the item of a list in question: %p, %p", (source, question, right, wrong) => {
    expect(stateOf(source, question, right)).toBe("OK");
    expect(stateOf(source, question, wrong)).not.toBe("OK");
  });

  test("not with a period for another event", () => {
    const answer = "Within six weeks of the handover date.";
    expect(stateOf(terms, "When is the deposit paid?", answer)).toBe("OK");
    expect(stateOf(terms, "By when must the tenant return the keys to the office?", answer)).toBe("WARN");
  });

  test.each([
    ["Náklady na opravu výtahu nese pronajímatel.", "Kdo nese náklady na opravu výtahu?", "Pronajímatel.", "OK"],
    ["Náklady na opravu výtahu hradí pronajímateli nájemce.", "Kdo hradí náklady?", "Pronajímatel.", "WARN"],
    ["Opravu strechy platí správcovi vlastník.", "Kto platí opravu strechy?", "Správca.", "WARN"],
    ["Opłatę za klucz płaci zarządcy najemca.", "Kto płaci opłatę za klucz?", "Zarządca.", "WARN"],
    ["A javítás díját a bérlő fizeti a tulajdonosnak.", "Ki fizeti a javítás díját?", "A tulajdonos.", "WARN"],
  ])("with the person who acts, not the one affected: %p, %p: %p is %s", (source, question, answer, state) => {
    expect(stateOf(source, question, answer)).toBe(state);
  });
});

describe("an amount is OK only for the measure in question", () => {
  const notice =
    "The landlord shall give one month's notice where the tenancy is shorter than five years and three months' notice where it is five years or longer.";
  test.each([
    ["How much notice must the landlord give after seven years?", "Three months' notice.", "One month's notice."],
    ["How much notice must the landlord give after two years?", "One month's notice.", "Three months' notice."],
  ])("%p: %p, not %p", (question, right, wrong) => {
    expect(stateOf(notice, question, right)).not.toBe("FAIL");
    expect(stateOf(notice, question, wrong)).not.toBe("OK");
  });
});

describe("the speaker's duty is not the other party's", () => {
  test.each([
    ["You bear the costs of the return of the goods.", "We bear the costs of the return of the goods."],
    ["Sie tragen die Kosten der Rücksendung der Waren.", "Wir tragen die Kosten der Rücksendung der Waren."],
    ["Náklady na vrácení zboží neseme.", "Náklady na vrácení zboží nesete."],
    ["Náklady na vrátenie tovaru znášate.", "Náklady na vrátenie tovaru znášame."],
    ["Opłatę za zwrot towaru ponosicie.", "Opłatę za zwrot towaru ponosimy."],
  ])("%p is not %p", (source, wrong) => {
    expect(stateOf(source, "", source)).toBe("OK");
    expect(stateOf(source, "", wrong)).not.toBe("OK");
  });
});
