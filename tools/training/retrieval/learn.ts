import { seeded } from "../../../src/knowledge/retrieval/random.ts";

/** Candidates of one question: a row of features for each, and which of them are right. */
export interface Sample {
  readonly rows: Float32Array;
  readonly isRight: readonly boolean[];
}

/** A linear ranker over features as they come. */
export interface Ranker {
  readonly weights: readonly number[];
}

const epochs = 12;
const batch = 16;
const rate = 0.02;
const decay = 1e-3;

interface Scaling {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

function scalingOf(samples: readonly Sample[], width: number): Scaling {
  const mean = new Float64Array(width);
  const deviation = new Float64Array(width);
  let count = 0;
  for (const { rows } of samples)
    for (let at = 0; at < rows.length; at++) {
      const f = at % width;
      mean[f] = (mean[f] ?? 0) + (rows[at] ?? 0);
      deviation[f] = (deviation[f] ?? 0) + (rows[at] ?? 0) ** 2;
      if (f === 0) count++;
    }
  for (let f = 0; f < width; f++) {
    mean[f] = (mean[f] ?? 0) / Math.max(1, count);
    const variance = (deviation[f] ?? 0) / Math.max(1, count) - (mean[f] ?? 0) ** 2;
    deviation[f] = variance > 1e-9 ? Math.sqrt(variance) : 1;
  }
  return { mean, deviation };
}

/** Each candidate's score. */
export function scoresOf(rows: Float32Array, weights: ArrayLike<number>): Float64Array {
  const width = weights.length;
  const scores = new Float64Array(rows.length / width);
  for (let c = 0; c < scores.length; c++) {
    let sum = 0;
    for (let f = 0; f < width; f++) sum += (weights[f] ?? 0) * (rows[c * width + f] ?? 0);
    scores[c] = sum;
  }
  return scores;
}

/** Adds the gradient of one question's loss: the cross-entropy of the softmax over its candidates. */
function addGradient({ rows, isRight }: Sample, { deviation }: Scaling, weights: Float64Array, gradient: Float64Array) {
  const width = weights.length;
  // A feature's mean is the same for all candidates of the softmax and falls out; its deviation does not.
  const scores = scoresOf(
    rows,
    weights.map((weight, f) => weight / (deviation[f] ?? 1)),
  );
  const largest = Math.max(...scores);
  let total = 0;
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Math.exp((scores[c] ?? 0) - largest);
    total += scores[c] ?? 0;
  }
  const right = isRight.filter(Boolean).length;
  for (let c = 0; c < scores.length; c++) {
    const excess = (scores[c] ?? 0) / total - (isRight[c] ? 1 / right : 0);
    if (Math.abs(excess) < 1e-7) continue;
    for (let f = 0; f < width; f++)
      gradient[f] = (gradient[f] ?? 0) + (excess * (rows[c * width + f] ?? 0)) / (deviation[f] ?? 1);
  }
}

/**
 * Learns a linear ranker by the listwise softmax loss (ListNet's; Cao et al., 2007) and Adam. Questions whose candidates
 * have no right one teach nothing. The same samples and seed give the same weights.
 */
export function learn(samples: readonly Sample[], width: number, seed: number): Ranker {
  const useful = samples.filter(({ isRight }) => isRight.some(Boolean));
  const scaling = scalingOf(useful, width);
  const random = seeded(seed);
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  const steps = Math.ceil(useful.length / batch) * epochs;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = useful.map((sample) => ({ sample, at: random() })).sort((a, b) => a.at - b.at);
    for (let b = 0; b < order.length; b += batch) {
      const gradient = new Float64Array(width);
      const part = order.slice(b, b + batch);
      for (const { sample } of part) addGradient(sample, scaling, weights, gradient);
      step++;
      const pace = rate * (1 - step / (steps + 1));
      for (let f = 0; f < width; f++) {
        const g = (gradient[f] ?? 0) / part.length + decay * (weights[f] ?? 0);
        first[f] = 0.9 * (first[f] ?? 0) + 0.1 * g;
        second[f] = 0.999 * (second[f] ?? 0) + 0.001 * g * g;
        const step1 = (first[f] ?? 0) / (1 - 0.9 ** step);
        const step2 = Math.sqrt((second[f] ?? 0) / (1 - 0.999 ** step));
        weights[f] = (weights[f] ?? 0) - (pace * step1) / (step2 + 1e-8);
      }
    }
  }
  return { weights: Array.from(weights, (weight, f) => weight / (scaling.deviation[f] ?? 1)) };
}

/** Candidates in the ranker's order, as places in the sample; ties stay as they were. */
export function order({ rows }: Pick<Sample, "rows">, { weights }: Ranker): number[] {
  const scores = scoresOf(rows, weights);
  return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}
