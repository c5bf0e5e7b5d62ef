import type { CorpusDocument } from "../corpus/corpus.ts";
import { decodeIndex, encodeIndex, IndexFileError, indexFormat, type Section, sectionOf } from "./layout.ts";

/** Metadata of the index. `analysis` changes whenever stemming or features change the stored data. */
export interface IndexMeta {
  readonly format: number;
  readonly analysis: number;
  /** The corpus's version counter when the index was built. */
  readonly version: number;
  readonly chunks: number;
  readonly documents: number;
  readonly terms: number;
  /** Average number of terms per chunk. */
  readonly average_length: number;
  /** `corpus`, or the model name of the embedding endpoint. */
  readonly vectors: string;
  readonly dimensions: number;
  readonly clusters: number;
}

/** Increment when the analysis changes: an index of other stems can't be searched with these. */
export const analysisVersion = 2;

/** Number of chunks per block of postings, so that a chunk's number within it takes two bytes. */
export const blockSize = 65_536;

/**
 * The index in memory. It consists of typed arrays, so that 200,000 chunks take some 100 MB and no work of the garbage
 * collector. Term ids are ranks by frequency (short varints); chunks are numbered in insertion order.
 */
export interface SearchIndex {
  readonly meta: IndexMeta;
  readonly documents: readonly CorpusDocument[];
  /** The terms' UTF-8 bytes in the order of ids, and the offset of each. */
  readonly termBytes: Uint8Array;
  readonly termOffsets: Uint32Array;
  /** Term ids in the order of their bytes, for binary search. */
  readonly lexical: Uint32Array;
  /** Document frequency of each term, without and with its uses as a function word. */
  readonly frequency: Uint32Array;
  readonly frequencyOfAll: Uint32Array;
  /** Postings of term t in block b: from `[t * blocks + b]` to the next offset. */
  readonly postingOffsets: Uint32Array;
  readonly postingChunks: Uint16Array;
  /** BM25's saturated term frequency, scaled so that 255 is k1 + 1. */
  readonly postingImpacts: Uint8Array;
  /** Each chunk's terms in order as varints, headings first. */
  readonly forwardOffsets: Uint32Array;
  readonly forward: Uint8Array;
  readonly headingLengths: Uint8Array;
  readonly chunkIds: Uint32Array;
  readonly chunkDocuments: Uint32Array;
  /** Key of each chunk's text among those read by the encoder; see `textKeyAt`. */
  readonly textKeys: Uint32Array;
  readonly vectors: Int8Array;
  readonly vectorScales: Float32Array;
  /** Vectors that project a question's terms; empty if an endpoint makes the vectors. */
  readonly termVectors: Int8Array;
  readonly termScales: Float32Array;
  /** Projection to `dimensions` columns that shortens an endpoint's vectors; empty if they are used unchanged. */
  readonly projection: Float32Array;
  readonly centroids: Float32Array;
  readonly clusterOffsets: Uint32Array;
  readonly clusterMembers: Uint32Array;
}

type Sections = Omit<SearchIndex, "meta" | "documents">;

/** Returns the file's parts, to be written in order. */
export const encodeSearchIndex = ({ meta, documents, ...sections }: SearchIndex): Uint8Array[] =>
  encodeIndex(meta, { ...sections, documents: new TextEncoder().encode(JSON.stringify(documents)) });

function isMeta(meta: unknown): meta is IndexMeta {
  if (typeof meta !== "object" || meta === null) return false;
  const { vectors, ...numbers } = meta as Record<string, unknown>;
  const names = ["version", "chunks", "documents", "terms", "average_length", "dimensions", "clusters"];
  return typeof vectors === "string" && names.every((name) => typeof numbers[name] === "number");
}

/** Decodes an index file. Throws `IndexFileError` if it is damaged or of another format or analysis version. */
export function decodeSearchIndex(file: Uint8Array): SearchIndex {
  const { meta, sections } = decodeIndex(file);
  if (!isMeta(meta)) throw new IndexFileError("its metadata is damaged");
  if (meta.format !== indexFormat || meta.analysis !== analysisVersion)
    throw new IndexFileError("it was built by another version");
  const section = <S extends Section>(name: keyof Sections | "documents", type: abstract new (...a: never[]) => S): S =>
    sectionOf(sections, name, type);
  const documents: CorpusDocument[] = JSON.parse(new TextDecoder().decode(section("documents", Uint8Array)));
  return {
    meta,
    documents,
    termBytes: section("termBytes", Uint8Array),
    termOffsets: section("termOffsets", Uint32Array),
    lexical: section("lexical", Uint32Array),
    frequency: section("frequency", Uint32Array),
    frequencyOfAll: section("frequencyOfAll", Uint32Array),
    postingOffsets: section("postingOffsets", Uint32Array),
    postingChunks: section("postingChunks", Uint16Array),
    postingImpacts: section("postingImpacts", Uint8Array),
    forwardOffsets: section("forwardOffsets", Uint32Array),
    forward: section("forward", Uint8Array),
    headingLengths: section("headingLengths", Uint8Array),
    chunkIds: section("chunkIds", Uint32Array),
    chunkDocuments: section("chunkDocuments", Uint32Array),
    textKeys: section("textKeys", Uint32Array),
    vectors: section("vectors", Int8Array),
    vectorScales: section("vectorScales", Float32Array),
    termVectors: section("termVectors", Int8Array),
    termScales: section("termScales", Float32Array),
    projection: section("projection", Float32Array),
    centroids: section("centroids", Float32Array),
    clusterOffsets: section("clusterOffsets", Uint32Array),
    clusterMembers: section("clusterMembers", Uint32Array),
  };
}

/** The part of the index that maps stems to ids. */
export type Dictionary = Pick<SearchIndex, "termBytes" | "termOffsets" | "lexical">;

const encoder = new TextEncoder();

/** Returns the id of a stem; undefined if no chunk contains it. */
export function termIdOf({ termBytes, termOffsets, lexical }: Dictionary, stem: string): number | undefined {
  const wanted = encoder.encode(stem);
  let low = 0;
  let high = lexical.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const id = lexical[middle] ?? 0;
    const order = compareBytes(termBytes, termOffsets[id] ?? 0, termOffsets[id + 1] ?? 0, wanted);
    if (order === 0) return id;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Returns the stem of an id. */
export const termTextOf = ({ termBytes, termOffsets }: Dictionary, id: number): string =>
  Buffer.from(
    termBytes.buffer,
    termBytes.byteOffset + (termOffsets[id] ?? 0),
    (termOffsets[id + 1] ?? 0) - (termOffsets[id] ?? 0),
  ).toString();

function compareBytes(bytes: Uint8Array, from: number, to: number, wanted: Uint8Array): number {
  const shared = Math.min(to - from, wanted.length);
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[from + i] ?? 0) - (wanted[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return to - from - wanted.length;
}

/** Returns BM25's inverse document frequency, never negative. */
export const inverseFrequency = (frequency: number, chunks: number): number =>
  Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));

/** Reads a chunk's term ids into `into`, up to its length, and returns their number. */
export function readForward(
  { forward, forwardOffsets }: Pick<SearchIndex, "forward" | "forwardOffsets">,
  chunk: number,
  into: Uint32Array,
): number {
  const end = forwardOffsets[chunk + 1] ?? 0;
  let at = forwardOffsets[chunk] ?? 0;
  let count = 0;
  while (at < end && count < into.length) {
    let byte = forward[at++] ?? 0;
    let id = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = forward[at++] ?? 0;
      id |= (byte & 127) << shift;
    }
    into[count++] = id;
  }
  return count;
}
