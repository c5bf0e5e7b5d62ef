import type { CooperativeYield } from "./cooperative-yield.ts";
import { seeded } from "./random.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Quantised } from "./vectors.ts";
import { Best, type Ranked } from "./words.ts";

/**
 * Vectors are searched with an inverted file (IVF; Sivic and Zisserman, 2003): each is listed under its nearest
 * centroid, and a search reads only the lists of the nearest centroids. Up to `exhaustiveAtMost` vectors, all are
 * compared.
 */
const exhaustiveAtMost = 8_000;
const trainingShare = 24;
const rounds = 4;
/** Number of lists that a search reads: about a twentieth of the vectors. */
const probed = 24;

export type Clusters = Pick<SearchIndex, "centroids" | "clusterOffsets" | "clusterMembers">;

const nothing: Clusters = {
  centroids: new Float32Array(0),
  clusterOffsets: new Uint32Array(1),
  clusterMembers: new Uint32Array(0),
};

/** Returns the product of stored vector `at` and a vector: their cosine if both are of unit length. */
export function product(vectors: Int8Array, scale: number, at: number, vector: Float32Array): number {
  const k = vector.length;
  const from = at * k;
  let sum = 0;
  for (let j = 0; j < k; j++) sum += (vectors[from + j] ?? 0) * (vector[j] ?? 0);
  return sum * scale;
}

function nearestCentroid(centroids: Float32Array, k: number, { vectors }: Quantised, at: number): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let c = 0; c * k < centroids.length; c++) {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += (centroids[c * k + j] ?? 0) * (vectors[at * k + j] ?? 0);
    if (sum > most) {
      most = sum;
      best = c;
    }
  }
  return best;
}

/** Spherical k-means on a seeded sample. An empty cluster keeps its centroid. */
async function trainCentroids(
  quantised: Quantised,
  count: number,
  lists: number,
  yieldTurn: CooperativeYield,
): Promise<Float32Array> {
  const { vectors, scales, dimensions: k } = quantised;
  const random = seeded(11);
  const sample = Array.from({ length: lists * trainingShare }, () => Math.floor(random() * count));
  let centroids = new Float32Array(lists * k);
  for (let c = 0; c < lists; c++)
    for (let j = 0; j < k; j++) {
      const at = sample[c * trainingShare] ?? 0;
      centroids[c * k + j] = (vectors[at * k + j] ?? 0) * (scales[at] ?? 0);
    }
  for (let round = 0; round < rounds; round++) {
    const sums = new Float32Array(lists * k);
    for (const at of sample) {
      const c = nearestCentroid(centroids, k, quantised, at);
      for (let j = 0; j < k; j++)
        sums[c * k + j] = (sums[c * k + j] ?? 0) + (vectors[at * k + j] ?? 0) * (scales[at] ?? 0);
      await yieldTurn();
    }
    for (let c = 0; c < lists; c++) {
      const row = sums.subarray(c * k, (c + 1) * k);
      const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
      for (let j = 0; j < k; j++) row[j] = norm > 0 ? (row[j] ?? 0) / norm : (centroids[c * k + j] ?? 0);
    }
    centroids = sums;
  }
  return centroids;
}

/** Assigns vectors to lists. Returns none if there are so few that comparing all is as fast. */
export async function buildClusters(
  quantised: Quantised,
  count: number,
  yieldTurn: CooperativeYield,
): Promise<Clusters> {
  if (count <= exhaustiveAtMost || quantised.dimensions === 0) return nothing;
  const lists = Math.round(Math.sqrt(count));
  const centroids = await trainCentroids(quantised, count, lists, yieldTurn);
  const listOf = new Uint32Array(count);
  const clusterOffsets = new Uint32Array(lists + 1);
  for (let at = 0; at < count; at++) {
    const c = nearestCentroid(centroids, quantised.dimensions, quantised, at);
    listOf[at] = c;
    clusterOffsets[c + 1] = (clusterOffsets[c + 1] ?? 0) + 1;
    await yieldTurn();
  }
  for (let c = 0; c < lists; c++) clusterOffsets[c + 1] = (clusterOffsets[c + 1] ?? 0) + (clusterOffsets[c] ?? 0);
  const next = clusterOffsets.slice();
  const clusterMembers = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const c = listOf[at] ?? 0;
    const slot = next[c] ?? 0;
    next[c] = slot + 1;
    clusterMembers[slot] = at;
  }
  return { centroids, clusterOffsets, clusterMembers };
}

/** Returns the lists, the nearest to a vector first. */
function listsNear({ centroids, meta }: SearchIndex, vector: Float32Array): number[] {
  const k = vector.length;
  const scores = new Float32Array(meta.clusters);
  for (let c = 0; c < meta.clusters; c++) {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += (centroids[c * k + j] ?? 0) * (vector[j] ?? 0);
    scores[c] = sum;
  }
  return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** A question's vector as integers, rounded as the stored ones are. */
interface Whole {
  readonly components: Int32Array;
  /** The stored vectors, four components packed into each number. */
  readonly stored: Int32Array;
  /** Factor by which the components were multiplied. */
  readonly factor: number;
}

/** Returns the largest integer component for which a sum of `k` products can't overflow. */
const largestWhole = (k: number): number => Math.min(16_383, Math.floor((2 ** 31 - 1) / (128 * k)));

/** Returns null if the length or the stored vectors are not aligned to four bytes. */
function wholeOf({ buffer, byteOffset, length }: Int8Array, vector: Float32Array): Whole | null {
  if (vector.length % 4 !== 0 || byteOffset % 4 !== 0) return null;
  const factor = largestWhole(vector.length) / vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return {
    components: Int32Array.from(vector, (value) => Math.round(value * factor)),
    stored: new Int32Array(buffer, byteOffset, length >> 2),
    factor,
  };
}

/**
 * Compares one vector of unit length with stored ones. Equals `product` to the third digit and is faster, because the
 * loop uses integers only and reads four at a time.
 */
export class Comparison {
  readonly #whole: Whole | null;
  #cosines = new Float64Array(0);

  constructor(
    readonly stored: Pick<Quantised, "vectors" | "scales">,
    readonly vector: Float32Array,
  ) {
    this.#whole = wholeOf(stored.vectors, vector);
  }

  /** Returns the cosines with the stored vectors at these places, in their order; valid until the next call. */
  with(places: Uint32Array): Float64Array {
    if (this.#cosines.length < places.length) this.#cosines = new Float64Array(places.length);
    const { vectors, scales } = this.stored;
    if (this.#whole !== null) this.#products(this.#whole, places);
    else for (const [i, at] of places.entries()) this.#cosines[i] = product(vectors, scales[at] ?? 0, at, this.vector);
    return this.#cosines;
  }

  #products({ components, stored, factor }: Whole, places: Uint32Array): void {
    const k = components.length;
    for (let i = 0; i < places.length; i++) {
      const at = places[i] ?? 0;
      let from = (at * k) >> 2;
      let sum = 0;
      for (let j = 0; j < k; j += 4) {
        const four = stored[from++] ?? 0;
        sum =
          (sum +
            Math.imul((four << 24) >> 24, components[j] ?? 0) +
            Math.imul((four << 16) >> 24, components[j + 1] ?? 0) +
            Math.imul((four << 8) >> 24, components[j + 2] ?? 0) +
            Math.imul(four >> 24, components[j + 3] ?? 0)) |
          0;
      }
      this.#cosines[i] = (sum * (this.stored.scales[at] ?? 0)) / factor;
    }
  }
}

/** Yields the chunks of the lists near a vector: `probed` lists, and more until `enough` have been seen. */
function* membersNear(index: SearchIndex, vector: Float32Array, seen: () => number, enough: number) {
  const { clusterOffsets, clusterMembers, meta } = index;
  if (meta.clusters === 0) {
    yield Uint32Array.from({ length: meta.chunks }, (_, chunk) => chunk);
    return;
  }
  for (const [nth, list] of listsNear(index, vector).entries()) {
    // A filter may leave few chunks in the nearest lists.
    if (nth >= probed && seen() >= enough) return;
    yield clusterMembers.subarray(clusterOffsets[list] ?? 0, clusterOffsets[list + 1] ?? 0);
  }
}

/** Returns the k chunks whose vectors are nearest to one of unit length; `allowed` as in `searchWords`. */
export function searchVectors(index: SearchIndex, vector: Float32Array, allowed: Uint8Array | null, k: number): Ranked {
  const best = new Best(k);
  if (vector.length === 0 || vector.every((value) => value === 0)) return best.ranked();
  const { vectors, vectorScales: scales, chunkDocuments } = index;
  const comparison = new Comparison({ vectors, scales }, vector);
  let seen = 0;
  for (const members of membersNear(index, vector, () => seen, 4 * k)) {
    const among = allowed === null ? members : members.filter((chunk) => allowed[chunkDocuments[chunk] ?? 0] === 1);
    best.offerAll(among, comparison.with(among));
    seen += among.length;
  }
  return best.ranked();
}
