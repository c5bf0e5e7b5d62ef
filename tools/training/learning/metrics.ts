/** Metrics of decisions and of rankings. Scores should be high for `positive` items. */

/** Returns the mean of the true positive and true negative rates at a threshold; 0.5 if a class is absent. */
export function balancedAccuracy(scores: readonly number[], positive: readonly boolean[], threshold = 0.5): number {
  const rate = (of: boolean): number => {
    const at = positive.flatMap((p, i) => (p === of ? [(scores[i] ?? 0) >= threshold] : []));
    return at.length === 0 ? 0.5 : at.filter((yes) => yes === of).length / at.length;
  };
  return (rate(true) + rate(false)) / 2;
}

/** Returns the area under the ROC curve, computed by ranks, ties counted half; 0.5 if a class is absent. */
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

/** Returns the threshold with the highest balanced accuracy. For baselines, chosen on the training folds. */
export function bestThreshold(scores: readonly number[], positive: readonly boolean[]): number {
  const distinct = [...new Set(scores)].sort((a, b) => a - b);
  let best = { threshold: 0.5, accuracy: -1 };
  for (const threshold of distinct.filter((_, i) => i % Math.ceil(distinct.length / 200) === 0)) {
    const accuracy = balancedAccuracy(scores, positive, threshold);
    if (accuracy > best.accuracy) best = { threshold, accuracy };
  }
  return best.threshold;
}

export interface RankingFigures {
  /** Mean reciprocal rank of the first right answer among the top ten; 0 if there is none. */
  readonly mrr_at_10: number;
  /** Mean share of a question's right answers that are among the top ten. */
  readonly recall_at_10: number;
  /** Share of questions with a right answer among the top ten. */
  readonly success_at_10: number;
}

/** A question's top ten answers, true for each right one, and its total number of right answers. */
export interface TopTen {
  readonly top: readonly boolean[];
  readonly right: number;
}

/** Returns the metrics of top-ten lists, rounded to four decimals, for training and the bench. */
export function rankingFigures(lists: readonly TopTen[]): RankingFigures {
  const mean = (of: (list: TopTen) => number): number =>
    Number((lists.reduce((sum, list) => sum + of(list), 0) / Math.max(1, lists.length)).toFixed(4));
  return {
    mrr_at_10: mean(({ top }) => (top.includes(true) ? 1 / (top.indexOf(true) + 1) : 0)),
    recall_at_10: mean(({ top, right }) => top.filter(Boolean).length / Math.max(1, right)),
    success_at_10: mean(({ top }) => (top.includes(true) ? 1 : 0)),
  };
}
