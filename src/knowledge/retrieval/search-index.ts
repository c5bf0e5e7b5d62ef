import type { CorpusDocument } from "../corpus/corpus.ts";
import { decodeIndex, encodeIndex, IndexFileError, indexFormat, type Section, sectionOf } from "./layout.ts";

/** What the index says of itself. `analysis` moves whenever stemming or features change what is stored. */
export interface IndexMeta {
  readonly format: number;
  readonly analysis: number;
  /** The corpus's version counter that it was built at. */
  readonly version: number;
  readonly chunks: number;
  readonly documents: number;
  readonly terms: number;
  /** Terms of a chunk, on average. */
  readonly average_length: number;
  /** `corpus`, or the name of the embedding endpoint's model. */
  readonly vectors: string;
  readonly dimensions: number;
  readonly clusters: number;
}

/** Move it when the analysis changes: an index of other stems must not be asked with these. */
export const analysisVersion = 2;

/** Chunks of one block of postings: their place in it takes two bytes. */
export const blockSize = 65_536;

/**
 * The index in memory: typed arrays alone, so that 200,000 chunks take some 100 MB and nothing for the collector.
 * Term ids are ranks by frequency (short varints), chunks are numbered in the order they came in.
 */
export interface SearchIndex {
  readonly meta: IndexMeta;
  readonly documents: readonly CorpusDocument[];
  /** The terms' UTF-8 bytes in the order of ids, and where each begins. */
  readonly termBytes: Uint8Array;
  readonly termOffsets: Uint32Array;
  /** Term ids in the order of their bytes, for look-up. */
  readonly lexical: Uint32Array;
  /** In how many chunks a term is, function words left out; and counted with them. */
  readonly frequency: Uint32Array;
  readonly frequencyOfAll: Uint32Array;
  /** Of term t and block b: from `[t * blocks + b]` to the next. */
  readonly postingOffsets: Uint32Array;
  readonly postingChunks: Uint16Array;
  /** BM25's saturated term frequency, 255 standing for k1 + 1. */
  readonly postingImpacts: Uint8Array;
  /** Each chunk's terms in order as varints, headings first. */
  readonly forwardOffsets: Uint32Array;
  readonly forward: Uint8Array;
  readonly headingLengths: Uint8Array;
  readonly chunkIds: Uint32Array;
  readonly chunkDocuments: Uint32Array;
  /** What each chunk's text is called among those that the model of meaning has read; see `textKeyAt`. */
  readonly textKeys: Uint32Array;
  readonly vectors: Int8Array;
  readonly vectorScales: Float32Array;
  /** What a question's terms are projected with; empty when an endpoint makes the vectors. */
  readonly termVectors: Int8Array;
  readonly termScales: Float32Array;
  /** What an endpoint's longer vectors are shortened with: `dimensions` rows; empty when they are used as they are. */
  readonly projection: Float32Array;
  readonly centroids: Float32Array;
  readonly clusterOffsets: Uint32Array;
  readonly clusterMembers: Uint32Array;
}

type Sections = Omit<SearchIndex, "meta" | "documents">;

/** The file's parts, to be written in order. */
export const encodeSearchIndex = ({ meta, documents, ...sections }: SearchIndex): Uint8Array[] =>
  encodeIndex(meta, { ...sections, documents: new TextEncoder().encode(JSON.stringify(documents)) });

function isMeta(meta: unknown): meta is IndexMeta {
  if (typeof meta !== "object" || meta === null) return false;
  const { vectors, ...numbers } = meta as Record<string, unknown>;
  const names = ["version", "chunks", "documents", "terms", "average_length", "dimensions", "clusters"];
  return typeof vectors === "string" && names.every((name) => typeof numbers[name] === "number");
}

/** Reads an index file. Throws `IndexFileError` when it is damaged or of another version of format or analysis. */
export function decodeSearchIndex(file: Uint8Array): SearchIndex {
  const { meta, sections } = decodeIndex(file);
  if (!isMeta(meta)) throw new IndexFileError("its description is damaged");
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

/** What a stem is looked up in. */
export type Dictionary = Pick<SearchIndex, "termBytes" | "termOffsets" | "lexical">;

const encoder = new TextEncoder();

/** The id of a stem; undefined when no chunk has it. */
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

/** The stem of an id. */
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

/** BM25's inverse document frequency, never negative. */
export const inverseFrequency = (frequency: number, chunks: number): number =>
  Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));

/** Reads a chunk's term ids into `into`, as many as it holds, and returns how many there are. */
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
