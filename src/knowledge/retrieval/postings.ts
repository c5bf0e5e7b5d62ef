import type { CooperativeYield } from "./cooperative-yield.ts";
import { blockSize, type Dictionary, type SearchIndex } from "./search-index.ts";
import { idIn, stopBit, type TermStream } from "./terms.ts";

/** BM25's parameters k1 and b (Robertson and Zaragoza, 2009), chosen on the validation questions of `train.ts`. */
export const saturation = 1.2;
export const lengthShare = 0.6;

/** Returns BM25's saturated frequency of a term in a chunk of `length` terms, from 0 to `saturation` + 1. */
export const saturated = (count: number, length: number, averageLength: number): number =>
  (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + lengthShare * (length / averageLength)));

export type Postings = Dictionary &
  Pick<
    SearchIndex,
    | "frequency"
    | "frequencyOfAll"
    | "postingOffsets"
    | "postingChunks"
    | "postingImpacts"
    | "forwardOffsets"
    | "forward"
    | "headingLengths"
    | "chunkIds"
    | "chunkDocuments"
    | "textKeys"
  >;

/** Ranks term ids by number of occurrences, the most frequent first; ties by first occurrence. */
function ranked({ stems, entries }: TermStream): { order: Uint32Array; rank: Uint32Array } {
  const counts = new Uint32Array(stems.length);
  for (const entry of entries) counts[idIn(entry)] = (counts[idIn(entry)] ?? 0) + 1;
  const order = Uint32Array.from(stems.keys()).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const rank = new Uint32Array(stems.length);
  for (const [at, id] of order.entries()) rank[id] = at;
  return { order, rank };
}

function dictionaryOf(stems: readonly string[], order: Uint32Array): Dictionary {
  const encoded = Array.from(order, (id) => new TextEncoder().encode(stems[id] ?? ""));
  const termOffsets = new Uint32Array(encoded.length + 1);
  for (const [at, bytes] of encoded.entries()) termOffsets[at + 1] = (termOffsets[at] ?? 0) + bytes.length;
  const termBytes = new Uint8Array(termOffsets[encoded.length] ?? 0);
  for (const [at, bytes] of encoded.entries()) termBytes.set(bytes, termOffsets[at]);
  const empty = new Uint8Array(0);
  const lexical = Uint32Array.from(encoded.keys()).sort((a, b) =>
    Buffer.compare(encoded[a] ?? empty, encoded[b] ?? empty),
  );
  return { termBytes, termOffsets, lexical };
}

const varintLength = (id: number): number => (id < 128 ? 1 : id < 16_384 ? 2 : id < 2_097_152 ? 3 : 4);

async function forwardOf({ entries, offsets }: TermStream, rank: Uint32Array, yieldTurn: CooperativeYield) {
  let bytes = 0;
  for (const entry of entries) bytes += varintLength(rank[idIn(entry)] ?? 0);
  const forward = new Uint8Array(bytes);
  const forwardOffsets = new Uint32Array(offsets.length);
  let at = 0;
  for (let chunk = 0; chunk + 1 < offsets.length; chunk++) {
    for (let i = offsets[chunk] ?? 0; i < (offsets[chunk + 1] ?? 0); i++) {
      let id = rank[idIn(entries[i] ?? 0)] ?? 0;
      for (; id > 127; id >>>= 7) forward[at++] = (id & 127) | 128;
      forward[at++] = id;
    }
    forwardOffsets[chunk + 1] = at;
    await yieldTurn();
  }
  return { forward, forwardOffsets };
}

/** Counts the terms of one chunk after another, function words separately, without allocating objects. */
class Counter {
  readonly #counts: Uint32Array;
  readonly content: number[] = [];
  readonly all: number[] = [];
  readonly #seen: Uint8Array;

  constructor(terms: number) {
    this.#counts = new Uint32Array(terms);
    this.#seen = new Uint8Array(terms);
  }

  /** Fills `content` and `all` with the chunk's distinct terms. */
  count({ entries, offsets }: TermStream, rank: Uint32Array, chunk: number): void {
    for (const id of this.all) {
      this.#counts[id] = 0;
      this.#seen[id] = 0;
    }
    this.content.length = 0;
    this.all.length = 0;
    for (let i = offsets[chunk] ?? 0; i < (offsets[chunk + 1] ?? 0); i++) {
      const entry = entries[i] ?? 0;
      const id = rank[idIn(entry)] ?? 0;
      if (this.#seen[id] === 0) {
        this.#seen[id] = 1;
        this.all.push(id);
      }
      if ((entry & stopBit) !== 0) continue;
      if (this.#counts[id] === 0) this.content.push(id);
      this.#counts[id] = (this.#counts[id] ?? 0) + 1;
    }
  }

  of(id: number): number {
    return this.#counts[id] ?? 0;
  }
}

/** Builds the dictionary, the postings by block and each chunk's terms from the collected stream. */
export async function buildPostings(stream: TermStream, yieldTurn: CooperativeYield): Promise<Postings> {
  const chunks = stream.chunkIds.length;
  const terms = stream.stems.length;
  const blocks = Math.max(1, Math.ceil(chunks / blockSize));
  const { order, rank } = ranked(stream);
  const frequency = new Uint32Array(terms);
  const frequencyOfAll = new Uint32Array(terms);
  const postingOffsets = new Uint32Array(terms * blocks + 1);
  const counter = new Counter(terms);
  for (let chunk = 0; chunk < chunks; chunk++) {
    counter.count(stream, rank, chunk);
    for (const id of counter.all) frequencyOfAll[id] = (frequencyOfAll[id] ?? 0) + 1;
    for (const id of counter.content) {
      frequency[id] = (frequency[id] ?? 0) + 1;
      const slot = id * blocks + Math.floor(chunk / blockSize) + 1;
      postingOffsets[slot] = (postingOffsets[slot] ?? 0) + 1;
    }
    await yieldTurn();
  }
  for (let slot = 1; slot < postingOffsets.length; slot++)
    postingOffsets[slot] = (postingOffsets[slot] ?? 0) + (postingOffsets[slot - 1] ?? 0);
  const postings = postingOffsets[postingOffsets.length - 1] ?? 0;
  const postingChunks = new Uint16Array(postings);
  const postingImpacts = new Uint8Array(postings);
  const next = postingOffsets.slice();
  const averageLength = Math.max(1, stream.entries.length / Math.max(1, chunks));
  for (let chunk = 0; chunk < chunks; chunk++) {
    counter.count(stream, rank, chunk);
    const length = (stream.offsets[chunk + 1] ?? 0) - (stream.offsets[chunk] ?? 0);
    for (const id of counter.content) {
      const slot = id * blocks + Math.floor(chunk / blockSize);
      const at = next[slot] ?? 0;
      next[slot] = at + 1;
      postingChunks[at] = chunk % blockSize;
      const share = saturated(counter.of(id), length, averageLength) / (saturation + 1);
      postingImpacts[at] = Math.max(1, Math.round(255 * share));
    }
    await yieldTurn();
  }
  return {
    ...dictionaryOf(stream.stems, order),
    ...(await forwardOf(stream, rank, yieldTurn)),
    frequency,
    frequencyOfAll,
    postingOffsets,
    postingChunks,
    postingImpacts,
    headingLengths: stream.headingLengths,
    chunkIds: stream.chunkIds.slice(),
    chunkDocuments: stream.chunkDocuments.slice(),
    textKeys: stream.textKeys.slice(),
  };
}
