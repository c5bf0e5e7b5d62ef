import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { EmbeddingModel } from "../../src/integrations/models/embedding.ts";
import { readIndexFile } from "../../src/knowledge/retrieval/file.ts";
import { decodeIndex, encodeIndex, IndexFileError, type Section } from "../../src/knowledge/retrieval/layout.ts";
import { folder, type Given, Library } from "../support/library.ts";

describe("the index is derived, and rebuilt when needed", () => {
  const document = (id: string, text: string): Given => ({ facts: { id }, passages: [["", text]] });

  test("two builds for a corpus give the same file, byte for byte", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."), document("b", "Fire in the house."));
    await library.corpus().rebuild();
    const once = readFileSync(library.file);
    await library.corpus().rebuild();
    expect(readFileSync(library.file).equals(once)).toBe(true);
  });

  test("another process uses the existing file", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."));
    await library.corpus().rebuild();
    library.logged.length = 0;
    expect(await library.found("theft")).toEqual(["a"]);
    expect(library.logged).toEqual([]);
  });

  test("a changed corpus is served from the old index until the new one is ready", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."));
    const corpus = library.corpus();
    expect(await library.found("theft", {}, corpus)).toEqual(["a"]);
    await library.add(document("b", "Theft of the bicycle."));
    expect(await library.found("theft", {}, corpus)).toEqual(["a"]);
    expect((await corpus.state()).status).toBe("building");
    expect(await corpus.refresh()).toMatchObject({ status: "ready", documents: 2, chunks: 2 });
    expect((await library.found("theft", {}, corpus)).sort()).toEqual(["a", "b"]);
  });

  test("a document that is no longer live is not found, even by an old index", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."), document("b", "Theft of the bicycle."));
    const corpus = library.corpus();
    await corpus.refresh();
    await library.store.write((tx) =>
      tx.updateTable("documents").set({ state: "removed" }).where("id", "=", "a").execute(),
    );
    expect(await library.found("theft", {}, corpus)).toEqual(["b"]);
  });

  test("a damaged, truncated or empty file, or one of another version, is rebuilt", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."));
    await library.corpus().rebuild();
    const sound = readFileSync(library.file);
    const damaged = Buffer.from(sound);
    damaged[damaged.length - 9] = (damaged[damaged.length - 9] ?? 0) ^ 255;
    const newer = Buffer.from(sound);
    newer.writeUInt32LE(99, 8);
    for (const bytes of [damaged, newer, sound.subarray(0, sound.length / 2), Buffer.alloc(0)]) {
      writeFileSync(library.file, bytes);
      library.logged.length = 0;
      expect(await library.found("theft")).toEqual(["a"]);
      expect(library.logged.join("")).toContain("is rebuilt");
      expect(readFileSync(library.file).equals(sound)).toBe(true);
    }
  });

  test("an index of another corpus with the same version is not used", async () => {
    const other = await Library.open(document("x", "Theft of the bicycle."));
    await other.corpus().rebuild();
    const library = await Library.open(document("a", "Theft of the vehicle."));
    writeFileSync(library.file, readFileSync(other.file));
    expect(await library.found("theft")).toEqual(["a"]);
  });

  test("concurrent questions build it once", async () => {
    const library = await Library.open(document("a", "Theft of the vehicle."));
    const corpus = library.corpus();
    await Promise.all(Array.from({ length: 20 }, () => library.found("theft", {}, corpus)));
    expect(library.logged.filter((line) => line.includes("search index built"))).toHaveLength(1);
  });
});

describe("vectors of an endpoint", () => {
  /** A model that knows only that a car is a vehicle. */
  const knowing = (counts: { texts: number; fails: boolean }): EmbeddingModel => ({
    name: "knowing-1",
    async embed(texts) {
      if (counts.fails) throw new Error("gone");
      counts.texts += texts.length;
      return texts.map((text) => {
        const isVehicle = /car\b|vehicle/i.test(text);
        return Float32Array.of(isVehicle ? 1 : 0, isVehicle ? 0 : 1, 0.1);
      });
    },
  });

  test("find passages without a word in common, cost one call per new passage, and are optional", async () => {
    const library = await Library.open(
      { facts: { id: "vehicle" }, passages: [["", "Vehicle wording."]] },
      { facts: { id: "house" }, passages: [["", "House wording."]] },
    );
    const counts = { texts: 0, fails: false };
    const corpus = library.corpus(knowing(counts));
    expect((await corpus.refresh()).vectors).toBe("knowing-1");
    expect((await library.found("my car", {}, corpus))[0]).toBe("vehicle");
    const before = counts.texts;
    await library.add({ facts: { id: "boat" }, passages: [["", "Boat wording."]] });
    await corpus.refresh();
    expect(counts.texts - before).toBe(1);
    counts.fails = true;
    expect(await library.found("house wording", {}, corpus)).toContain("house");
    expect(library.logged.join("")).toContain("the embedding endpoint failed");
  });
});

describe("the file format", () => {
  const section: fc.Arbitrary<Section> = fc.oneof(
    fc.uint8Array(),
    fc.int8Array(),
    fc.uint16Array(),
    fc.uint32Array(),
    fc.float32Array({ noNaN: true }),
  );
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

  test("written data is read back", () =>
    fc.assert(
      fc.property(fc.dictionary(name, section), fc.jsonValue(), (sections, meta) => {
        const read = decodeIndex(joined(encodeIndex(meta, sections)));
        expect(read.meta).toEqual(JSON.parse(JSON.stringify(meta)));
        expect([...read.sections].map(([key, value]) => [key, [...value]])).toEqual(
          Object.entries(sections).map(([key, value]) => [key, [...value]]),
        );
      }),
    ));

  test("a truncated file, or one with a changed byte, is refused or reads the same, and never throws anything else", () =>
    fc.assert(
      fc.property(fc.dictionary(name, section, { minKeys: 1 }), fc.nat(), fc.nat(), (sections, cut, at) => {
        const sound = joined(encodeIndex({ a: 1 }, sections));
        const changed = sound.slice();
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ 1;
        for (const bytes of [sound.slice(0, cut % sound.length), changed])
          try {
            const { sections: read } = decodeIndex(bytes);
            expect([...read].map(([key, value]) => [key, [...value]])).toEqual(
              Object.entries(sections).map(([key, value]) => [key, [...value]]),
            );
          } catch (error) {
            expect(error).toBeInstanceOf(IndexFileError);
          }
      }),
    ));

  test("a missing file is a missing index", async () =>
    expect(await readIndexFile(join(folder, "there-is-none"))).toBeUndefined());
});
