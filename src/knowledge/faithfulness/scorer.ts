import type { Reading } from "../../contracts/meaning.ts";
import type { Language } from "../language/languages.ts";
import { sigmoid } from "../learning/linear.ts";
import { answerLogit } from "./answer-score.ts";
import { type AssessedClaim, type Assessment, assess } from "./assess.ts";
import type { Material } from "./evaluate-claim.ts";
import type { Kind } from "./kind.ts";
import { failedBelowRead, mayPromise, readLogit } from "./read-score.ts";
import { isOpen, type Readings } from "./readings.ts";
import { type Reason, unsure } from "./reason.ts";
import { heldBack, wordedLogit } from "./worded-score.ts";

/**
 * Probability from which a claim or an answer counts as supported: one half, since training weighted both classes
 * equally.
 */
export const supportedFrom = 0.5;

/** Score below which an answer fails: nine in ten of these were wrong, cross-validated on the public sets. */
const failedBelow: Readonly<Record<Kind, number>> = { slavic: 0.052, english: 0.069, asked: 0.15 };

/** One claim of an answer with its verdict. Offsets are UTF-16 units into the answer. */
export interface ClaimVerdict {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Calibrated probability that the sources support the claim, 0 to 1. */
  readonly probability: number;
  readonly supported: boolean;
  /** Whether the reader has read it with its sources; otherwise its words alone decide. */
  readonly read: boolean;
  /** Why it is not supported; null when it is. */
  readonly reason: Reason | null;
  /** Why it keeps the answer from OK although it is supported; null if nothing does. */
  readonly doubt: Reason | null;
}

export interface Faithfulness {
  readonly language: Language;
  /** The kind that the answer was judged as, which selects the model and the FAIL threshold. */
  readonly kind: Kind;
  /** Probability that the sources support the answer as a whole, 0 to 1. */
  readonly score: number;
  /** Whether the answer may be reported as OK: every claim is supported and none is doubtful. */
  readonly promised: boolean;
  /**
   * Whether it may be reported as FAIL: the score is low enough, and a claim lacks support not only in the closest
   * sentence.
   */
  readonly failed: boolean;
  /** Probability that the decision based on the score is right, 0.5 to 1. */
  readonly confidence: number;
  readonly claims: readonly ClaimVerdict[];
  /** Indices of the sources that the supported claims rest on, ascending. */
  readonly supporting: readonly number[];
}

/** Checks whether an answer may be reported as OK. The model-backed check calls it again after its own verdicts. */
export const isPromised = (claims: readonly ClaimVerdict[]): boolean =>
  claims.every(({ supported, doubt }) => supported && doubt === null);

/** Checks whether a score is below the FAIL threshold of its kind. With few sources, `mayFail` requires more. */
export const isFailed = (score: number, kind: Kind): boolean => score < failedBelow[kind];

const rounded = (probability: number): number => Math.round(probability * 1000) / 1000;

/**
 * Checks an answer against its sources by its words, claim by claim. Used by the exa-filter engine and by whatever must
 * vouch for its own answer. Deterministic. `check` is called between slices of work and may throw.
 */
export const checkFaithfulness = (material: Material, check?: () => void): Faithfulness =>
  verdictsOn(assess(material, check));

/**
 * Returns why a supported claim keeps the answer from OK: its words, a reader that is not certain enough, or one that
 * has not read all of it. For a claim that was not read, the words decide, unless it should have been read.
 */
function doubtOf(claim: AssessedClaim, probability: number, reading: Reading | null, assessment: Assessment) {
  if (!reading) return claim.doubt ?? (isOpen(claim) ? unsure : null);
  return reading.whole && mayPromise(claim, probability, assessment) ? null : (claim.doubt ?? unsure);
}

/** Derives the verdicts from what an answer's words show and, for claims that were read, from what they mean. */
export function verdictsOn(assessment: Assessment, readings: Readings = []): Faithfulness {
  const { language, kind, claims, mayFail } = assessment;
  const logits = claims.map((claim, at) => {
    const reading = readings[at];
    return reading ? heldBack(claim, readLogit(claim, reading, assessment)) : wordedLogit(claim);
  });
  const isRead = readings.some((reading) => reading !== null);
  const verdicts = claims.map((claim, at): ClaimVerdict => {
    const { text, start, end, reason } = claim;
    const reading = readings[at] ?? null;
    const probability = rounded(sigmoid(logits[at] ?? 0));
    const supported = probability >= supportedFrom;
    const doubt = !supported ? null : isRead ? doubtOf(claim, probability, reading, assessment) : claim.doubt;
    return {
      text,
      start,
      end,
      probability,
      supported,
      read: reading !== null,
      reason: supported ? null : reason,
      doubt,
    };
  });
  const score = rounded(sigmoid(answerLogit(logits)));
  // A number stated in another sentence may still be right.
  const isOpposed = claims.some(({ conflict }, at) => !verdicts[at]?.supported && conflict !== "number_elsewhere");
  const supporting = new Set(claims.flatMap(({ sources }, at) => (verdicts[at]?.supported ? sources : [])));
  return {
    language,
    kind,
    score,
    promised: isPromised(verdicts),
    failed: isOpposed && (isRead ? score < failedBelowRead(assessment) : isFailed(score, kind) && mayFail),
    confidence: Math.max(score, rounded(1 - score)),
    claims: verdicts,
    supporting: [...supporting].sort((a, b) => a - b),
  };
}
