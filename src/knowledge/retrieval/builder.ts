import type { EmbeddingModel } from "../../integrations/models/embedding.ts";
import type { CorpusDocument } from "../corpus/corpus.ts";
import { type CooperativeYield, cooperativeYield, type Turns } from "./cooperative-yield.ts";
import { embedChunks, type Previous } from "./endpoint.ts";
import { indexFormat } from "./layout.ts";
import { buildClusters } from "./nearest.ts";
import { buildPostings, type Postings } from "./postings.ts";
import { analysisVersion, type SearchIndex } from "./search-index.ts";
import { type ChunkBatches, collectTerms } from "./terms.ts";
import { corpusVectors, emptyVectors, trainVectors } from "./vectors.ts";

export type BuildStage = "reading" | "words" | "vectors" | "done";

export interface BuildOptions {
  readonly runtime: Turns;
  readonly documents: readonly CorpusDocument[];
  readonly chunks: ChunkBatches;
  /** The corpus's version counter at which documents and chunks were read. */
  readonly version: number;
  /** Computes the vectors; absent: they are trained on the corpus. */
  readonly embedding?: EmbeddingModel | undefined;
  /** The previous index, whose vectors are reused for unchanged chunks. */
  readonly previous?: Previous | undefined;
  /** Receives the stage and the number of chunks that have completed it. */
  readonly onProgress?: (stage: BuildStage, chunks: number) => void;
  readonly signal?: AbortSignal;
}

async function vectorsOf(postings: Postings, options: BuildOptions, yieldTurn: CooperativeYield) {
  const { embedding, chunks, previous, onProgress = () => {}, signal = new AbortController().signal } = options;
  if (!embedding) return { ...(await trainVectors(postings, yieldTurn)), projection: new Float32Array(0) };
  const report = (done: number): void => onProgress("vectors", done);
  const made = await embedChunks(embedding, postings.chunkIds, chunks, previous, signal, yieldTurn, report);
  return { ...made, terms: emptyVectors() };
}

/**
 * Builds an index, yielding to the event loop every ten milliseconds. The same documents and chunks give the same
 * index, byte for byte. Rethrows errors of `chunks` and of the embedding endpoint.
 */
export async function buildIndex(options: BuildOptions): Promise<SearchIndex> {
  const { documents, chunks, version, embedding, onProgress = () => {}, signal } = options;
  const yieldTurn = cooperativeYield(options.runtime, signal);
  const stream = await collectTerms(documents, chunks, yieldTurn, (read) => onProgress("reading", read));
  const count = stream.chunkIds.length;
  onProgress("words", count);
  const postings = await buildPostings(stream, yieldTurn);
  onProgress("vectors", 0);
  const { chunks: vectors, terms, projection } = await vectorsOf(postings, options, yieldTurn);
  const clusters = await buildClusters(vectors, count, yieldTurn);
  onProgress("done", count);
  return {
    meta: {
      format: indexFormat,
      analysis: analysisVersion,
      version,
      chunks: count,
      documents: documents.length,
      terms: stream.stems.length,
      average_length: stream.entries.length / Math.max(1, count),
      vectors: embedding?.name ?? corpusVectors,
      dimensions: vectors.dimensions,
      clusters: clusters.clusterOffsets.length - 1,
    },
    documents,
    ...postings,
    vectors: vectors.vectors,
    vectorScales: vectors.scales,
    termVectors: terms.vectors,
    termScales: terms.scales,
    projection,
    ...clusters,
  };
}
