import { describe, expect, test } from "bun:test";
import type { AskedBefore, Chunk } from "../../src/knowledge/corpus/corpus.ts";
import { intentOf } from "../../src/products/capabilities/insurance-assistant/question.ts";
import { supportFor } from "../../src/products/capabilities/insurance-assistant/support.ts";
import { foundChunk } from "../support/chunks.ts";

const text = "A hailstorm that dents the bodywork is covered. The keys must be handed over.";
const hail = { from: 0, to: 47 };
const keys = { from: 48, to: 77 };

const found = (id: number, known: Partial<Pick<Chunk, "askedBefore" | "likeness">> = {}): Chunk =>
  foundChunk({ id, ordinal: id, text }, known);

const asked = (hailLike: number, keysLike: number, nearly = 0): AskedBefore => ({
  answered: [
    { ...hail, likeness: hailLike },
    { ...keys, likeness: keysLike },
  ],
  nearly,
});

const question = "What do I need to give you when it got nicked?";
const support = (...chunks: Chunk[]) => supportFor({ question, language: "en", intent: intentOf(question), chunks });

describe("Known questions of a passage", () => {
  test("rank the sentence first that answers the most similar one", () => {
    const [first] = support(found(1, { askedBefore: asked(0.5, 0.9) })).sentences;
    expect(first?.sentence.quote).toBe("The keys must be handed over.");
    const [other] = support(found(1, { askedBefore: asked(0.9, 0.5) })).sentences;
    expect(other?.sentence.quote).toBe("A hailstorm that dents the bodywork is covered.");
  });

  test("give the gate their similarity, including those that the passage nearly answers", () => {
    const { signals } = support(found(1, { askedBefore: asked(0.5, 0.9, 0.7) }));
    expect(signals).toMatchObject({ known_near: 0.9, nearly: 0.7, known_most: 0.9, nearly_most: 0.7 });
    expect(signals.known).toBeCloseTo((0.9 - 0.3) / 0.7, 5);
  });

  test("change no ranking if there are none", () => {
    const { sentences, signals } = support(found(1, { likeness: 0.6 }), found(2, { likeness: 0.4 }));
    expect(sentences.map(({ score }) => score)).toEqual(sentences.map(({ worth }) => worth));
    expect(signals).toMatchObject({ known: 0, known_near: 0, nearly: 0, known_most: 0, nearly_most: 0 });
  });

  test("rank a passage above one without any only if they are similar to the question", () => {
    const [first] = support(
      found(1, { likeness: 0.4, askedBefore: asked(0.4, 0.4) }),
      found(2, { likeness: 0.6 }),
    ).sentences;
    expect(first?.sentence.found.chunk.id).toBe(2);
    const [known] = support(
      found(1, { likeness: 0.6, askedBefore: asked(0.4, 0.85) }),
      found(2, { likeness: 0.6 }),
    ).sentences;
    expect(known?.sentence.found.chunk.id).toBe(1);
  });
});
