/** Measures of a binary decision. `positive` is what the score should be high for. */

/** Mean of the true positive and true negative rates at a threshold; 0.5 when a class is absent. */
export function balancedAccuracy(scores: readonly number[], positive: readonly boolean[], threshold = 0.5): number {
  const rate = (of: boolean): number => {
    const at = positive.flatMap((p, i) => (p === of ? [(scores[i] ?? 0) >= threshold] : []));
    return at.length === 0 ? 0.5 : at.filter((yes) => yes === of).length / at.length;
  };
  return (rate(true) + rate(false)) / 2;
}

/** Area under the ROC curve by ranks, ties at half; 0.5 when a class is absent. */
export function auroc(scores: readonly number[], positive: readonly boolean[]): number {
  const order = scores.map((_, i) => i).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  let ranks = 0;
  let positives = 0;
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && scores[order[j] ?? 0] === scores[order[i] ?? 0]) j += 1;
    for (let k = i; k < j; k += 1)
      if (positive[order[k] ?? 0]) {
        ranks += (i + j + 1) / 2;
        positives += 1;
      }
    i = j;
  }
  const negatives = order.length - positives;
  return positives === 0 || negatives === 0
    ? 0.5
    : (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** The threshold between two scores with the highest balanced accuracy. For baselines, chosen on training parts. */
export function bestThreshold(scores: readonly number[], positive: readonly boolean[]): number {
  const distinct = [...new Set(scores)].sort((a, b) => a - b);
  let best = { threshold: 0.5, accuracy: -1 };
  for (const threshold of distinct.filter((_, i) => i % Math.ceil(distinct.length / 200) === 0)) {
    const accuracy = balancedAccuracy(scores, positive, threshold);
    if (accuracy > best.accuracy) best = { threshold, accuracy };
  }
  return best.threshold;
}
