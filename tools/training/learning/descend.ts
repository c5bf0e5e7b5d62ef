/** Gradient descent for all models trained here. Deterministic: the same batches give the same weights. */

/** Updates the weights at the given indices against their gradients; keeps its optimiser state between calls. */
export type Step = (weights: Float64Array, gradient: Float64Array, places: ArrayLike<number>) => void;

export interface Descent<Batch> {
  readonly width: number;
  /** One step per batch. */
  readonly batches: Iterable<Batch>;
  /** Adds the gradient of a batch's loss; returns the indices it has touched, each once. */
  readonly addGradient: (batch: Batch, weights: Float64Array, gradient: Float64Array) => ArrayLike<number>;
  readonly step: Step;
}

/** Returns the indices of a dense vector. */
export const placesOf = (width: number): Int32Array => Int32Array.from({ length: width }, (_, at) => at);

/** Takes one step per batch, starting from zero weights, and returns the weights. */
export function descend<Batch>({ width, batches, addGradient, step }: Descent<Batch>): Float64Array {
  const weights = new Float64Array(width);
  const gradient = new Float64Array(width);
  for (const batch of batches) {
    const places = addGradient(batch, weights, gradient);
    step(weights, gradient, places);
    for (let at = 0; at < places.length; at += 1) gradient[places[at] ?? 0] = 0;
  }
  return weights;
}

/** Projected momentum (Polyak, 1964): a weight never takes the sign opposite to its entry in `signs`; 0 allows both. */
export function momentum(options: { rate: number; kept: number; signs: ArrayLike<number> }): Step {
  const { rate, kept, signs } = options;
  const speed = new Float64Array(signs.length);
  return (weights, gradient, places) => {
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      const next = kept * (speed[place] ?? 0) - rate * (gradient[place] ?? 0);
      const weight = (weights[place] ?? 0) + next;
      const isAllowed = weight * (signs[place] ?? 0) >= 0;
      speed[place] = isAllowed ? next : 0;
      weights[place] = isAllowed ? weight : 0;
    }
  };
}

/** AdaGrad (Duchi, Hazan and Singer, 2011). `seen` contains the initial sums of squares. */
export function adaGrad({ rate, seen }: { rate: number; seen: Float64Array }): Step {
  const squares = seen.slice();
  return (weights, gradient, places) => {
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      const slope = gradient[place] ?? 0;
      const sum = (squares[place] ?? 0) + slope * slope;
      squares[place] = sum;
      weights[place] = (weights[place] ?? 0) - (rate * slope) / Math.sqrt(sum);
    }
  };
}

/** Adam (Kingma and Ba, 2015), with a learning rate that decays linearly to zero over `steps`. */
export function adam({ width, rate, steps }: { width: number; rate: number; steps: number }): Step {
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  let step = 0;
  return (weights, gradient, places) => {
    step += 1;
    const falling = rate * (1 - step / (steps + 1));
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      const slope = gradient[place] ?? 0;
      first[place] = 0.9 * (first[place] ?? 0) + 0.1 * slope;
      second[place] = 0.999 * (second[place] ?? 0) + 0.001 * slope * slope;
      const mean = (first[place] ?? 0) / (1 - 0.9 ** step);
      const spread = Math.sqrt((second[place] ?? 0) / (1 - 0.999 ** step));
      weights[place] = (weights[place] ?? 0) - (falling * mean) / (spread + 1e-8);
    }
  };
}
