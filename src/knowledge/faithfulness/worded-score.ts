import { sigmoid } from "../learning/linear.ts";
import type { AssessedClaim } from "./assess.ts";

/**
 * How comparing a claim with the sources as a statement bounds its probability. On a third of the public sets, a proven
 * claim was right in 86 of 100 cases; the words of a contradicted one say little. `bun run bench:evidence` prints the
 * curve.
 */
const provenAtLeast = Math.log(0.86 / 0.14);
const contradictedAtMost = Math.log(0.04 / 0.96);
const doubtedAtMost = Math.log(0.45 / 0.55);

const unlikelyBelow = 0.4;

/** Returns the logit of a claim that was not read: that of its words, within the bounds that the statement sets. */
export function wordedLogit({ worded, proven, against }: AssessedClaim): number {
  if (proven) return Math.max(worded, provenAtLeast);
  if (against === null) return worded;
  const isContradicted = against === "closely" && sigmoid(worded) < unlikelyBelow;
  return Math.min(worded, isContradicted ? contradictedAtMost : doubtedAtMost);
}

/**
 * Returns the logit of a claim that was read, capped if the sources have the same sentence with another value or actor.
 */
export const heldBack = (claim: AssessedClaim, logit: number): number =>
  claim.against === "closely" ? Math.min(logit, wordedLogit(claim)) : logit;
