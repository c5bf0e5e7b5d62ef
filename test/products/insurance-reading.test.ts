import { describe, expect, test } from "bun:test";
import type { Chunk } from "../../src/knowledge/corpus/corpus.ts";
import { toRead } from "../../src/products/capabilities/insurance-assistant/reading.ts";
import { sentencesOf } from "../../src/products/capabilities/insurance-assistant/sentences.ts";

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

const passagesOf = (chunk: Chunk): string[] => toRead(sentencesOf(chunk, 0)).map(({ passage }) => passage);

describe("What is read beside a question", () => {
  const text = "4.1 Vandalism is covered up to EUR 900. 4.2 Theft is covered if the door was locked.";

  test("is behind the document's title, without a remark in brackets, and the last heading that has words", () => {
    const chunk = found("Household terms 2026 (SYNTHETIC)", "Household terms > Article 4 Perils > 4.1–4.2", text);
    expect(passagesOf(chunk)).toEqual([`Household terms 2026: Article 4 Perils: ${text}`]);
  });

  test("needs neither title nor heading", () => {
    expect(passagesOf(found("", "", text))).toEqual([text]);
  });

  test("has no more than the beginning of a long title", () => {
    const [passage = ""] = passagesOf(found("Terms ".repeat(60), "", text));
    expect(passage).toEndWith(`Terms: ${text}`);
    expect(passage.length).toBeLessThan(text.length + 125);
  });

  test.each([
    "Zdroj: Občiansky zákonník č. 40/1964 Zb., § 801 ods. 2. Stav: overené čítaním.",
    "Źródło: ustawa z 2017 r. (Dz.U. 2017 poz. 2486), art. 30 ust. 1. Stan: sprawdzono.",
    "Source: Directive (EU) 2016/97 consolidated, art. 19(1)-(2). Status: verified by reading the text.",
  ])("has nothing of the line that says where a note comes from, however many full stops it has: %s", (line) => {
    const said = "The insurance ends one month after the reminder has arrived.";
    const sentences = sentencesOf(found("", "", `${said}\n${line}`), 0);
    expect(sentences.map(({ quote, near }) => [quote, near])).toEqual([[said, said]]);
  });
});
