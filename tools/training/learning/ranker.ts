import { seeded } from "../../../src/knowledge/retrieval/random.ts";
import { adam, descend, placesOf } from "./descend.ts";
import { type Scale, scaleOf } from "./scale.ts";

/** One question's candidates: their feature rows, concatenated, and which of them are right. */
export interface Sample {
  readonly rows: Float32Array;
  readonly isRight: readonly boolean[];
}

/** Returns each candidate's score. */
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

/** Returns the candidates' indices by descending score; ties keep their order. */
export function order({ rows }: Pick<Sample, "rows">, weights: ArrayLike<number>): number[] {
  const scores = scoresOf(rows, weights);
  return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Adds the gradient of one question's loss: the cross-entropy of the softmax over its candidates. */
function addListwise({ rows, isRight }: Sample, weights: Float64Array, gradient: Float64Array, scale: Scale): void {
  const { deviation } = scale;
  const width = weights.length;
  // A feature's mean is the same for all candidates, so the softmax cancels it; its deviation remains.
  const scores = scoresOf(
    rows,
    weights.map((weight, f) => weight / (deviation[f] ?? 1)),
  );
  const largest = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - largest));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const right = isRight.filter(Boolean).length;
  for (const [c, share] of shares.entries()) {
    const excess = share / total - (isRight[c] ? 1 / right : 0);
    if (Math.abs(excess) < 1e-7) continue;
    for (let f = 0; f < width; f++)
      gradient[f] = (gradient[f] ?? 0) + (excess * (rows[c * width + f] ?? 0)) / (deviation[f] ?? 1);
  }
}

const ranking = { epochs: 12, batch: 16, rate: 0.02, penalty: 1e-3 };

/** Yields batches of samples, in a new order each epoch. */
function* shuffled(samples: readonly Sample[], seed: number): Generator<readonly Sample[]> {
  const random = seeded(seed);
  for (let epoch = 0; epoch < ranking.epochs; epoch++) {
    const mixed = samples.map((sample) => ({ sample, at: random() })).sort((a, b) => a.at - b.at);
    for (let from = 0; from < mixed.length; from += ranking.batch)
      yield mixed.slice(from, from + ranking.batch).map(({ sample }) => sample);
  }
}

function* rowsOf(samples: readonly Sample[], width: number): Generator<readonly [Float32Array, number]> {
  for (const { rows } of samples)
    for (let from = 0; from < rows.length; from += width) yield [rows.subarray(from, from + width), 1];
}

/**
 * Returns the weights of a linear ranker over raw features, trained with the listwise softmax loss (ListNet; Cao et
 * al., 2007) and Adam. Questions without a right candidate contribute nothing.
 */
export function fitRanker(samples: readonly Sample[], width: number, seed: number): readonly number[] {
  const useful = samples.filter(({ isRight }) => isRight.some(Boolean));
  const scale = scaleOf(rowsOf(useful, width), width);
  const places = placesOf(width);
  const weights = descend({
    width,
    batches: shuffled(useful, seed),
    addGradient(batch: readonly Sample[], weights, gradient) {
      for (const sample of batch) addListwise(sample, weights, gradient, scale);
      for (let f = 0; f < width; f++)
        gradient[f] = (gradient[f] ?? 0) / batch.length + ranking.penalty * (weights[f] ?? 0);
      return places;
    },
    step: adam({ width, rate: ranking.rate, steps: Math.ceil(useful.length / ranking.batch) * ranking.epochs }),
  });
  return Array.from(weights, (weight, f) => weight / (scale.deviation[f] ?? 1));
}
