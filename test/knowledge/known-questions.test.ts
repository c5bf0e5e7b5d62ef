import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveChunks } from "../../db/queries/chunks.ts";
import type { Chunk } from "../../src/knowledge/corpus/corpus.ts";
import { starterSources } from "../../src/knowledge/corpus/starter/index.ts";
import { starterMeanings } from "../../src/knowledge/corpus/starter/meanings.ts";
import { Model } from "../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { dimensions } from "../../src/knowledge/meaning/words.ts";
import { encodeKnownQuestions, KnownQuestions } from "../../src/knowledge/retrieval/known-questions.ts";
import { passageText } from "../../src/knowledge/retrieval/passage-text.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { foundChunk } from "../support/chunks.ts";
import { Library } from "../support/library.ts";
import { computing } from "../support/services.ts";
import { importQuietly } from "../support/starter.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-known-questions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog(systemRuntime, "error");
const unit = (at: number): Float32Array => Float32Array.from({ length: dimensions }, (_, i) => (i === at ? 1 : 0));

const found = (id: number, text: string): Chunk => foundChunk({ id, heading: "Cover", text });

/** A map that rotates the dimensions by one: it maps each unit vector to the next. */
const turned = Float32Array.from({ length: dimensions ** 2 }, (_, at) =>
  at % dimensions === (Math.floor(at / dimensions) + dimensions - 1) % dimensions ? 1 : 0,
);

describe("known questions", () => {
  const flood = found(1, "Flood is covered. Theft is covered at home.");
  const fire = found(2, "Fire is covered.");
  const questions = [
    { passage: passageText(flood.chunk), vector: unit(0), answer: { from: 0, to: 17 } },
    { passage: passageText(flood.chunk), vector: unit(1), answer: { from: 18, to: 43 } },
    { passage: passageText(flood.chunk), vector: unit(2), answer: null },
  ];
  const file = join(folder, "written.meaning");
  writeFileSync(file, Buffer.concat(encodeKnownQuestions(questions, turned)));
  const known = (from = file) => new KnownQuestions({ runtime: systemRuntime, file: from, log });
  const asking = async (vector: Float32Array) => present(await known().asking(vector), "what can be compared");

  test("have a similarity to a question, and the part of the passage that answers it", async () => {
    const asked = await asking(unit(1));
    const { answered, nearly } = present(asked.beside(flood).askedBefore, "what was asked before");
    expect(answered.map(({ from, to, likeness }) => [from, to, Math.round(likeness * 100) / 100])).toEqual([
      [0, 17, 0],
      [18, 43, 1],
    ]);
    expect(nearly).toBeCloseTo(0, 2);
    // This passage has no known questions.
    expect(asked.beside(fire)).toEqual(fire);
  });

  test("show what a passage only nearly answers", async () => {
    const { answered, nearly } = present((await asking(unit(2))).beside(flood).askedBefore, "it");
    expect(nearly).toBeCloseTo(1, 2);
    expect(Math.max(...answered.map(({ likeness }) => likeness))).toBeCloseTo(0, 2);
  });

  test("are compared after applying the map", async () => {
    const half = Float32Array.from({ length: dimensions ** 2 }, (_, at) => (at % (dimensions + 1) === 0 ? 1 : 0));
    half[1] = 1;
    const folded = join(folder, "folded.meaning");
    writeFileSync(folded, Buffer.concat(encodeKnownQuestions(questions, half)));
    const asked = present(await known(folded).asking(unit(1)), "what can be compared");
    const [first] = present(asked.beside(flood).askedBefore, "it").answered;
    // The second dimension also counts as the first.
    expect(first?.likeness).toBeCloseTo(Math.SQRT1_2, 2);
  });

  test("in a damaged file are ignored", async () => {
    const damaged = join(folder, "damaged.meaning");
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    expect(await known(damaged).asking(unit(0))).toBeNull();
    expect(await known(join(folder, "missing")).asking(unit(0))).toBeNull();
  });
});

test("the shipped questions belong to the passages of the shipped documents, encoded by the embedded encoder", async () => {
  const library = await Library.open();
  await importQuietly({ store: library.store, runtime: systemRuntime, computing, actor: "test" }, starterSources());
  const chunks = (await Array.fromAsync(liveChunks(library.store.read))).flat();
  const model = await Model.load(present(weightFiles, "the models"));
  const asked = await model.vectorOf("query: kroupy mi potloukly kapotu, pomuze mi havarijko?");
  const questions = new KnownQuestions({ runtime: systemRuntime, file: starterMeanings.questions, log });
  const asking = present(await questions.asking(asked), "what can be compared");
  const compared = chunks.map((chunk) => asking.beside(foundChunk(chunk)));
  // No question is about a document's statement that it is a sample.
  const without = compared.filter(({ askedBefore }) => askedBefore === undefined);
  expect(without.filter(({ chunk }) => chunk.text.length > 600).map(({ chunk }) => chunk.text)).toEqual([]);
  expect(without.length / chunks.length).toBeLessThan(0.1);
  const likeness = ({ askedBefore }: Chunk) => Math.max(0, ...(askedBefore?.answered ?? []).map((one) => one.likeness));
  const best = present(compared.toSorted((a, b) => likeness(b) - likeness(a))[0], "the likest");
  expect(likeness(best)).toBeCloseTo(1, 1);
  expect(best.chunk.text).toContain("živelní události a vandalismu");
});
