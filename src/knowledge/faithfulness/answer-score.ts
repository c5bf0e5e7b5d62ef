/** Weight of the weakest claim against the mean of all, so that one unsupported claim shows in a long answer. */
const weakestShare = 0.5;

/**
 * Returns the logit of an answer from its claims' logits: half-way between their mean and their minimum; 0 for no
 * claims. Used by the scorer and by cross-validation.
 */
export function answerLogit(claims: readonly number[]): number {
  if (claims.length === 0) return 0;
  const mean = claims.reduce((sum, logit) => sum + logit, 0) / claims.length;
  const least = claims.reduce((lowest, logit) => Math.min(lowest, logit), Number.POSITIVE_INFINITY);
  return (1 - weakestShare) * mean + weakestShare * least;
}
