import type { CooperativeYield } from "./cooperative-yield.ts";
import type { Postings } from "./postings.ts";
import { inverseFrequency, readForward, type SearchIndex } from "./search-index.ts";
import { principalDirections, type SparseRows } from "./subspace.ts";

/**
 * The embedded method: latent semantic analysis (Deerwester et al., 1990). Chunks are rows of weighted terms; the
 * principal directions of a sample of them become the dimensions, in which words with similar contexts are near each
 * other. It needs no model and no network, and is trained on the corpus at each build.
 */
export const corpusVectors = "corpus";
const dimensions = 96;
/** Maximum number of chunks to learn the directions from. More change little and are slow. */
const sampleSize = 20_000;
/** Number of terms with a vector, the most frequent; ids are ranks by frequency. */
const vocabulary = 40_000;
const longestChunk = 4_096;

/** Quantised vectors of one length, each with the scale that restores unit length. */
export interface Quantised {
  readonly vectors: Int8Array;
  readonly scales: Float32Array;
  readonly dimensions: number;
}

/** Returns a set without vectors. */
export const emptyVectors = (width = 0): Quantised => ({
  vectors: new Int8Array(0),
  scales: new Float32Array(0),
  dimensions: width,
});

/** Quantises a vector to signed bytes, its largest component to 127. */
export function quantise(vector: Float32Array, at: number, { vectors, scales, dimensions: width }: Quantised): void {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return;
  scales[at] = largest / 127;
  for (let i = 0; i < width; i++) vectors[at * width + i] = Math.round(((vector[i] ?? 0) / largest) * 127);
}

/** Scales a vector to unit length in place; a zero vector stays. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / Math.sqrt(sum);
  return vector;
}

/** Checks that a term is in at least two chunks and not a function word in most of its chunks. */
function isWorthy({ frequency, frequencyOfAll }: Postings, id: number): boolean {
  const found = frequency[id] ?? 0;
  return id < vocabulary && found > 1 && found * 2 > (frequencyOfAll[id] ?? 0);
}

/** Returns a chunk's distinct terms with weights, (1 + log count) x idf, normalised to unit length. */
function weightsOf(postings: Postings, chunk: number, buffer: Uint32Array): Map<number, number> {
  const length = readForward(postings, chunk, buffer);
  const weights = new Map<number, number>();
  for (let i = 0; i < length; i++) {
    const id = buffer[i] ?? 0;
    if (isWorthy(postings, id)) weights.set(id, (weights.get(id) ?? 0) + 1);
  }
  let sum = 0;
  for (const [id, count] of weights) {
    const weight = (1 + Math.log(count)) * inverseFrequency(postings.frequency[id] ?? 0, postings.chunkIds.length);
    weights.set(id, weight);
    sum += weight * weight;
  }
  for (const [id, weight] of weights) weights.set(id, weight / Math.sqrt(sum));
  return weights;
}

async function sampleOf(postings: Postings, width: number, yieldTurn: CooperativeYield): Promise<SparseRows> {
  const chunks = postings.chunkIds.length;
  const step = Math.max(1, chunks / sampleSize);
  const buffer = new Uint32Array(longestChunk);
  const offsets: number[] = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let at = 0; Math.floor(at) < chunks; at += step) {
    for (const [id, weight] of weightsOf(postings, Math.floor(at), buffer)) {
      columns.push(id);
      values.push(weight);
    }
    offsets.push(columns.length);
    await yieldTurn();
  }
  return {
    offsets: Uint32Array.from(offsets),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
    width,
  };
}

/** Returns the vectors of all chunks, and those of terms, from which questions' vectors are computed. */
export async function trainVectors(
  postings: Postings,
  yieldTurn: CooperativeYield,
): Promise<{ chunks: Quantised; terms: Quantised }> {
  const chunks = postings.chunkIds.length;
  const width = Math.min(vocabulary, postings.frequency.length);
  const k = Math.min(dimensions, width, chunks);
  if (k === 0) return { chunks: emptyVectors(), terms: emptyVectors() };
  const directions = await principalDirections(await sampleOf(postings, width, yieldTurn), k, yieldTurn);
  const of = { vectors: new Int8Array(chunks * k), scales: new Float32Array(chunks), dimensions: k };
  const terms = { vectors: new Int8Array(width * k), scales: new Float32Array(width), dimensions: k };
  for (let id = 0; id < width; id++) quantise(directions.subarray(id * k, (id + 1) * k), id, terms);
  const buffer = new Uint32Array(longestChunk);
  const vector = new Float32Array(k);
  for (let chunk = 0; chunk < chunks; chunk++) {
    vector.fill(0);
    for (const [id, weight] of weightsOf(postings, chunk, buffer))
      for (let j = 0; j < k; j++) vector[j] = (vector[j] ?? 0) + weight * (directions[id * k + j] ?? 0);
    quantise(normalise(vector), chunk, of);
    await yieldTurn();
  }
  return { chunks: of, terms };
}

/** Returns a question's vector of unit length, computed from its terms; all zeros if none of them has a vector. */
export function projectTerms(index: SearchIndex, terms: readonly { id: number; weight: number }[]): Float32Array {
  const { dimensions: k, chunks } = index.meta;
  const vector = new Float32Array(k);
  for (const { id, weight } of terms) {
    const factor = weight * inverseFrequency(index.frequency[id] ?? 0, chunks) * (index.termScales[id] ?? 0);
    if (factor !== 0)
      for (let j = 0; j < k; j++) vector[j] = (vector[j] ?? 0) + factor * (index.termVectors[id * k + j] ?? 0);
  }
  return normalise(vector);
}
