import { type LinearModel, sigmoid } from "../../../src/knowledge/learning/linear.ts";
import { adaGrad, type Descent, descend, momentum, placesOf } from "./descend.ts";
import { scaleOf } from "./scale.ts";

/** A sparse vector: the indices of its features, and their values. */
export interface Vector {
  readonly places: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Returns hashed features as a sparse vector. */
export const vectorOf = (features: ReadonlyMap<number, number>): Vector => ({
  places: Int32Array.from(features.keys()),
  values: Float64Array.from(features.values()),
});

/** A labelled, weighted vector. */
export interface Example<X = Vector> {
  readonly x: X;
  readonly y: boolean;
  readonly weight: number;
}

/** Index of the constant whose weight is the model's bias; features follow it. */
const constant = 0;

/** Returns a vector with the constant prepended. */
const withConstant = (places: ArrayLike<number>, values: ArrayLike<number>): Vector => ({
  places: Int32Array.from({ length: places.length + 1 }, (_, at) => (at === 0 ? constant : (places[at - 1] ?? 0) + 1)),
  values: Float64Array.from({ length: values.length + 1 }, (_, at) => (at === 0 ? 1 : (values[at - 1] ?? 0))),
});

/** Returns the gradient of the logistic loss with an L2 penalty on all weights except the bias. */
function logisticLoss(penalty: number, touched: (batch: readonly Example[]) => ArrayLike<number>) {
  return (batch: readonly Example[], weights: Float64Array, gradient: Float64Array): ArrayLike<number> => {
    const places = touched(batch);
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      if (place !== constant) gradient[place] = penalty * (weights[place] ?? 0);
    }
    for (const { x, y, weight } of batch) {
      let logit = 0;
      for (let at = 0; at < x.places.length; at += 1) logit += (weights[x.places[at] ?? 0] ?? 0) * (x.values[at] ?? 0);
      const error = weight * (sigmoid(logit) - (y ? 1 : 0));
      for (let at = 0; at < x.places.length; at += 1) {
        const place = x.places[at] ?? 0;
        gradient[place] = (gradient[place] ?? 0) + error * (x.values[at] ?? 0);
      }
    }
    return places;
  };
}

function modelBy(descent: Descent<readonly Example[]>): LinearModel {
  const [bias = 0, ...weights] = descend(descent);
  return { bias, weights };
}

export interface SignedFit {
  readonly penalty: number;
  /** Allowed sign of each weight; 0 allows both. */
  readonly signs: readonly number[];
  readonly rounds: number;
}

/**
 * Logistic regression on dense vectors, with an optional sign constraint per weight. The logit is linear in the raw
 * features: the mean of several claims' features scores as the mean of their logits, and each weight can be
 * interpreted.
 */
export function fitSigned(examples: readonly Example<readonly number[]>[], options: SignedFit): LinearModel {
  const { penalty, signs, rounds } = options;
  const width = signs.length;
  const rows = examples.map(({ x, weight }): [readonly number[], number] => [x, weight]);
  const { mean, deviation } = scaleOf(rows, width);
  const features = placesOf(width);
  const standard = examples.map(({ x, y, weight }): Example => {
    const values = signs.map((_, at) => ((x[at] ?? 0) - (mean[at] ?? 0)) / (deviation[at] ?? 1));
    return { x: withConstant(features, values), y, weight };
  });
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const places = placesOf(width + 1);
  const { bias, weights } = modelBy({
    width: width + 1,
    batches: Array.from({ length: rounds }, () => standard),
    addGradient: logisticLoss(penalty, () => places),
    step: momentum({ rate: 0.6 / total, kept: 0.9, signs: [0, ...signs] }),
  });
  const raw = Array.from(deviation, (each, at) => (weights[at] ?? 0) / each);
  return { bias: raw.reduce((sum, weight, at) => sum - weight * (mean[at] ?? 0), bias), weights: raw };
}

export interface SparseFit {
  readonly width: number;
  readonly penalty: number;
  readonly rate: number;
  /** Passes over the examples. */
  readonly epochs: number;
}

/** Yields the examples one at a time, ordered so that similar neighbours are separated. */
function* oneByOne(examples: readonly Example[], epochs: number): Generator<readonly Example[]> {
  for (let epoch = 0; epoch < epochs; epoch += 1)
    for (let step = 0; step < examples.length; step += 1) {
      const example = examples[(step * 7919 + epoch * 31) % examples.length];
      if (example) yield [example];
    }
}

/** Logistic regression on sparse vectors, with AdaGrad. */
export function fitSparse(examples: readonly Example[], { width, penalty, rate, epochs }: SparseFit): LinearModel {
  const moved = examples.map(({ x, y, weight }) => ({ x: withConstant(x.places, x.values), y, weight }));
  const seen = new Float64Array(width + 1).fill(0.1);
  seen[constant] = 1;
  return modelBy({
    width: width + 1,
    batches: oneByOne(moved, epochs),
    addGradient: logisticLoss(penalty, ([one]) => one?.x.places ?? []),
    step: adaGrad({ rate, seen }),
  });
}

/** Platt scaling (1999): returns the slope and offset that turn a score into a probability of being right. */
export function calibrate(given: readonly { readonly score: number; readonly isRight: boolean }[]) {
  const mean = given.reduce((sum, { score }) => sum + score, 0) / Math.max(1, given.length);
  const examples = given.map(({ score, isRight }) => ({
    x: withConstant([0], [score - mean]),
    y: isRight,
    weight: 1 / given.length,
  }));
  const { bias, weights } = modelBy({
    width: 2,
    batches: Array.from({ length: 2_000 }, () => examples),
    addGradient: logisticLoss(0, () => [0, 1]),
    step: momentum({ rate: 0.2, kept: 0, signs: [0, 0] }),
  });
  const slope = weights[0] ?? 0;
  return { slope: Number(slope.toFixed(4)), offset: Number((bias - slope * mean).toFixed(4)) };
}
