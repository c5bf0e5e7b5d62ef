import { describe, expect, test } from "bun:test";
import { statesPrice } from "../../src/products/capabilities/insurance-assistant/prices.ts";
import { intentOf } from "../../src/products/capabilities/insurance-assistant/question.ts";
import { sentencesOf } from "../../src/products/capabilities/insurance-assistant/sentences.ts";
import { foundChunk } from "../support/chunks.ts";

describe("A question is for a price", () => {
  test.each([
    "Kolik stojí pojištění účetního s limitem 1 mil. Kč?",
    "Jaká je cena cestovního pojištění?",
    "Kolik zaplatím za pojištění domácnosti?",
    "Na kolik by mě ročně vyšlo havarijní pojištění?",
    "Koľko stojí poistka na motorku?",
    "Aká je cena cestovného poistenia?",
    "Was kostet die Reiseversicherung weltweit bis 15 Tage?",
    "Wie teuer ist die Hausratversicherung?",
    "Ile kosztuje ubezpieczenie mieszkania?",
    "Ile zapłacę za ubezpieczenie podróżne?",
    "How much does travel insurance cost?",
    "What does the policy for a bicycle cost?",
    "What is the price of travel insurance?",
    "Wie hoch ist der Preis für eine Reiseversicherung?",
    "Jaki jest koszt ubezpieczenia mieszkania?",
    "Quel est le prix de l'assurance habitation ?",
    "Combien coûte l'assurance voyage ?",
    "Mennyibe kerül az utasbiztosítás?",
  ])("in many wordings: %s", (question) => {
    expect(intentOf(question)).toMatchObject({ price: true, advice: false });
  });

  test.each([
    "Muszą powiedzieć, czy mogę wziąć sam sprzęt i ile co kosztuje?",
    "By EU rules do they have to tell me what each bit costs?",
    "Are the costs of a lawyer covered?",
    "What will you pay towards the cost of the repair?",
    "What does the policy pay towards the cost of a hotel?",
    "Vyplatíte mi, co stojí nová, nebo jen co by za ni dali v bazaru?",
    "Dostane toľko, koľko stojí nová, alebo niečo strhnete?",
    "I live in Berlin and my insurer just put the price up, same cover as before. Can I walk away?",
    "Is the price of the ticket covered by travel insurance?",
    "Ab welchem Alter kostet die Reiseversicherung mehr?",
    "Jaká je spoluúčast u pojištění domácnosti?",
  ])("but not if it asks something else: %s", (question) => {
    expect(intentOf(question).price).toBe(false);
  });
});

describe("A sentence states a price", () => {
  const states = (text: string, heading = "", title = "Terms"): boolean[] => {
    const chunk = foundChunk({ id: 1, text, heading });
    const found = { ...chunk, document: { ...chunk.document, title } };
    return sentencesOf(found, 0).map(statesPrice);
  };

  test.each([
    ["Minimální roční pojistné je 900 Kč.", ""],
    ["Ročné poistné je 60 eur.", ""],
    ["Der Beitrag beträgt 60 EUR im Jahr.", ""],
    ["Składka roczna wynosi 520 zł.", ""],
    ["The annual premium is EUR 60.", ""],
    ["Az éves díj 12 000 Ft.", ""],
    ["A family pays EUR 90.", "Prices for 2026"],
    ["Obor: Zedník; Limit 1 mil. Kč: 2 900; Limit 5 mil. Kč: 5 400", "Roční pojistné podle oboru"],
  ])("if it has a sum and a word for price, in itself or above it: %s", (text, heading) => {
    expect(states(text, heading)).toEqual([true]);
  });

  test.each([
    "Pojistné plnění činí nejvýše 900 Kč.",
    "Pojistné plnenie je najviac 60 eur.",
    "Der Selbstbehalt beträgt 60 EUR.",
    "Limit wynosi 520 zł.",
    "The limit is EUR 60.",
    "Pojistné je splatné do 15 dnů.",
    "Az önrész 12 000 Ft.",
  ])("but not with a limit or a date: %s", (text) => {
    expect(states(text)).toEqual([false]);
  });
});
