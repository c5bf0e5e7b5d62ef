/** Measures of decisions and of rankings. `positive` is what a score should be high for. */

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

export interface RankingFigures {
  /** The mean of 1 / the place of the first right answer among ten, or 0. */
  readonly mrr_at_10: number;
  /** The share of a question's right answers that are among ten, on average. */
  readonly recall_at_10: number;
  /** The share of questions with a right answer among ten. */
  readonly success_at_10: number;
}

/** The first ten answers to a question, true where one is right, and how many right ones there are in all. */
export interface TopTen {
  readonly top: readonly boolean[];
  readonly right: number;
}

/** The figures of lists of ten, rounded to four places. Training of the search and its bench call it. */
export function rankingFigures(lists: readonly TopTen[]): RankingFigures {
  const mean = (of: (list: TopTen) => number): number =>
    Number((lists.reduce((sum, list) => sum + of(list), 0) / Math.max(1, lists.length)).toFixed(4));
  return {
    mrr_at_10: mean(({ top }) => (top.includes(true) ? 1 / (top.indexOf(true) + 1) : 0)),
    recall_at_10: mean(({ top, right }) => top.filter(Boolean).length / Math.max(1, right)),
    success_at_10: mean(({ top }) => (top.includes(true) ? 1 : 0)),
  };
}
