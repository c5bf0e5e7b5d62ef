/** What a run needs of the linear models that `tools/training` fits: their score, and the probability that it means. */
export interface LinearModel {
  readonly bias: number;
  /** One a feature, for the feature as it comes. */
  readonly weights: ArrayLike<number>;
}

/** A probability from a logit, within (0, 1). The scorers, the ranker and their training call it. */
export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, logit))));

/** The logit of a vector that lists every feature. Called for each claim, and by training for held-out examples. */
export function logitOf({ bias, weights }: LinearModel, x: ArrayLike<number>): number {
  let sum = bias;
  for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (x[at] ?? 0);
  return sum;
}

/** The logit of a vector that lists the features it has, by their places. Called for each sentence of an advice. */
export function sparseLogitOf({ bias, weights }: LinearModel, x: Iterable<readonly [number, number]>): number {
  let sum = bias;
  for (const [place, value] of x) sum += (weights[place] ?? 0) * value;
  return sum;
}
