export interface Scale {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/**
 * Returns the weighted mean and standard deviation of each feature. A constant feature gets no weight, whatever it is
 * divided by.
 */
export function scaleOf(rows: Iterable<readonly [ArrayLike<number>, number]>, width: number): Scale {
  const mean = new Float64Array(width);
  const squares = new Float64Array(width);
  let total = 0;
  for (const [row, weight] of rows) {
    total += weight;
    for (let at = 0; at < width; at += 1) {
      // West's update (1979): numerically stable for large sums.
      const difference = (row[at] ?? 0) - (mean[at] ?? 0);
      mean[at] = (mean[at] ?? 0) + (difference * weight) / total;
      squares[at] = (squares[at] ?? 0) + weight * difference * ((row[at] ?? 0) - (mean[at] ?? 0));
    }
  }
  const deviation = squares.map((sum) => (sum / total > 1e-9 ? Math.sqrt(sum / total) : 1));
  return { mean, deviation };
}
