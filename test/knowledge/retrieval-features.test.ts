import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CorpusDocument } from "../../src/knowledge/corpus/corpus.ts";
import { buildIndex } from "../../src/knowledge/retrieval/builder.ts";
import { featureCount, featureNames, featuresOf } from "../../src/knowledge/retrieval/features.ts";
import { product, searchVectors } from "../../src/knowledge/retrieval/nearest.ts";
import { readQuestion } from "../../src/knowledge/retrieval/question.ts";
import type { SearchIndex } from "../../src/knowledge/retrieval/search-index.ts";
import { normalise, quantise } from "../../src/knowledge/retrieval/vectors.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

const document: CorpusDocument = {
  id: "terms",
  family: "terms",
  title: "Terms",
  carrier: null,
  market: "GB",
  product_line: null,
  document_type: null,
  provenance: "sample",
  language: "en",
  version: "1",
  valid_from: null,
  valid_to: null,
  url: null,
};

/** Builds an index of the passages of one document, in the given order. */
const indexOf = (texts: readonly string[]): Promise<SearchIndex> =>
  buildIndex({
    runtime: systemRuntime,
    documents: [document],
    chunks: () => [
      texts.map((text, at) => ({
        id: at,
        document_id: document.id,
        ordinal: at,
        page: null,
        heading: "",
        text,
        start: 0,
      })),
    ],
    version: 1,
  });

describe("the nearest vectors", () => {
  const component = fc.double({ min: -1, max: 1, noNaN: true });

  test("are the same as in a linear scan, for lengths divisible by four and others", async () => {
    const empty = await indexOf([]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 13 }).chain((dimensions) =>
          fc.record({
            asked: fc.array(component, { minLength: dimensions, maxLength: dimensions }),
            stored: fc.array(fc.array(component, { minLength: dimensions, maxLength: dimensions }), { maxLength: 30 }),
          }),
        ),
        fc.integer({ min: 1, max: 8 }),
        ({ asked, stored }, k) => {
          const [chunks, dimensions] = [stored.length, asked.length];
          const vectors = new Int8Array(chunks * dimensions);
          const vectorScales = new Float32Array(chunks);
          for (const [at, vector] of stored.entries())
            quantise(normalise(Float32Array.from(vector)), at, { vectors, scales: vectorScales, dimensions });
          const index: SearchIndex = {
            ...empty,
            meta: { ...empty.meta, chunks, dimensions },
            chunkDocuments: new Uint32Array(chunks),
            vectors,
            vectorScales,
          };
          const vector = normalise(Float32Array.from(asked));
          const found = searchVectors(index, vector, null, k);
          if (vector.every((value) => value === 0)) return expect(found.chunks).toEqual([]);
          const exact = stored.map((_, at) => product(vectors, vectorScales[at] ?? 0, at, vector));
          const best = exact.toSorted((a, b) => b - a).slice(0, k);
          expect(found.chunks).toHaveLength(best.length);
          for (const [nth, chunk] of found.chunks.entries()) expect(exact[chunk]).toBeCloseTo(best[nth] ?? 0, 3);
        },
      ),
    );
  });
});

describe("features", () => {
  const texts = [
    "yes theft of the bicycle from a locked cellar is covered up to the limit",
    "the bicycle must be locked; the cellar need not be, and theft elsewhere is another matter",
    "fire in the house is covered",
  ];
  const featureOf = (rows: Float32Array, candidate: number, name: (typeof featureNames)[number]) =>
    rows[candidate * featureCount + featureNames.indexOf(name)];

  test("include the positions of the question's words", async () => {
    const index = await indexOf(texts);
    const question = readQuestion(index, "is theft of the bicycle covered", "en", new Map());
    const { rows } = featuresOf(index, question, new Float32Array(0), [0, 1, 2]);
    expect(featureOf(rows, 0, "coverage")).toBe(1);
    expect(featureOf(rows, 0, "yes_no")).toBe(0.5);
    expect(featureOf(rows, 2, "yes_no")).toBe(0);
    expect(featureOf(rows, 0, "pairs")).toBeGreaterThan(0);
    expect(featureOf(rows, 2, "near")).toBe(0);
    expect(featureOf(rows, 0, "near")).toBeGreaterThan(featureOf(rows, 1, "near") ?? 0);
    expect(featureOf(rows, 0, "words_of_best")).toBe(1);
  });

  test("are the same whatever was asked before", async () => {
    const index = await indexOf(texts);
    const translations = new Map([["theft", new Map([["lock", 0.1]])]]);
    const judged = (text: string) =>
      featuresOf(index, readQuestion(index, text, "en", translations), new Float32Array(0), [0, 1, 2]).rows;
    const once = judged("is theft of the bicycle covered");
    judged("how much is paid after a fire in the house, and who pays");
    expect(judged("is theft of the bicycle covered")).toEqual(once);
  });
});
