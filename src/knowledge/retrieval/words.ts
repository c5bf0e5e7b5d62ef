import { saturation } from "./postings.ts";
import { blockSize, inverseFrequency, type SearchIndex } from "./search-index.ts";

/** A term to search for and its weight. */
export interface WeightedTerm {
  readonly id: number;
  readonly weight: number;
}

/** Chunks with their scores, best first; ties in import order. */
export interface Ranked {
  readonly chunks: readonly number[];
  readonly scores: readonly number[];
}

/** Keeps the best k offered chunks in a heap whose root is the worst. */
export class Best {
  readonly #chunks: number[] = [];
  readonly #scores: number[] = [];

  constructor(readonly size: number) {}

  /** The score that an offer must exceed to be kept. */
  get threshold(): number {
    return this.#chunks.length < this.size ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0);
  }

  #worse(a: number, b: number): boolean {
    const [x = 0, y = 0] = [this.#scores[a], this.#scores[b]];
    return x < y || (x === y && (this.#chunks[a] ?? 0) > (this.#chunks[b] ?? 0));
  }

  #swap(a: number, b: number): void {
    const [chunk = 0, score = 0] = [this.#chunks[a], this.#scores[a]];
    this.#chunks[a] = this.#chunks[b] ?? 0;
    this.#scores[a] = this.#scores[b] ?? 0;
    this.#chunks[b] = chunk;
    this.#scores[b] = score;
  }

  /** Chunks must be offered in ascending order, because the first of equal scores is kept. */
  offer(chunk: number, score: number): void {
    if (score <= this.threshold) return;
    if (this.#chunks.length < this.size) {
      let at = this.#chunks.push(chunk) - 1;
      this.#scores.push(score);
      for (let up = (at - 1) >> 1; at > 0 && this.#worse(at, up); up = (at - 1) >> 1) {
        this.#swap(at, up);
        at = up;
      }
      return;
    }
    this.#chunks[0] = chunk;
    this.#scores[0] = score;
    for (let at = 0; ; ) {
      let down = 2 * at + 1;
      if (down >= this.size) return;
      if (down + 1 < this.size && this.#worse(down + 1, down)) down++;
      if (!this.#worse(down, at)) return;
      this.#swap(at, down);
      at = down;
    }
  }

  /** Offers chunks, in ascending order, with their scores. */
  offerAll(chunks: Uint32Array, scores: Float64Array): void {
    let threshold = this.threshold;
    for (let i = 0; i < chunks.length; i++) {
      if ((scores[i] ?? 0) <= threshold) continue;
      this.offer(chunks[i] ?? 0, scores[i] ?? 0);
      threshold = this.threshold;
    }
  }

  ranked(): Ranked {
    const order = [...this.#chunks.keys()].sort(
      (a, b) => (this.#scores[b] ?? 0) - (this.#scores[a] ?? 0) || (this.#chunks[a] ?? 0) - (this.#chunks[b] ?? 0),
    );
    return { chunks: order.map((at) => this.#chunks[at] ?? 0), scores: order.map((at) => this.#scores[at] ?? 0) };
  }
}

/** Scores of one block, reused between searches, which never interleave because a search is synchronous. */
const sums = new Float32Array(blockSize);

/**
 * Returns the k best chunks by BM25, computed block by block so that a block's scores stay in the processor's cache.
 * `allowed` has a 1 for each document that may be found; null: all. Takes two or three milliseconds for a question over
 * 200,000 chunks.
 */
export function searchWords(
  index: SearchIndex,
  terms: readonly WeightedTerm[],
  allowed: Uint8Array | null,
  k: number,
): Ranked {
  const { postingOffsets, postingChunks, postingImpacts, chunkDocuments, meta } = index;
  const blocks = Math.max(1, Math.ceil(meta.chunks / blockSize));
  const factors = terms.map(
    ({ id, weight }) => (weight * inverseFrequency(index.frequency[id] ?? 0, meta.chunks) * (saturation + 1)) / 255,
  );
  const best = new Best(k);
  for (let block = 0; block < blocks; block++) {
    const first = block * blockSize;
    const size = Math.min(blockSize, meta.chunks - first);
    let touched = false;
    for (let t = 0; t < terms.length; t++) {
      const slot = (terms[t]?.id ?? 0) * blocks + block;
      const factor = factors[t] ?? 0;
      const end = postingOffsets[slot + 1] ?? 0;
      for (let at = postingOffsets[slot] ?? 0; at < end; at++) {
        const chunk = postingChunks[at] ?? 0;
        sums[chunk] = (sums[chunk] ?? 0) + factor * (postingImpacts[at] ?? 0);
        touched = true;
      }
    }
    if (!touched) continue;
    let threshold = Math.max(0, best.threshold);
    for (let chunk = 0; chunk < size; chunk++) {
      const sum = sums[chunk] ?? 0;
      if (sum <= threshold) continue;
      if (allowed !== null && allowed[chunkDocuments[first + chunk] ?? 0] !== 1) continue;
      best.offer(first + chunk, sum);
      threshold = Math.max(0, best.threshold);
    }
    sums.fill(0, 0, size);
  }
  return best.ranked();
}
