import { describe, expect, test } from "bun:test";
import type { Meaning } from "../../src/contracts/meaning.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import type { Chunk } from "../../src/knowledge/corpus/corpus.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { evidenceFor } from "../../src/products/capabilities/insurance-assistant/evidence.ts";
import { withoutEvidence } from "../../src/products/capabilities/insurance-assistant/judge.ts";
import { intentOf } from "../../src/products/capabilities/insurance-assistant/question.ts";
import { toRead } from "../../src/products/capabilities/insurance-assistant/reading.ts";
import { type Sentence, sentencesOf } from "../../src/products/capabilities/insurance-assistant/sentences.ts";
import { supportFor } from "../../src/products/capabilities/insurance-assistant/support.ts";
import { foundChunk } from "../support/chunks.ts";
import { Library } from "../support/library.ts";
import { computing } from "../support/services.ts";

const found = (title: string, heading: string, text: string): Chunk => ({
  chunk: { id: 7, document_id: "d", ordinal: 0, page: null, heading, text, start: 0 },
  document: {
    id: "d",
    family: "d",
    title,
    carrier: null,
    market: "SK",
    product_line: null,
    document_type: null,
    provenance: "legal_note",
    language: "sk",
    version: "1",
    valid_from: null,
    valid_to: null,
    url: null,
  },
  score: 1,
});

const passagesOf = (chunk: Chunk, isWanted: (sentence: Sentence) => boolean = () => true): string[] =>
  toRead(sentencesOf(chunk, 0).filter(isWanted)).map(({ passage }) => passage);

describe("A passage given to the reader", () => {
  const text = "4.1 Vandalism is covered up to EUR 900. 4.2 Theft is covered if the door was locked.";

  test("starts with the document's title, without a remark in brackets, and the last heading that has words", () => {
    const chunk = found("Household terms 2026 (SYNTHETIC)", "Household terms > Article 4 Perils > 4.1–4.2", text);
    expect(passagesOf(chunk)).toEqual([`Household terms 2026: Article 4 Perils: ${text}`]);
  });

  test("needs neither title nor heading", () => {
    expect(passagesOf(found("", "", text))).toEqual([text]);
  });

  test.each([
    ["both neighbours", 100, 100, "before sentence after"],
    ["the one before, if there is no room for both", 250, 100, "before sentence"],
    ["the one after, if there is no room for the one before", 400, 250, "sentence after"],
    ["neither, if there is no room for either", 400, 400, "sentence"],
  ])("has %s", (_, before, after, expected) => {
    const parts = { before: `B${"b".repeat(before)}.`, sentence: "It is covered.", after: `A${"a".repeat(after)}.` };
    const all = found("", "", `${parts.before} ${parts.sentence} ${parts.after}`);
    const said = expected.split(" ").map((part) => parts[part as keyof typeof parts]);
    expect(passagesOf(all, ({ quote }) => quote === parts.sentence)).toEqual([said.join(" ")]);
  });

  test("has only the beginning of a long title", () => {
    const [passage = ""] = passagesOf(found("Terms ".repeat(60), "", text));
    expect(passage).toEndWith(`Terms: ${text}`);
    expect(passage.length).toBeLessThan(text.length + 125);
  });

  test.each([
    "Zdroj: Občiansky zákonník č. 40/1964 Zb., § 801 ods. 2. Stav: overené čítaním.",
    "Źródło: ustawa z 2017 r. (Dz.U. 2017 poz. 2486), art. 30 ust. 1. Stan: sprawdzono.",
    "Source: Directive (EU) 2016/97 consolidated, art. 19(1)-(2). Status: verified by reading the text.",
  ])("excludes the line with a note's source, however many full stops it has: %s", (line) => {
    const said = "The insurance ends one month after the reminder has arrived.";
    const sentences = sentencesOf(found("", "", `${said}\n${line}`), 0);
    expect(sentences.map(({ quote, near }) => [quote, near])).toEqual([[said, said]]);
  });
});

describe("A place that is named without a clear answer", () => {
  const told = (chunks: readonly Chunk[], nearest: readonly number[], unread = 0) =>
    withoutEvidence({ question: "?", country: "sk" }, { language: "en", chunks, nearest, unread });

  test.each([
    [
      "Household terms (SYNTHETIC)",
      "Household terms 2026 (SYNTHETIC) > Article 4 > 4.1–4.2",
      null,
      ", Article 4, 4.1–4.2",
    ],
    ["Household terms", "Part A > Article 4 Perils > Water > 4.1", 12, ", Water, 4.1, p. 12"],
    ["Household terms", "Household", 3, ", p. 3"],
    ["Household terms", "", null, ""],
  ])("has document, headings and page: %s, %s, %p", (title, heading, page, place) => {
    const whole = found(title, heading, "Water.");
    const { answer } = told([{ ...whole, chunk: { ...whole.chunk, page } }], [7]);
    expect(answer.split("\n").slice(1)).toEqual([`- ${title}${place}`]);
  });

  test("is named with the number of passages not indexed yet, since they may have the answer", () => {
    const later = "The documents are still being read (passages left: 1200): ask again in a few minutes.";
    expect(told([], [], 1_200).answer).toEndWith(` ${later}`);
    expect(told([], []).answer).not.toContain("still being read");
  });

  test("is named once, however many of its passages are near; without any, the answer is a sentence", () => {
    const one = found("Terms", "Article 4", "Water.");
    const other = { ...one, chunk: { ...one.chunk, id: 8 } };
    expect(told([one, other], [8, 7]).answer.split("\n")).toHaveLength(2);
    expect(told([one, other], []).answer).toBe(
      "Nothing was found in the imported documents for SK that clearly answers this question.",
    );
  });
});

const context = unhostedContext({
  signal: new AbortController().signal,
  stepKey: "test",
  firm: "test",
  now: () => new Date("2026-06-01T12:00:00Z"),
  random: () => 0.5,
  earlier: {},
});

/** A reader that returns the given certainty for each passage. */
const reader = (answersOf: (passage: string) => number | null): Meaning => ({
  isBuiltIn: true,
  vectorOf: async () => null,
  async read(_, passage) {
    const answers = answersOf(passage);
    return answers === null ? null : { entailed: 0, unsaid: 0, denied: 0, answers, whole: true };
  },
  stop: () => {},
});

describe("The number of sentences read", () => {
  const terms = ["Theft of a car is covered.", "Theft of a boat is covered.", "Theft of a bicycle is covered."];

  /** Returns how many of the three are read by a reader that returns these certainties in order. */
  async function readOf(...sureness: (number | null)[]) {
    const library = await Library.open(
      ...terms.map((text, at) => ({ facts: { id: `terms-${at}` }, passages: [["", text] as const] })),
    );
    let read = 0;
    const meaning = reader(() => sureness[read++] ?? null);
    const sources = { corpus: library.corpus(), runtime: systemRuntime, computing, meaning };
    const { isRead } = await evidenceFor(sources, { question: "Is theft covered?", country: "CZ" }, context);
    return { read, isRead };
  }

  test("is at most three, and reading stops after a certain answer or a certain non-answer", async () => {
    expect(await readOf(0.4, 0.5, 0.6)).toEqual({ read: 3, isRead: true });
    expect(await readOf(0.9)).toEqual({ read: 1, isRead: true });
    expect(await readOf(0.4, 0.9)).toEqual({ read: 2, isRead: true });
    expect(await readOf(0.01)).toEqual({ read: 1, isRead: true });
  });

  test("stops at a failure of the reader, after which only the words decide", async () => {
    expect(await readOf(0.4, null)).toEqual({ read: 2, isRead: false });
  });
});

describe("The sentence of a passage that answers", () => {
  const limit = "The insurance covers theft of a locked bicycle up to EUR 1,500.";
  const deductible = "The deductible is EUR 50 for each claim.";
  const question = "What is the deductible for bicycle theft?";

  async function evidence(meaning: Meaning) {
    const library = await Library.open({ facts: { id: "terms" }, passages: [["", `${limit} ${deductible}`]] });
    const sources = { corpus: library.corpus(), runtime: systemRuntime, computing, meaning };
    return evidenceFor(sources, { question, country: "CZ" }, context);
  }

  test("is found by reading each separately, whichever has more words of the question", async () => {
    const { composition } = await evidence(reader((passage) => (passage.includes(deductible) ? 0.97 : 0.05)));
    expect(composition.citations[0]?.text).toBe(deductible);
    const other = await evidence(reader((passage) => (passage.includes(limit) ? 0.97 : 0.05)));
    expect(other.composition.citations[0]?.text).toBe(limit);
  });

  test("is the whole passage in its order, without certainty, if no single sentence answers", async () => {
    const { composition, isCertain } = await evidence(
      reader((passage) => (passage.includes(limit) && passage.includes(deductible) ? 0.97 : 0.05)),
    );
    expect(composition.citations.map(({ text }) => text)).toEqual([limit, deductible]);
    expect(isCertain).toBe(false);
  });

  test("is not the whole passage if that answers no better than its sentences", async () => {
    const { composition } = await evidence(reader(() => 0.05));
    expect(composition.citations.map(({ text }) => text)).toEqual([limit]);
  });

  test("is found by words alone only if it has each thing that is asked about", () => {
    const pointed = (asked: string) =>
      supportFor({
        question: asked,
        language: "en",
        intent: intentOf(asked),
        chunks: [foundChunk({ id: 1, text: `${limit} ${deductible}` })],
      }).sentences.flatMap(({ isToThePoint, sentence }) => (isToThePoint ? [sentence.quote] : []));
    expect(pointed(question)).toEqual([deductible]);
    expect(pointed("Is theft of a bicycle covered?")).toContain(limit);
  });
});
