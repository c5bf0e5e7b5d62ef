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

/** From here on a claim or an answer counts as supported: classes weighed the same in training, so one half. */
export const supportedFrom = 0.5;

/** Below this score an answer fails: nine in ten of these were wrong, cross-validated on the public sets. */
const failedBelow: Readonly<Record<Kind, number>> = { slavic: 0.052, english: 0.069, asked: 0.15 };

/** One claim of an answer with its verdict. Offsets are UTF-16 units into the answer. */
export interface ClaimVerdict {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Calibrated probability that the sources support the claim, 0 to 1. */
  readonly probability: number;
  readonly supported: boolean;
  /** Whether the model of meaning has read it beside its sources; otherwise its words alone decide. */
  readonly read: boolean;
  /** Why it is not supported; null when it is. */
  readonly reason: Reason | null;
  /** Why a supported claim is not promised all the same; null where nothing speaks against it. */
  readonly doubt: Reason | null;
}

export interface Faithfulness {
  readonly language: Language;
  /** What the answer was judged as: it decides the model and the threshold of FAIL. */
  readonly kind: Kind;
  /** Probability that the sources support the answer as a whole, 0 to 1. */
  readonly score: number;
  /** Whether the answer may be called OK: its score is high enough, each claim is supported, and nothing raises a doubt. */
  readonly promised: boolean;
  /** Whether it may be called FAIL: the score is low enough, or a source says otherwise. */
  readonly failed: boolean;
  /** Probability that the decision drawn from the score is right, 0.5 to 1. */
  readonly confidence: number;
  readonly claims: readonly ClaimVerdict[];
  /** Numbers of the sources that the supported claims rest on, ascending. */
  readonly supporting: readonly number[];
}

/** Whether an answer may be called OK. The check with a model asks again after its own verdicts. */
export const isPromised = (claims: readonly ClaimVerdict[]): boolean =>
  claims.every(({ supported, doubt }) => supported && doubt === null);

/** Whether an answer with this score may be called FAIL; with few sources, more has to speak against it. */
export const isFailed = (score: number, kind: Kind): boolean => score < failedBelow[kind];

const rounded = (probability: number): number => Math.round(probability * 1000) / 1000;

/**
 * Checks an answer against its sources by its words, claim by claim. Called by the exa-filter engine and by whatever must
 * vouch for an answer of its own. Deterministic. `check` is called between slices, and may throw.
 */
export const checkFaithfulness = (material: Material, check?: () => void): Faithfulness =>
  verdictsOn(assess(material, check));

/**
 * Why a supported claim is not promised: the words of it, that the reader is not sure enough, or that it has not read all
 * of it. Of an answer that it has not read at all the words decide.
 */
function doubtOf(claim: AssessedClaim, probability: number, reading: Reading | null, assessment: Assessment) {
  if (!reading) return claim.doubt ?? (isOpen(claim) ? unsure : null);
  return reading.whole && mayPromise(claim, probability, assessment) ? null : (claim.doubt ?? unsure);
}

/** What is said of an answer, from what its words show and, where somebody read them, what its claims mean. */
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
  // What the sources say in another sentence may be right all the same.
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
