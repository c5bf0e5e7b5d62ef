import { readFile } from "node:fs/promises";
import type { Meaning } from "../../contracts/meaning.ts";
import { writeDurably } from "../../platform/files.ts";
import type { Log } from "../../platform/log.ts";
import type { Chunk, CorpusChunk } from "../corpus/corpus.ts";
import { dimensions } from "../meaning/words.ts";
import type { ChunkBatches } from "./terms.ts";
import { type Quantised, quantise } from "./vectors.ts";

/** So many of the found are put in order by their meaning, or none; they are read before all others. */
const reordered = 20;
/** As many as that are, where they have been read: the words put what a question says in other words far down. */
export const considered = 150;
/**
 * How much a cosine counts beside the logit of the words' score. From 30 to 70 the right passage came first equally often
 * (169 questions on the starter documents and real wordings); this is between.
 */
export const cosineWeight = 45;
/** Chunks that are read ahead at most; of more, those that questions find are read when they are found. */
const mostAhead = 20_000;
/** Moves when the encoder or what it reads changes: vectors of another one can't be compared. */
const format = "assay meaning 1\n";
const recordBytes = 8 + 4 + dimensions;
/** After so many new ones all are written. */
const batchSize = 256;

const textOf = ({ heading, text }: CorpusChunk): string => (heading === "" ? text : `${heading}\n${text}`);
const keyOf = (text: string): bigint => Bun.hash.wyhash(text);
const logit = (score: number): number => Math.log(Math.max(1e-6, score) / Math.max(1e-6, 1 - score));

/** The cosine of two vectors of unit length, one of them in bytes. */
function cosine(question: Float32Array, { vectors, scales }: Quantised): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += (question[i] ?? 0) * (vectors[i] ?? 0);
  return sum * (scales[0] ?? 0);
}

/**
 * The vectors of passages by what they say, kept in a file beside the index and added to in the background: each text is
 * read once, however often it is imported. A damaged or old file is begun again.
 */
export class PassageMeanings {
  readonly #known = new Map<bigint, Quantised>();
  #opening: Promise<void> | undefined;
  #ahead: Promise<void> | undefined;

  constructor(private readonly options: { readonly meaning: Meaning; readonly file: string; readonly log: Log }) {}

  /**
   * The best of the found in the order of words and meaning together; the others stay where they are. Scores keep their
   * places, so that the best has the best. As they were where a vector is missing or the models give none in time.
   */
  async reorder(question: string, found: readonly Chunk[]): Promise<readonly Chunk[]> {
    if (!this.options.meaning.isBuiltIn || found.length < 2) return found;
    await this.#opened();
    const read = found.slice(0, considered).flatMap((one, at) => {
      const vector = this.#known.get(keyOf(textOf(one.chunk)));
      return vector ? [{ one, at, vector }] : [];
    });
    if (read.filter(({ at }) => at < reordered).length < Math.min(reordered, found.length)) return found;
    const asked = await this.options.meaning.vectorOf(question, "query");
    if (asked === null) return found;
    const judged = read.map(({ one, vector }) => {
      const likeness = cosine(asked, vector);
      return { ...one, likeness, value: logit(one.score) + cosineWeight * likeness };
    });
    judged.sort((a, b) => b.value - a.value);
    const places = new Set(read.map(({ at }) => at));
    const best = judged.map(({ value: _, ...one }, place) => ({ ...one, score: read[place]?.one.score ?? one.score }));
    return [...best, ...found.filter((_, at) => !places.has(at))];
  }

  /** Reads in the background what has no vector yet, one passage at a time. Called when a search has found something. */
  readAhead(found: readonly Chunk[], batches: ChunkBatches, signal: AbortSignal): void {
    if (!this.options.meaning.isBuiltIn || this.#ahead) return;
    this.#ahead = this.#read(found, batches, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.options.log.warn("passages could not be read ahead", { error });
      })
      .finally(() => {
        this.#ahead = undefined;
      });
  }

  /** Resolves when nothing is read any more: before the corpus is closed. */
  async idle(): Promise<void> {
    await this.#ahead;
  }

  async #read(found: readonly Chunk[], batches: ChunkBatches, signal: AbortSignal): Promise<void> {
    await this.#opened();
    let made = 0;
    const read = async (chunk: CorpusChunk): Promise<boolean> => {
      const text = textOf(chunk);
      const key = keyOf(text);
      if (this.#known.has(key)) return true;
      const vector = await this.options.meaning.vectorOf(text, "passage");
      if (vector === null || signal.aborted) return false;
      const kept: Quantised = { vectors: new Int8Array(dimensions), scales: new Float32Array(1), dimensions };
      quantise(vector, 0, kept);
      this.#known.set(key, kept);
      if (++made % batchSize === 0) await this.#write();
      return true;
    };
    try {
      for (const { chunk } of found.slice(0, reordered)) if (!(await read(chunk))) return;
      let passed = 0;
      for await (const batch of batches())
        for (const chunk of batch) {
          if (passed++ >= mostAhead || !(await read(chunk))) return;
        }
    } finally {
      if (made > 0) await this.#write();
    }
  }

  async #write(): Promise<void> {
    await writeDurably(this.options.file, [Buffer.from(format), ...this.#records()], { mode: 0o600 });
  }

  *#records(): Generator<Uint8Array> {
    for (const [key, { vectors, scales }] of this.#known) {
      const record = new Uint8Array(recordBytes);
      const view = new DataView(record.buffer);
      view.setBigUint64(0, key, true);
      view.setFloat32(8, scales[0] ?? 0, true);
      record.set(new Uint8Array(vectors.buffer), 12);
      yield record;
    }
  }

  #opened(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { file } = this.options;
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const head = Buffer.from(format);
    const isWhole = bytes.subarray(0, head.length).equals(head) && (bytes.length - head.length) % recordBytes === 0;
    if (!isWhole) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = head.length; at < bytes.length; at += recordBytes)
      this.#known.set(view.getBigUint64(at, true), {
        vectors: Int8Array.from(bytes.subarray(at + 12, at + recordBytes), (byte) => (byte << 24) >> 24),
        scales: Float32Array.of(view.getFloat32(at + 8, true)),
        dimensions,
      });
  }
}
