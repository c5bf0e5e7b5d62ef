import { readFile } from "node:fs/promises";
import type { Meaning } from "../../contracts/meaning.ts";
import { second } from "../../platform/clock.ts";
import { writeDurably } from "../../platform/files.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Chunk, CorpusChunk } from "../corpus/corpus.ts";
import { dimensions } from "../meaning/words.ts";
import { type CooperativeYield, cooperativeYield, type Turns } from "./cooperative-yield.ts";
import { knownLikeness } from "./known-questions.ts";
import { Comparison } from "./nearest.ts";
import { passageText, textKey, textKeyAt } from "./passage-text.ts";
import type { SearchIndex } from "./search-index.ts";
import type { ChunkBatches } from "./terms.ts";
import { emptyVectors, type Quantised, quantise } from "./vectors.ts";
import { Best } from "./words.ts";

/** Number of top results that must have embeddings for re-ranking; a search waits until they have been read. */
const reordered = 20;
/** Maximum wait, four times what twenty take on an idle processor. After it, results are ranked by words alone. */
const patience = 12 * second;
/** Maximum length of the queue of passages that searches found. It is read before all others, newest search first. */
const mostWanted = 10 * reordered;
/** Number of results that are re-ranked if they have embeddings, since word scores rank paraphrases low. */
export const considered = 150;
/** Number of nearest passages by embedding that are candidates, whatever their word scores. */
export const nearestJudged = 50;
/**
 * Weight of a cosine relative to the logit of the word score. From 30 to 80 the right passage was among the first five
 * equally often (399 questions on the starter documents, .82).
 */
export const cosineWeight = 40;
/**
 * Weight of the most similar known question. The higher, the more often the right passage came first, and up to 40
 * among the first five (1,068 questions on the starter documents: .84 without, .94 with 10, .95 with 20, .96 with 40).
 */
export const knownWeight = 30;
/** Maximum number of chunks read ahead. In a larger corpus, the rest are read when a search finds them. */
const mostAhead = 20_000;
/** Changes with the encoder or its input, because embeddings of another one can't be compared. */
const format = "assay meaning 3\n";
/** Number of vectors compared between yields to the event loop. */
const compared = 2_000;
const recordBytes = 8 + 4 + dimensions;
/** Number of new vectors after which the file is rewritten. */
const batchSize = 256;

const logit = (score: number): number => Math.log(Math.max(1e-6, score) / Math.max(1e-6, 1 - score));

/** The places of the vectors of an index's chunks. */
interface Held {
  readonly index: SearchIndex;
  /** Number of vectors when it was computed. */
  readonly known: number;
  /** The chunks that have been read, in order, and the place of each one's vector. */
  readonly chunks: Uint32Array;
  readonly places: Uint32Array;
}

export interface PassageOptions {
  readonly runtime: Turns & Pick<Runtime, "deadline">;
  readonly meaning: Meaning;
  /** File in which the vectors are kept. */
  readonly file: string;
  /** File of the same format with vectors shipped with the program; absent: none. */
  readonly shipped?: string | undefined;
  readonly log: Log;
}

/**
 * The embeddings of passages, kept in a file next to the index and extended in the background. Each text is read once,
 * however often it is imported. A damaged or outdated file is discarded.
 */
export class PassageMeanings {
  readonly #places = new Map<bigint, number>();
  #stored: Quantised = emptyVectors(dimensions);
  #held: Held | undefined;
  #opening: Promise<void> | undefined;
  #ahead: Promise<void> | undefined;
  /** Number of vectors computed since the file was written. */
  #unwritten = 0;
  #wanted: readonly CorpusChunk[] = [];
  /** Readings that searches are waiting for, since two of them may need the same passage. */
  readonly #underway = new Map<bigint, Promise<unknown>>();

  constructor(private readonly options: PassageOptions) {}

  /** Returns a question's embedding; null if the models do not return one in time. */
  async vectorOf(question: string): Promise<Float32Array | null> {
    await this.#opened();
    return this.options.meaning.isBuiltIn ? this.options.meaning.vectorOf(question, "query") : null;
  }

  /** Returns how many of the index's passages are still to be read ahead; 0 if there are no models. */
  async unread(index: SearchIndex): Promise<number> {
    if (!this.options.meaning.isBuiltIn) return 0;
    await this.#opened();
    const { chunks } = await this.#heldOf(index, cooperativeYield(this.options.runtime));
    return Math.max(0, Math.min(mostAhead, index.meta.chunks) - chunks.length);
  }

  /** Returns the chunks whose passages are nearest to a question by meaning, among those that have been read. */
  async nearest(index: SearchIndex, asked: Float32Array, allowed: Uint8Array | null): Promise<readonly number[]> {
    const yieldTurn = cooperativeYield(this.options.runtime);
    const { chunks, places } = await this.#heldOf(index, yieldTurn);
    const may = (at: number): boolean => allowed === null || allowed[index.chunkDocuments[chunks[at] ?? 0] ?? 0] === 1;
    const best = new Best(nearestJudged);
    const comparison = new Comparison(this.#stored, asked);
    for (let from = 0; from < chunks.length; from += compared) {
      const among = chunks.subarray(from, from + compared).filter((_, at) => may(from + at));
      const theirs = places.subarray(from, from + compared).filter((_, at) => may(from + at));
      best.offerAll(among, comparison.with(theirs));
      await yieldTurn();
    }
    return best.ranked().chunks;
  }

  /**
   * Re-ranks the results that have been read by words, meaning and known questions together; the others follow in their
   * order. Scores stay in their positions, so that the best result has the highest. Returns `found` unchanged if one of
   * the first has not been read.
   */
  reorder(asked: Float32Array, found: readonly Chunk[]): readonly Chunk[] {
    const comparison = new Comparison(this.#stored, asked);
    const read = found.flatMap((one, at) => {
      const place = this.#places.get(textKey(passageText(one.chunk)));
      return place === undefined ? [] : [{ one, at, likeness: comparison.with(Uint32Array.of(place))[0] ?? 0 }];
    });
    if (read.filter(({ at }) => at < reordered).length < Math.min(reordered, found.length)) return found;
    const judged = read.map(({ one, likeness }) => ({
      ...one,
      likeness,
      value: logit(one.score) + cosineWeight * likeness + knownWeight * knownLikeness({ ...one, likeness }),
    }));
    judged.sort((a, b) => b.value - a.value);
    const places = new Set(read.map(({ at }) => at));
    const best = judged.map(({ value: _, ...one }, place) => ({ ...one, score: read[place]?.one.score ?? one.score }));
    return [...best, ...found.filter((_, at) => !places.has(at))];
  }

  /**
   * Reads a search's first results before anything is read ahead; otherwise they would be ranked by words now and by
   * meaning a moment later. Resolves within the time limit, even if not all have been read.
   */
  async readFirst(found: readonly Chunk[], signal?: AbortSignal): Promise<void> {
    const deadline = this.options.runtime.deadline(patience);
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
    for (const { chunk } of found.slice(0, reordered)) if (ended.aborted || !(await this.#read(chunk, ended))) return;
  }

  /** Checks that all is read and written: the first results, and the part of the index that is read ahead. */
  async isRead(index: SearchIndex, found: readonly Chunk[]): Promise<boolean> {
    return (
      this.#unwritten === 0 &&
      (await this.unread(index)) === 0 &&
      found.slice(0, reordered).every(({ chunk }) => this.#places.has(textKey(passageText(chunk))))
    );
  }

  /**
   * Reads passages without an embedding in the background, one at a time, those found by searches first. Returns
   * whether it has started now. Called after a search with results.
   */
  readAhead(found: readonly Chunk[], batches: ChunkBatches, signal: AbortSignal): boolean {
    if (!this.options.meaning.isBuiltIn) return false;
    this.#wanted = [...found.slice(0, reordered).map(({ chunk }) => chunk), ...this.#wanted].slice(0, mostWanted);
    if (this.#ahead) return false;
    this.#ahead = this.#readAll(batches, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.options.log.warn("passages could not be read ahead", { error });
      })
      .finally(() => {
        this.#ahead = undefined;
      });
    return true;
  }

  /** Resolves when background reading has stopped. Called before the corpus is closed. */
  async idle(): Promise<void> {
    await this.#ahead;
  }

  async #readAll(batches: ChunkBatches, signal: AbortSignal): Promise<void> {
    await this.#opened();
    let passed = 0;
    try {
      for await (const batch of batches())
        for (const chunk of batch) {
          if (passed++ >= mostAhead || !(await this.#readWanted(signal)) || !(await this.#read(chunk))) return;
          if (signal.aborted) return;
          if (this.#unwritten >= batchSize) await this.#write();
        }
      await this.#readWanted(signal);
    } finally {
      if (this.#unwritten > 0) await this.#write();
    }
  }

  /** Reads the passages that searches have found; returns false if the models are unavailable. */
  async #readWanted(signal: AbortSignal): Promise<boolean> {
    for (let [next] = this.#wanted; next && !signal.aborted; [next] = this.#wanted) {
      this.#wanted = this.#wanted.slice(1);
      if (!(await this.#read(next))) return false;
    }
    return true;
  }

  /** Returns whether a passage has an embedding, computing it if needed. `waits` is set if a search waits for it. */
  async #read(chunk: CorpusChunk, waits?: AbortSignal): Promise<boolean> {
    const text = passageText(chunk);
    const key = textKey(text);
    // A background reading may wait for long, so a search does not join it but reads the passage itself.
    const underway = waits && this.#underway.get(key);
    if (underway) await underway;
    if (this.#places.has(key)) return true;
    const reading = this.options.meaning.vectorOf(text, "passage", waits);
    if (waits) this.#underway.set(key, reading);
    const vector = await reading;
    if (waits) this.#underway.delete(key);
    if (vector === null) return false;
    quantise(vector, this.#place(key), this.#stored);
    this.#unwritten++;
    return true;
  }

  async #write(): Promise<void> {
    this.#unwritten = 0;
    await writeDurably(this.options.file, [Buffer.from(format), ...this.#records()], { mode: 0o600 });
  }

  *#records(): Generator<Uint8Array> {
    const { vectors, scales } = this.#stored;
    for (const [key, place] of this.#places) {
      const record = new Uint8Array(recordBytes);
      const view = new DataView(record.buffer);
      view.setBigUint64(0, key, true);
      view.setFloat32(8, scales[place] ?? 0, true);
      record.set(new Uint8Array(vectors.buffer, place * dimensions, dimensions), 12);
      yield record;
    }
  }

  /** Returns a text's place, allocating one if it has none. */
  #place(key: bigint): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#places.size;
    if (place === this.#stored.scales.length) {
      const room = Math.max(256, 2 * place);
      const larger = { vectors: new Int8Array(room * dimensions), scales: new Float32Array(room), dimensions };
      larger.vectors.set(this.#stored.vectors);
      larger.scales.set(this.#stored.scales);
      this.#stored = larger;
    }
    this.#places.set(key, place);
    return place;
  }

  async #heldOf(index: SearchIndex, yieldTurn: CooperativeYield): Promise<Held> {
    const known = this.#places.size;
    if (this.#held?.index === index && this.#held.known === known) return this.#held;
    const chunks = new Uint32Array(index.meta.chunks);
    const places = new Uint32Array(index.meta.chunks);
    let count = 0;
    for (let chunk = 0; chunk < index.meta.chunks; chunk++) {
      const place = this.#places.get(textKeyAt(index.textKeys, chunk));
      if (place !== undefined) {
        chunks[count] = chunk;
        places[count++] = place;
      }
      await yieldTurn();
    }
    this.#held = { index, known, chunks: chunks.subarray(0, count), places: places.subarray(0, count) };
    return this.#held;
  }

  #opened(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { file, shipped } = this.options;
    for (const one of shipped === undefined ? [file] : [shipped, file])
      this.#take(await readFile(one).catch(() => Buffer.alloc(0)));
  }

  /** Loads the vectors of a file, unless it is damaged or of another format. */
  #take(bytes: Buffer): void {
    const head = Buffer.from(format);
    const isWhole = bytes.subarray(0, head.length).equals(head) && (bytes.length - head.length) % recordBytes === 0;
    if (!isWhole) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = head.length; at < bytes.length; at += recordBytes) {
      const place = this.#place(view.getBigUint64(at, true));
      this.#stored.scales[place] = view.getFloat32(at + 8, true);
      this.#stored.vectors.set(new Int8Array(bytes.buffer, bytes.byteOffset + at + 12, dimensions), place * dimensions);
    }
  }
}
