import type { CorpusChunk, CorpusDocument } from "../corpus/corpus.ts";
import { searchLanguageOf } from "../language/languages.ts";
import { analyse, type Term } from "./analysis.ts";
import { compoundParts } from "./compounds.ts";
import type { CooperativeYield } from "./cooperative-yield.ts";
import { passageText, textKey } from "./passage-text.ts";

/** A growing array of unsigned integers. A list of millions of them would take too much memory. */
class Numbers {
  #held = new Uint32Array(4_096);
  length = 0;

  push(value: number): void {
    if (this.length === this.#held.length) {
      const larger = new Uint32Array(this.#held.length * 2);
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held[this.length++] = value;
  }

  /** Returns the pushed values, without a copy. */
  values(): Uint32Array {
    return this.#held.subarray(0, this.length);
  }
}

/** Flag of a function word in a stream of term ids. */
export const stopBit = 0x8000_0000;
/** Returns the term id of a stream entry. */
export const idIn = (entry: number): number => entry & 0x7fff_ffff;

/** The terms of all chunks, in order, before they are sorted into postings. */
export interface TermStream {
  readonly stems: readonly string[];
  /** Term ids with `stopBit`; those of chunk c are from `offsets[c]` to the next offset. */
  readonly entries: Uint32Array;
  readonly offsets: Uint32Array;
  readonly headingLengths: Uint8Array;
  readonly chunkIds: Uint32Array;
  readonly chunkDocuments: Uint32Array;
  readonly textKeys: Uint32Array;
}

/** Reads all chunks, in the same order each time. */
export type ChunkBatches = () => AsyncIterable<readonly CorpusChunk[]> | Iterable<readonly CorpusChunk[]>;

class Collector {
  readonly stems: string[] = [];
  readonly entries = new Numbers();
  readonly offsets = new Numbers();
  readonly headings = new Numbers();
  readonly chunkIds = new Numbers();
  readonly chunkDocuments = new Numbers();
  readonly textKeys = new Numbers();
  readonly #ids = new Map<string, number>();
  readonly #german: boolean[] = [];

  constructor(readonly documents: readonly CorpusDocument[]) {}

  idOf(stem: string): number {
    const known = this.#ids.get(stem);
    if (known !== undefined) return known;
    this.#ids.set(stem, this.stems.length);
    return this.stems.push(stem) - 1;
  }

  add(chunk: CorpusChunk, document: number): void {
    const language = searchLanguageOf(this.documents[document]?.language) ?? "en";
    const heading = analyse(chunk.heading, language);
    this.offsets.push(this.entries.length);
    this.headings.push(Math.min(255, heading.length));
    this.chunkIds.push(chunk.id);
    this.chunkDocuments.push(document);
    const key = textKey(passageText(chunk));
    this.textKeys.push(Number(key >> 32n));
    this.textKeys.push(Number(key & 0xffff_ffffn));
    this.#push(heading, language === "de");
    this.#push(analyse(chunk.text, language), language === "de");
  }

  #push(terms: readonly Term[], isGerman: boolean): void {
    for (const { stem, isStop } of terms) {
      const id = this.idOf(stem);
      if (isGerman) this.#german[id] = true;
      this.entries.push((id | (isStop ? stopBit : 0)) >>> 0);
    }
  }

  /** Returns the parts of each German compound, by term id. */
  async compounds(yieldTurn: CooperativeYield): Promise<Map<number, number[]>> {
    const frequency = await this.#frequencies(yieldTurn);
    const frequencyOf = (stem: string): number => {
      const id = this.#ids.get(stem);
      return id === undefined || !this.#german[id] ? 0 : (frequency[id] ?? 0);
    };
    const parts = new Map<number, number[]>();
    for (const [id, stem] of this.stems.entries()) {
      if (!this.#german[id]) continue;
      const found = compoundParts(stem, frequencyOf);
      if (found.length > 0)
        parts.set(
          id,
          found.map((part) => this.idOf(part)),
        );
      await yieldTurn();
    }
    return parts;
  }

  async #frequencies(yieldTurn: CooperativeYield): Promise<Uint32Array> {
    const frequency = new Uint32Array(this.stems.length);
    const seenIn = new Int32Array(this.stems.length).fill(-1);
    const entries = this.entries.values();
    const offsets = this.offsets.values();
    for (let chunk = 0; chunk < offsets.length; chunk++) {
      for (let at = offsets[chunk] ?? 0; at < (offsets[chunk + 1] ?? entries.length); at++) {
        const entry = entries[at] ?? 0;
        const id = idIn(entry);
        if ((entry & stopBit) !== 0 || seenIn[id] === chunk) continue;
        seenIn[id] = chunk;
        frequency[id] = (frequency[id] ?? 0) + 1;
      }
      await yieldTurn();
    }
    return frequency;
  }
}

/** Inserts the parts of each compound after it, so that they are found as separate words. */
async function withParts(
  stream: TermStream,
  parts: ReadonlyMap<number, number[]>,
  yieldTurn: CooperativeYield,
): Promise<TermStream> {
  const entries = new Numbers();
  const offsets = new Numbers();
  const headingLengths = stream.headingLengths.slice();
  for (let chunk = 0; chunk < stream.chunkIds.length; chunk++) {
    offsets.push(entries.length);
    const from = stream.offsets[chunk] ?? 0;
    const headingEnd = from + (stream.headingLengths[chunk] ?? 0);
    for (let at = from; at < (stream.offsets[chunk + 1] ?? 0); at++) {
      const entry = stream.entries[at] ?? 0;
      entries.push(entry);
      for (const part of parts.get(idIn(entry)) ?? []) entries.push(part);
      if (at === headingEnd - 1) headingLengths[chunk] = Math.min(255, entries.length - (offsets.values()[chunk] ?? 0));
    }
    await yieldTurn();
  }
  offsets.push(entries.length);
  return { ...stream, entries: entries.values(), offsets: offsets.values(), headingLengths };
}

/**
 * Reads all chunks and analyses them in their documents' languages. Skips chunks whose document is not in `documents`:
 * it was deleted after they were read. `onChunk` receives the number of chunks read.
 */
export async function collectTerms(
  documents: readonly CorpusDocument[],
  batches: ChunkBatches,
  yieldTurn: CooperativeYield,
  onChunk: (read: number) => void = () => {},
): Promise<TermStream> {
  const collector = new Collector(documents);
  const places = new Map(documents.map(({ id }, at) => [id, at]));
  for await (const batch of batches())
    for (const chunk of batch) {
      const document = places.get(chunk.document_id);
      if (document !== undefined) collector.add(chunk, document);
      onChunk(collector.chunkIds.length);
      await yieldTurn();
    }
  collector.offsets.push(collector.entries.length);
  const parts = await collector.compounds(yieldTurn);
  const stream = {
    stems: collector.stems,
    entries: collector.entries.values(),
    offsets: collector.offsets.values(),
    headingLengths: Uint8Array.from(collector.headings.values()),
    chunkIds: collector.chunkIds.values(),
    chunkDocuments: collector.chunkDocuments.values(),
    textKeys: collector.textKeys.values(),
  };
  return parts.size === 0 ? stream : withParts(stream, parts, yieldTurn);
}
