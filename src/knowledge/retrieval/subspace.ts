import type { CooperativeYield } from "./cooperative-yield.ts";
import { seeded } from "./random.ts";

/** A sparse matrix, such as term counts: row r has `columns` and `values` from `offsets[r]` to the next offset. */
export interface SparseRows {
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  readonly width: number;
}

/** Number of rows processed between yields; each takes some thousand multiplications per factor. */
const rowsAtOnce = 16;

/** Orthonormalises the columns of a `rows` x `k` matrix in place, by the Cholesky factor of its Gram matrix. */
async function orthonormalise(
  matrix: Float32Array,
  rows: number,
  k: number,
  yieldTurn: CooperativeYield,
): Promise<void> {
  const gram = new Float64Array(k * k);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < k; i++) {
      const value = matrix[r * k + i] ?? 0;
      if (value !== 0)
        for (let j = 0; j <= i; j++) gram[i * k + j] = (gram[i * k + j] ?? 0) + value * (matrix[r * k + j] ?? 0);
    }
    if (r % rowsAtOnce === 0) await yieldTurn();
  }
  const lower = cholesky(gram, k);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < k; i++) {
      let value = matrix[r * k + i] ?? 0;
      for (let j = 0; j < i; j++) value -= (lower[i * k + j] ?? 0) * (matrix[r * k + j] ?? 0);
      const diagonal = lower[i * k + i] ?? 0;
      matrix[r * k + i] = diagonal === 0 ? 0 : value / diagonal;
    }
    if (r % rowsAtOnce === 0) await yieldTurn();
  }
}

/** Returns the lower Cholesky factor. A linearly dependent column gets a zero on the diagonal, which drops it. */
function cholesky(gram: Float64Array, k: number): Float64Array {
  const lower = new Float64Array(k * k);
  let largest = 0;
  for (let i = 0; i < k; i++) largest = Math.max(largest, gram[i * k + i] ?? 0);
  for (let i = 0; i < k; i++)
    for (let j = 0; j <= i; j++) {
      let sum = gram[i * k + j] ?? 0;
      for (let p = 0; p < j; p++) sum -= (lower[i * k + p] ?? 0) * (lower[j * k + p] ?? 0);
      if (i === j) lower[i * k + j] = sum > largest * 1e-10 ? Math.sqrt(sum) : 0;
      else lower[i * k + j] = lower[j * k + j] === 0 ? 0 : sum / (lower[j * k + j] ?? 1);
    }
  return lower;
}

/** Adds to `to` the product of the rows, or of their transpose, and `from` (`width` x k): half of a power iteration. */
async function multiply(
  { offsets, columns, values }: SparseRows,
  from: Float32Array,
  to: Float32Array,
  k: number,
  isTransposed: boolean,
  yieldTurn: CooperativeYield,
): Promise<void> {
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let at = offsets[row] ?? 0; at < (offsets[row + 1] ?? 0); at++) {
      const value = values[at] ?? 0;
      const column = (columns[at] ?? 0) * k;
      const source = isTransposed ? row * k : column;
      const target = isTransposed ? column : row * k;
      for (let j = 0; j < k; j++) to[target + j] = (to[target + j] ?? 0) + value * (from[source + j] ?? 0);
    }
    if (row % 64 === 0) await yieldTurn();
  }
}

/**
 * Returns the k principal directions of the rows, as a `width` x k matrix with orthonormal columns. Uses randomised
 * subspace iteration (Halko, Martinsson and Tropp, 2011), seeded so that the same rows give the same directions.
 */
export async function principalDirections(
  rows: SparseRows,
  k: number,
  yieldTurn: CooperativeYield,
  iterations = 2,
): Promise<Float32Array> {
  const count = rows.offsets.length - 1;
  const random = seeded(7);
  let directions: Float32Array = Float32Array.from({ length: rows.width * k }, () => random() - 0.5);
  await orthonormalise(directions, rows.width, k, yieldTurn);
  for (let i = 0; i < iterations; i++) {
    const projected = new Float32Array(count * k);
    await multiply(rows, directions, projected, k, false, yieldTurn);
    directions = new Float32Array(rows.width * k);
    await multiply(rows, projected, directions, k, true, yieldTurn);
    await orthonormalise(directions, rows.width, k, yieldTurn);
  }
  return directions;
}
