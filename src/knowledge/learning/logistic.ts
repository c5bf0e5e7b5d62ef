/**
 * Logistic regression with an L2 penalty and a fixed sign for each weight (projected gradient ascent with momentum).
 * Its logit is linear in the features: the mean of claims' features scores as the mean of the claims' logits, and each
 * weight can be read.
 */
export interface Logistic {
  readonly bias: number;
  /** One a feature, in feature order, for the feature as it comes. */
  readonly weights: readonly number[];
}

export interface Example {
  readonly x: readonly number[];
  readonly y: boolean;
  readonly weight: number;
}

/** A probability from a logit, within (0, 1). */
export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, logit))));

/** The logit of one feature vector. Called by the scorer for each claim, and by training for held-out examples. */
export const logitOf = ({ bias, weights }: Logistic, x: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (x[at] ?? 0), bias);

interface Scale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

function scaleOf(examples: readonly Example[], width: number): Scale {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const columns = Array.from({ length: width }, (_, at) => at);
  const mean = columns.map((at) => examples.reduce((sum, { x, weight }) => sum + weight * (x[at] ?? 0), 0) / total);
  const deviation = columns.map((at) => {
    const spread = examples.reduce((sum, { x, weight }) => sum + weight * ((x[at] ?? 0) - (mean[at] ?? 0)) ** 2, 0);
    // A feature that never varies gets no weight, whatever it is divided by.
    return Math.sqrt(spread / total) || 1;
  });
  return { mean, deviation };
}

export interface FitOptions {
  readonly penalty: number;
  /** Allowed sign of each weight; 0 allows both. */
  readonly signs: readonly number[];
  readonly rounds: number;
}

/** Fits the weights to examples. Deterministic: no randomness, a fixed number of rounds. */
export function fit(examples: readonly Example[], { penalty, signs, rounds }: FitOptions): Logistic {
  const width = signs.length;
  const { mean, deviation } = scaleOf(examples, width);
  const rows = examples.map(({ x }) =>
    Float64Array.from(signs, (_, at) => ((x[at] ?? 0) - (mean[at] ?? 0)) / (deviation[at] ?? 1)),
  );
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(width);
  const speed = new Float64Array(width);
  let bias = 0;
  let biasSpeed = 0;
  const [rate, momentum] = [0.6 / total, 0.9];
  for (let round = 0; round < rounds; round += 1) {
    const gradient = weights.map((weight) => -penalty * weight);
    let biasGradient = 0;
    examples.forEach(({ y, weight }, row) => {
      const x = rows[row] ?? new Float64Array();
      let logit = bias;
      for (let at = 0; at < width; at += 1) logit += (weights[at] ?? 0) * (x[at] ?? 0);
      const error = weight * ((y ? 1 : 0) - sigmoid(logit));
      biasGradient += error;
      for (let at = 0; at < width; at += 1) gradient[at] = (gradient[at] ?? 0) + error * (x[at] ?? 0);
    });
    for (let at = 0; at < width; at += 1) {
      speed[at] = momentum * (speed[at] ?? 0) + rate * (gradient[at] ?? 0);
      weights[at] = (weights[at] ?? 0) + (speed[at] ?? 0);
      if ((weights[at] ?? 0) * (signs[at] ?? 0) >= 0) continue;
      weights[at] = 0;
      speed[at] = 0;
    }
    biasSpeed = momentum * biasSpeed + rate * biasGradient;
    bias += biasSpeed;
  }
  const raw = Array.from(weights, (weight, at) => weight / (deviation[at] ?? 1));
  return { bias: raw.reduce((sum, weight, at) => sum - weight * (mean[at] ?? 0), bias), weights: raw };
}
