/** How much the weakest claim counts beside the mean of all: one unsupported claim must show in a long answer. */
const weakestShare = 0.5;

/**
 * The logit of an answer from its claims' logits: half-way between their mean and their least; 0 for no claims. The
 * scorer and cross-validation both call it.
 */
export function answerLogit(claims: readonly number[]): number {
  if (claims.length === 0) return 0;
  const mean = claims.reduce((sum, logit) => sum + logit, 0) / claims.length;
  const least = claims.reduce((lowest, logit) => Math.min(lowest, logit), Number.POSITIVE_INFINITY);
  return (1 - weakestShare) * mean + weakestShare * least;
}
