import { describe, expect, test } from "bun:test";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { amendmentsOf } from "../../src/products/capabilities/insurance-assistant/amendments.ts";
import { evidenceFor } from "../../src/products/capabilities/insurance-assistant/evidence.ts";
import { judged } from "../../src/products/capabilities/insurance-assistant/judge.ts";
import { sentencesOf } from "../../src/products/capabilities/insurance-assistant/sentences.ts";
import { foundChunk } from "../support/chunks.ts";
import { type Given, Library } from "../support/library.ts";
import { computing } from "../support/services.ts";

const chunkOf = (text: string, heading: string, facts: { id: string; valid_from: string; language?: string }) => {
  const found = foundChunk({ id: facts.valid_from.length + text.length, text, heading, document_id: facts.id });
  return { ...found, document: { ...found.document, carrier: "Pedal Mutual", ...facts } };
};

/** Returns the first characters of the sentences of a clause that a later sentence changes. */
function changed(
  clauses: { text: string; heading: string },
  change: string,
  language: string,
  heading = "Endorsement",
): string[] {
  const quoted = sentencesOf(chunkOf(clauses.text, clauses.heading, { id: "a", valid_from: "2025-03-01" }), 0);
  const later = chunkOf(change, heading, { id: "b", valid_from: "2026-09-01", language });
  return amendmentsOf(quoted, [later]).map(({ quoted: { quote } }) => quote.slice(0, 8));
}

const dotted = {
  heading: "Terms > 2 Theft > 2.1–2.3",
  text: "2.1 Theft is covered if locked.\n2.2 At night the bicycle must be kept indoors. This holds in summer too.\n2.3 Theft from a car is covered.",
};
const article = {
  heading: "AVB > § 4 Diebstahl",
  text: "(1) Diebstahl ist versichert.\n(2) Nachts ist das Rad einzuschließen.\n(3) Raub ist auch versichert.",
};

describe("The clause that a later document changes", () => {
  test.each([
    ["en", "Clause 2.2 is deleted."],
    ["en", "Article 2(2) is repealed."],
    ["en", "Clause 2.2 reads as follows: the bicycle is kept in a shed."],
    ["en", "Section 2.2 is suspended until further notice."],
    ["cs", "Bod 2.2 se zrušuje."],
    ["cs", "V čl. 2 se odst. 2 vypouští."],
    ["cs", "V čl. 2 se bod 2.2 zrušuje."],
    ["cs", "Čl. 2 odst. 2 se nahrazuje tímto zněním."],
    ["sk", "Bod 2.2 sa vypúšťa."],
    ["sk", "V článku 2 sa odsek 2 zrušuje."],
    ["de", "Ziffer 2.2 entfällt."],
    ["de", "Punkt 2.2 wird gestrichen."],
    ["pl", "W § 2 uchyla się ust. 2."],
    ["pl", "Punkt 2.2 otrzymuje brzmienie: rower stoi w garażu."],
    ["hu", "A 2.2. pont hatályát veszti."],
    ["hu", "A 2. cikk (2) bekezdése hatályát veszti."],
  ])("(%s) %s", (language, change) => {
    expect(changed(dotted, change, language)).toEqual(["At night", "This hol"]);
  });

  test.each([
    ["de", "§ 4 Abs. 2 entfällt."],
    ["de", "Absatz 2 in § 4 wird gestrichen."],
    ["pl", "Uchyla się ust. 2."],
    ["hu", "A 4. § (2) bekezdése hatályát veszti."],
  ])("is found by article and paragraph (%s): %s", (language, change) => {
    expect(changed(article, change, language)).toEqual(["Nachts i"]);
  });

  test("is a whole article, or each of several clauses", () => {
    expect(changed(article, "§ 4 entfällt.", "de")).toHaveLength(3);
    expect(changed(dotted, "Clauses 2.1 and 2.3 are deleted.", "en")).toEqual(["Theft is", "Theft fr"]);
  });

  test.each([
    ["en", "Clause 3.1 is deleted."],
    ["en", "Clause 2.2 is explained on page 3."],
    ["cs", "Zrušuje se bod v příloze 2 a slovo v čl. 3."],
    ["en", "From 2.2.2026 clause 5.1 is replaced."],
    ["de", "§ 5 Abs. 2 entfällt."],
    ["cs", "Čl. 3 odst. 2 se zrušuje."],
  ])("is not any other clause (%s): %s", (language, change) => {
    expect(changed(dotted, change, language)).toEqual([]);
  });

  test("is found by the heading above, unless that is the later document's own numbering", () => {
    expect(changed(dotted, "Deleted.", "en", "Endorsement > Clause 2.2")).toEqual(["At night", "This hol"]);
    expect(changed(dotted, "Deleted.", "en", "Endorsement > Article 2")).toEqual([]);
    expect(changed(dotted, "The wording is replaced.", "en", "Endorsement > 2.2 Wording")).toEqual([]);
  });

  test("is found by its words if it has no number", () => {
    const plain = { heading: "Terms > Night", text: "At night the bicycle must be kept in a locked room." };
    const repeal = "The rule that the bicycle is kept in a locked room at night is repealed.";
    expect(changed(plain, repeal, "en")).toEqual(["At night"]);
    expect(changed(plain, "The rule that a helmet must be worn is repealed.", "en")).toEqual([]);
  });
});

const context = unhostedContext({
  signal: new AbortController().signal,
  stepKey: "test",
  firm: "test",
  now: () => new Date("2026-11-28T12:00:00Z"),
  random: () => 0.5,
  earlier: {},
});

describe("An answer from terms with an endorsement", () => {
  const facts = { carrier: "Pedal Mutual", product_line: "bicycle", provenance: "carrier" } as const;
  const terms: Given = {
    facts: { ...facts, id: "terms", valid_from: "2025-03-01" },
    passages: [
      ["2 Theft", "2.1 Theft is covered.\n2.2 At night the bicycle must be kept in a locked room."],
      ["4 Excess", "4.1 The excess for theft is 10 % of the sum insured."],
    ],
  };
  const endorsement = (more: Given["facts"] = {}): Given => ({
    facts: { ...facts, id: "endorsement", valid_from: "2026-09-01", ...more },
    passages: [
      ["1 Night", "Clause 2.2 is deleted."],
      ["2 Excess", "Clause 4.1 is replaced: The excess for theft is 15 % of the sum insured."],
    ],
  });

  async function answerTo(question: string, ...documents: readonly Given[]) {
    const library = await Library.open(...documents);
    const meaning = { isBuiltIn: false, vectorOf: async () => null, read: async () => null, stop: () => {} };
    const sources = { corpus: library.corpus(), runtime: systemRuntime, computing, meaning };
    const evidence = await evidenceFor(sources, { question, country: "CZ" }, context);
    // By words alone the gate knows too little about these few passages, and its result does not matter here.
    const sure = { ...evidence, isCertain: true, coverage: 1, stated: 1 };
    return judged(sources, context, { question, evidence: sure, composition: evidence.composition });
  }
  const night = "At night must the bicycle be kept in a locked room?";

  test("is OK without the endorsement, and WARN with it, quoting it first with a note", async () => {
    expect(await answerTo(night, terms)).toMatchObject({ trust_state: "OK" });
    const { trust_state, answer, sources } = await answerTo(night, terms, endorsement());
    expect(trust_state).toBe("WARN");
    expect(answer).toStartWith("Clause 2.2 is deleted. [1] At night the bicycle must be kept in a locked room. [2]");
    expect(answer).toEndWith("A later document changes or deletes this clause: compare [1], [2].");
    expect(sources.map(({ title }) => title)).toEqual(["endorsement", "terms"]);
  });

  test("quotes the sentence that replaces a figure first, and does not say that the documents disagree", async () => {
    const { answer } = await answerTo("What is the excess for theft?", terms, endorsement());
    expect(answer).toStartWith("Clause 4.1 is replaced: The excess for theft is 15 % of the sum insured. [1]");
    expect(answer).not.toContain("disagree");
  });

  test.each([
    ["of another carrier", { carrier: "Another" }],
    ["of another line", { product_line: "car" }],
    ["of another country", { market: "SK" }],
    ["that is older", { valid_from: "2024-01-01" }],
    ["that is not yet valid", { valid_from: "2027-01-01" }],
  ])("is unaffected by an endorsement %s", async (_, facts) => {
    expect(await answerTo(night, terms, endorsement(facts))).toMatchObject({ trust_state: "OK" });
  });
});
