import type { EmbeddingModel } from "../../integrations/models/embedding.ts";
import type { CorpusChunk } from "../corpus/corpus.ts";
import type { CooperativeYield } from "./cooperative-yield.ts";
import type { SearchIndex } from "./search-index.ts";
import { principalDirections } from "./subspace.ts";
import type { ChunkBatches } from "./terms.ts";
import { normalise, type Quantised, quantise } from "./vectors.ts";

/** Maximum number of components. Longer vectors are projected onto principal directions: 200,000 then take 51 MB. */
const longest = 256;
/** Number of texts from which the directions are learned. */
const sampleSize = 2_048;
const batchSize = 64;

/** The parts of the previous index that are reused: unchanged chunks need no second call to the endpoint. */
export type Previous = Pick<SearchIndex, "meta" | "chunkIds" | "vectors" | "vectorScales" | "projection">;

export interface EndpointVectors {
  readonly chunks: Quantised;
  readonly projection: Float32Array;
}

const textOf = ({ heading, text }: CorpusChunk): string => (heading === "" ? text : `${heading}\n${text}`);

/** Returns a vector of unit length, projected to `width` components if there is a projection. */
export function shorten(vector: Float32Array, projection: Float32Array, width: number): Float32Array {
  if (projection.length === 0) return normalise(Float32Array.from(vector));
  const short = new Float32Array(width);
  for (let i = 0; i < vector.length; i++)
    for (let j = 0; j < width; j++) short[j] = (short[j] ?? 0) + (vector[i] ?? 0) * (projection[i * width + j] ?? 0);
  return normalise(short);
}

/** Learns the principal directions of the vectors of sample texts; empty if the vectors are short enough. */
async function learnProjection(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
  yieldTurn: CooperativeYield,
) {
  const rows: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += batchSize)
    rows.push(...(await model.embed(texts.slice(at, at + batchSize), signal)));
  const width = rows[0]?.length ?? 0;
  if (width <= longest) return { projection: new Float32Array(0), width };
  const offsets = Uint32Array.from({ length: rows.length + 1 }, (_, row) => row * width);
  const columns = Uint32Array.from({ length: rows.length * width }, (_, at) => at % width);
  const values = new Float32Array(rows.length * width);
  for (const [row, vector] of rows.entries()) values.set(normalise(vector), row * width);
  const projection = await principalDirections({ offsets, columns, values, width }, longest, yieldTurn, 3);
  return { projection, width: longest };
}

async function sampleOf(batches: ChunkBatches, count: number): Promise<string[]> {
  const step = Math.max(1, Math.floor(count / sampleSize));
  const texts: string[] = [];
  let at = 0;
  for await (const batch of batches())
    for (const chunk of batch) if (at++ % step === 0 && texts.length < sampleSize) texts.push(textOf(chunk));
  return texts;
}

/**
 * Returns all chunks' vectors from an embedding endpoint, in the order of `chunkIds`. Rethrows the endpoint's errors.
 * `onChunk` receives the number of chunks done.
 */
export async function embedChunks(
  model: EmbeddingModel,
  chunkIds: Uint32Array,
  batches: ChunkBatches,
  previous: Previous | undefined,
  signal: AbortSignal,
  yieldTurn: CooperativeYield,
  onChunk: (done: number) => void,
): Promise<EndpointVectors> {
  const kept = previous?.meta.vectors === model.name && previous.meta.dimensions > 0 ? previous : undefined;
  const { projection, width } = kept
    ? { projection: kept.projection, width: kept.meta.dimensions }
    : await learnProjection(model, await sampleOf(batches, chunkIds.length), signal, yieldTurn);
  const places = new Map(Array.from(chunkIds, (id, at) => [id, at]));
  const known = new Map(Array.from(kept?.chunkIds ?? [], (id, at) => [id, at]));
  const chunks: Quantised = {
    vectors: new Int8Array(chunkIds.length * width),
    scales: new Float32Array(chunkIds.length),
    dimensions: width,
  };
  let done = 0;
  let waiting: { at: number; text: string }[] = [];
  const flush = async () => {
    const vectors = await model.embed(
      waiting.map(({ text }) => text),
      signal,
    );
    for (const [i, { at }] of waiting.entries())
      quantise(shorten(vectors[i] ?? new Float32Array(width), projection, width), at, chunks);
    done += waiting.length;
    onChunk(done);
    waiting = [];
  };
  for await (const batch of batches())
    for (const chunk of batch) {
      const at = places.get(chunk.id);
      const before = known.get(chunk.id);
      if (at === undefined) continue;
      if (kept && before !== undefined) {
        chunks.vectors.set(kept.vectors.subarray(before * width, (before + 1) * width), at * width);
        chunks.scales[at] = kept.vectorScales[before] ?? 0;
        done++;
      } else if (waiting.push({ at, text: textOf(chunk) }) === batchSize) await flush();
      await yieldTurn();
    }
  if (waiting.length > 0) await flush();
  return { chunks, projection };
}

/** Returns a question's vector for an index with an endpoint's vectors; empty if the model's length has changed. */
export async function embedQuestion(
  model: EmbeddingModel,
  { meta, projection }: Pick<SearchIndex, "meta" | "projection">,
  question: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  const [vector] = await model.embed([question], signal);
  const expected = projection.length === 0 ? meta.dimensions : projection.length / meta.dimensions;
  return vector?.length === expected ? shorten(vector, projection, meta.dimensions) : new Float32Array(0);
}
