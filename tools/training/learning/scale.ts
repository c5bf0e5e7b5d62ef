export interface Scale {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/**
 * The weighted mean and deviation of each feature, from rows with their weights. One that never varies gets no weight,
 * whatever it is divided by. Every fit of vectors that list all features calls it.
 */
export function scaleOf(rows: Iterable<readonly [ArrayLike<number>, number]>, width: number): Scale {
  const mean = new Float64Array(width);
  const squares = new Float64Array(width);
  let total = 0;
  for (const [row, weight] of rows) {
    total += weight;
    for (let at = 0; at < width; at += 1) {
      // West's update (1979): the differences stay small, however large the sums.
      const difference = (row[at] ?? 0) - (mean[at] ?? 0);
      mean[at] = (mean[at] ?? 0) + (difference * weight) / total;
      squares[at] = (squares[at] ?? 0) + weight * difference * ((row[at] ?? 0) - (mean[at] ?? 0));
    }
  }
  const deviation = squares.map((sum) => (sum / total > 1e-9 ? Math.sqrt(sum / total) : 1));
  return { mean, deviation };
}
