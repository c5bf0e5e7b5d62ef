import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveChunks } from "../../db/queries/chunks.ts";
import type { Meaning } from "../../src/contracts/meaning.ts";
import type { Chunk } from "../../src/knowledge/corpus/corpus.ts";
import { Model } from "../../src/knowledge/meaning/model.ts";
import { createMeaning } from "../../src/knowledge/meaning/service.ts";
import { Tokenizer } from "../../src/knowledge/meaning/tokenizer.ts";
import { Waiting } from "../../src/knowledge/meaning/waiting.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { dimensions, Words } from "../../src/knowledge/meaning/words.ts";
import { PassageMeanings } from "../../src/knowledge/retrieval/passages.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { foundChunk } from "../support/chunks.ts";
import { Library } from "../support/library.ts";

if (weightFiles === null) throw new Error("the repository has the weights");
const files = weightFiles;
const folder = mkdtempSync(join(tmpdir(), "assay-meaning-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog(systemRuntime, "error");
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const plenty = () => 2 ** 40;

describe("the tokenizer", () => {
  const tokenizer = new Tokenizer(
    ["<s>", "<pad>", "</s>", "<unk>", "\u2581po", "vodeň", "\u2581povo", "deň", "\u2581"],
    Float32Array.of(0, 0, 0, 0, -2, -2, -1, -2, -3),
  );

  test("splits a word into the most probable sequence of pieces", () => {
    expect(tokenizer.encode("povodeň povodeň", 10)).toEqual([6, 7, 6, 7]);
  });

  test("encodes an unknown run of characters as one piece, and stops at its limit", () => {
    expect(tokenizer.encode("\u4e2d\u6587\u{1f600}", 10)).toEqual([8, 3]);
    expect(tokenizer.encode("povodeň ".repeat(50), 7)).toHaveLength(7);
    expect(tokenizer.encode(" \n ", 7)).toEqual([]);
  });
});

describe("the vocabulary file", () => {
  test("is refused if damaged", async () => {
    const whole = new Uint8Array(Bun.zstdDecompressSync(readFileSync(files.words)));
    expect(() => Words.read(whole.buffer)).not.toThrow();
    expect(() => Words.read(whole.buffer.slice(0, -1))).toThrow("damaged");
    expect(() => Words.read(new ArrayBuffer(64))).toThrow("damaged");
  });

  test("is refused if its compressed data is truncated", async () => {
    const words = join(folder, "words.bin.zst");
    writeFileSync(words, readFileSync(files.words).subarray(0, -1_000));
    await expect(Model.load({ ...files, words })).rejects.toThrow();
  });
});

describe("the encoder", () => {
  test("puts texts of the same meaning closer together than others, across languages", async () => {
    const model = await Model.load(files);
    const asked = await model.vectorOf("query: Do kdy musím nahlásit krádež policii?");
    const right = await model.vectorOf("passage: A theft must be reported to the police within 24 hours.");
    const other = await model.vectorOf(
      "passage: The premium is paid by direct debit at the beginning of each quarter.",
    );
    expect(asked).toHaveLength(dimensions);
    expect(dot(asked, asked)).toBeCloseTo(1, 3);
    expect(dot(asked, right)).toBeGreaterThan(dot(asked, other));
    // The same text gives the same numbers, whatever was read before.
    expect([...(await model.vectorOf("query: Do kdy musím nahlásit krádež policii?"))]).toEqual([...asked]);
  });
});

interface Section {
  readonly section: string;
  readonly abroad: { readonly answered: string; readonly where: readonly string[]; readonly unanswered: string };
}

/** Sections of documents, each with two questions in another language that the reader was not trained on. */
const heldBack = ["cs-4", "en-4"].flatMap((name) =>
  readFileSync(join(import.meta.dir, `../../tools/training/meaning/sections/${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .filter((_, line) => line % 7 === 0)
    .map((line): Section => JSON.parse(line)),
);

/** Returns the marked sentence with some context. */
function around({ section, abroad: { where } }: Section): string {
  const at = section.indexOf(where[0] ?? "");
  return section.slice(Math.max(0, at - 120), at + 200);
}

describe("the reader", () => {
  test("distinguishes foreign-language questions that a passage answers from those that it nearly answers", async () => {
    const model = await Model.load(files);
    let right = 0;
    for (const one of heldBack) {
      const passage = around(one);
      const answered = await model.read(one.abroad.answered, passage);
      const unanswered = await model.read(one.abroad.unanswered, passage);
      if (answered.answers > unanswered.answers) right += 1;
    }
    expect(heldBack.length).toBeGreaterThan(30);
    expect(right / heldBack.length).toBeGreaterThan(0.75);
  });

  test.each([
    [
      "Mennyi lenne a kötelező egy 2015-ös Suzukira Pesten?",
      "Czech Republic: motor liability under Act 30/2024 Coll.: Minimum limits: The minimum limit is CZK 50 million per injured person.",
    ],
    ["Meghalt a nagyi Kassán, mennyit adnak a koporsóra?", "2.3 Flood is covered up to CZK 300,000 for each event."],
    ["Quel serrurier dois-je appeler ?", "Povodeň a záplava do 300 000 Kč; čekací doba je 14 dnů."],
  ])("does not take an unrelated question in another language for answered: %s", async (question, passage) => {
    const model = await Model.load(files);
    expect((await model.read(question, passage)).answers).toBeLessThan(0.5);
  });
});

describe("the queue of the models", () => {
  test("serves firms in turn, and indexing last", () => {
    const waiting = new Waiting<string>();
    expect(waiting.add("ahead", "", false)).toBe(true);
    for (const job of ["a1", "a2", "a3"]) expect(waiting.add(job, "a", true)).toBe(true);
    for (const job of ["b1", "b2"]) expect(waiting.add(job, "b", true)).toBe(true);
    const taken = Array.from({ length: 7 }, () => waiting.take());
    expect(taken).toEqual(["a1", "b1", "a2", "b2", "a3", "ahead", undefined]);
  });

  test("limits each firm to its share of places, and aborted jobs free theirs", () => {
    const waiting = new Waiting<number>();
    const added = Array.from({ length: 100 }, (_, job) => waiting.add(job, "a", true)).filter(Boolean).length;
    expect(added).toBeLessThan(100);
    expect(waiting.add(-1, "b", true)).toBe(true);
    expect(waiting.add(-2, "a", true)).toBe(false);
    waiting.remove(0);
    expect(waiting.add(-2, "a", true)).toBe(true);
    expect(waiting.all()).toHaveLength(added + 1);
  });
});

describe("during a request to the models", () => {
  test("the process stays alive for their worker thread, and not afterwards", async () => {
    const kept: boolean[] = [];
    const runtime: Pick<typeof systemRuntime, "thread" | "elapsed" | "after"> = {
      ...systemRuntime,
      thread(name, listener) {
        const thread = systemRuntime.thread(name, listener);
        const keepAlive = (isNeeded: boolean) => {
          kept.push(isNeeded);
          thread.keepAlive(isNeeded);
        };
        return { ...thread, keepAlive };
      },
    };
    const meaning = createMeaning({ runtime, log, files, available: plenty });
    const asked = meaning.vectorOf("povodeň", "passage");
    expect(kept).toEqual([true]);
    expect(await asked).toHaveLength(dimensions);
    expect(kept.at(-1)).toBe(false);
    meaning.stop();
  });
});

describe("a question that loads the models", () => {
  test("waits for that too, the next one only for its own turn", async () => {
    const waits: number[] = [];
    const runtime: typeof systemRuntime = {
      ...systemRuntime,
      after(ms, then) {
        waits.push(ms);
        return systemRuntime.after(ms, then);
      },
    };
    const meaning = createMeaning({ runtime, log, files, available: plenty });
    const asked = meaning.vectorOf("povodeň", "query");
    const [first = 0] = waits.splice(0);
    expect(await asked).toHaveLength(dimensions);
    waits.length = 0;
    await meaning.vectorOf("záplava", "query");
    expect(first).toBeGreaterThan(waits[0] ?? first);
    meaning.stop();
  });
});

describe("without the models", () => {
  test("requests return null immediately if built without them, or if memory is short", async () => {
    for (const options of [
      { files: null, available: plenty },
      { files, available: () => 100 * 2 ** 20 },
    ]) {
      const meaning = createMeaning({ runtime: systemRuntime, log, ...options });
      expect(await meaning.vectorOf("povodeň", "query")).toBeNull();
      meaning.stop();
    }
  });

  test("a thread that can't load them is abandoned, and not asked again", async () => {
    const broken = join(folder, "broken.bin");
    writeFileSync(broken, "no words");
    const meaning = createMeaning({
      runtime: systemRuntime,
      log,
      files: { ...files, words: broken },
      available: plenty,
    });
    expect(await meaning.vectorOf("povodeň", "passage")).toBeNull();
    expect(await meaning.vectorOf("povodeň", "passage")).toBeNull();
    meaning.stop();
  });

  test("pending requests return null when stopped", async () => {
    const meaning = createMeaning({ runtime: systemRuntime, log, files, available: plenty });
    const waiting = meaning.vectorOf("povodeň", "passage");
    meaning.stop();
    expect(await waiting).toBeNull();
    expect(await meaning.vectorOf("povodeň", "passage")).toBeNull();
  });
});

const unit = (at: number): Float32Array => Float32Array.from({ length: dimensions }, (_, i) => (i === at ? 1 : 0));
/** The meaning of a text is that of its last word. */
const lexicon: Readonly<Record<string, Float32Array>> = {
  flood: unit(0),
  water: unit(0),
  theft: unit(1),
  fire: unit(2),
};
const known: Meaning = {
  isBuiltIn: true,
  vectorOf: async (text) => lexicon[text.split(" ").at(-1) ?? ""] ?? null,
  read: async () => null,
  stop: () => {},
};
const found = (text: string, score: number): Chunk => foundChunk({ id: text.length, text }, { score });

describe("passages ranked by meaning", () => {
  const chunks = [found("about theft", 0.9), found("about a fire", 0.8), found("about the flood", 0.7)];
  const never = new AbortController().signal;
  const batches = () => [chunks.map(({ chunk }) => chunk)];
  const titles = (list: readonly Chunk[]) => list.map(({ chunk }) => chunk.text);
  const ordered = async (passages: PassageMeanings, question: string): Promise<readonly Chunk[]> => {
    const asked = await passages.vectorOf(question);
    return asked === null ? chunks : passages.reorder(asked, chunks);
  };

  test("have the nearest first once all are indexed, and keep the same scores by position", async () => {
    const file = join(folder, "one");
    const passages = new PassageMeanings({ runtime: systemRuntime, meaning: known, file, log });
    expect(titles(await ordered(passages, "so much water"))).toEqual(titles(chunks));
    passages.readAhead(chunks, batches, never);
    await passages.idle();
    const found = await ordered(passages, "so much water");
    expect(titles(found)).toEqual(["about the flood", "about theft", "about a fire"]);
    expect(found.map(({ score }) => score)).toEqual([0.9, 0.8, 0.7]);
    // A question that the models can't encode keeps the order by words.
    expect(titles(await ordered(passages, "so much else"))).toEqual(titles(chunks));
    // The vectors are on disk for the next start, and a damaged file is replaced.
    const again = new PassageMeanings({ runtime: systemRuntime, meaning: known, file, log });
    expect(titles(await ordered(again, "so much water"))[0]).toBe("about the flood");
    writeFileSync(file, readFileSync(file).subarray(0, -5));
    const cut = new PassageMeanings({ runtime: systemRuntime, meaning: known, file, log });
    expect(titles(await ordered(cut, "so much water"))).toEqual(titles(chunks));
  });

  test("include one without a word of the question, among those that may answer", async () => {
    const library = await Library.open(
      { facts: { id: "cellar" }, passages: [["", "A cellar is insured against theft"]] },
      { facts: { id: "flood" }, passages: [["", "Damage by flood"]] },
      { facts: { id: "abroad", market: "DE" }, passages: [["", "Losses in a flood"]] },
    );
    const asked = ["My cellar is under water", { country: "CZ" }] as const;
    expect(await library.found(...asked)).toEqual(["cellar"]);
    const passages = new PassageMeanings({
      runtime: systemRuntime,
      meaning: known,
      file: `${library.file}.meaning`,
      log,
    });
    passages.readAhead([], () => liveChunks(library.store.read), never);
    await passages.idle();
    const corpus = library.corpus(undefined, known);
    expect(await library.found(...asked, corpus)).toEqual(["flood", "cellar"]);
    await corpus.close();
  });

  test("are indexed first if a question needs them", async () => {
    const others = Array.from({ length: 300 }, (_, at): [string, string] => ["", `Paragraph ${at} on fire`]);
    const library = await Library.open({ facts: { id: "backlog" }, passages: others });
    // A model that encodes only passages that a question waits for, until the gate opens.
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const read: string[] = [];
    const slow: Meaning = {
      ...known,
      vectorOf: async (text, kind, waits) => {
        if (kind === "passage" && !waits) await gate;
        if (kind === "passage") read.push(text);
        return known.vectorOf(text, kind);
      },
    };
    const corpus = library.corpus(undefined, slow);
    await corpus.refresh();
    expect((await corpus.state()).unread).toBe(300);
    await library.found("What does a paragraph say", {}, corpus);
    expect(library.logged.join()).toContain('"unread":300');

    await library.add({
      facts: { id: "cellar" },
      passages: [["", "A cellar under the house is insured against theft"]],
    });
    await library.add({ facts: { id: "flood" }, passages: [["", "A house is insured against flood"]] });
    await corpus.refresh();
    const asked = ["Is the cellar of a house insured against water", {}, corpus] as const;
    const first = await library.found(...asked);
    expect(first.slice(0, 2)).toEqual(["flood", "cellar"]);
    expect(await library.found(...asked)).toEqual(first);
    // Each is encoded once, and the rest is still pending.
    expect(read.filter((text) => text.endsWith("flood"))).toHaveLength(1);
    expect((await corpus.state()).unread).toBeGreaterThan(250);
    open();
    await corpus.close();
  });

  test("are not awaited once the caller has disconnected", async () => {
    const library = await Library.open({ facts: { id: "flood" }, passages: [["", "Damage by flood"]] });
    const gone = new AbortController();
    const stuck: Meaning = {
      ...known,
      vectorOf: (text, kind, waits) => {
        if (kind === "query") return known.vectorOf(text, kind);
        gone.abort();
        return new Promise((resolve) => {
          if (waits?.aborted) resolve(null);
        });
      },
    };
    const corpus = library.corpus(undefined, stuck);
    expect(await library.found("damage under water", { signal: gone.signal }, corpus)).toEqual(["flood"]);
    expect((await corpus.state()).unread).toBe(1);
  });
});
