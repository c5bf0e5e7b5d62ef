/** A linear model fitted by `tools/training`, as needed at run time: a logit and its probability. */
export interface LinearModel {
  readonly bias: number;
  /** One weight per unscaled feature. */
  readonly weights: ArrayLike<number>;
}

/** Converts a logit to a probability within (0, 1). Used by the scorers, the ranker and their training. */
export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, logit))));

/** Returns the logit of a dense feature vector. Used for each claim, and by training for held-out examples. */
export function logitOf({ bias, weights }: LinearModel, x: ArrayLike<number>): number {
  let sum = bias;
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (x[at] ?? 0);
  return sum;
}

/** Returns the logit of a sparse feature vector of (index, value) pairs. Used for each sentence of advice. */
export function sparseLogitOf({ bias, weights }: LinearModel, x: Iterable<readonly [number, number]>): number {
  let sum = bias;
  for (const [place, value] of x) sum += (weights[place] ?? 0) * value;
  return sum;
}
