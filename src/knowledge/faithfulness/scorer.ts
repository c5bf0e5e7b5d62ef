import type { Language } from "../language/languages.ts";
import { type LinearModel, logitOf, sigmoid } from "../learning/linear.ts";
import { answerLogit } from "./answer-score.ts";
import { weightIn } from "./document-frequency.ts";
import { doubtOf } from "./doubts.ts";
import { type EvaluatedClaim, type Evaluation, evaluateClaims, type Material } from "./evaluate-claim.ts";
import { isClose, isDecisive, lengthOf, mayFail } from "./failure.ts";
import { featureNames } from "./features.ts";
import type { Kind } from "./kind.ts";
import { type Reason, reasonFor } from "./reason.ts";
import type { SourceIndex } from "./source-index.ts";
import weights from "./weights.json" with { type: "json" };

const modelOf = ({
  bias,
  weights: byName,
}: {
  bias: number;
  weights: Readonly<Record<string, number>>;
}): LinearModel => ({
  bias,
  weights: featureNames.map((name) => byName[name] ?? 0),
});
const models: Readonly<Record<Kind, LinearModel>> = {
  slavic: modelOf(weights.models.slavic),
  english: modelOf(weights.models.english),
  asked: modelOf(weights.models.asked),
};
const weightOf = weightIn(weights.document_frequency);

/** From here on a claim or an answer counts as supported: classes weighed the same in training, so one half. */
export const supportedFrom = 0.5;

/**
 * What holding a claim against the sources as a statement does to its probability: proven, it was right in 86 of 100 cases
 * of a third of the public sets; contradicted, its words say little. `bun run bench:evidence` prints the curve.
 */
const provenAtLeast = Math.log(0.86 / 0.14);
const contradictedAtMost = Math.log(0.04 / 0.96);
const doubtedAtMost = Math.log(0.45 / 0.55);

/** Below this score an answer fails: nine in ten of these were wrong, cross-validated on the public sets. */
const failedBelow: Readonly<Record<Kind, number>> = { slavic: 0.052, english: 0.069, asked: 0.15 };

const unlikelyBelow = 0.4;

/**
 * Characters of all sources: up to the first, the closest sentence is the one that the claim is about, and what it says
 * otherwise is a contradiction. From the second on, a sentence may hold a claim's words by chance: of English claims only
 * what is copied for the most part is promised then (of 31 summaries 11 were wrong without it).
 */
const fewCharacters = 400;
const manyCharacters = 800;
const copiedFrom = 0.7;
const likelyFrom = 1;
const longestAt = featureNames.indexOf("longest");

/** Why a claim that a sentence of many says is not promised all the same. */
function chanceDoubt({ features }: EvaluatedClaim, logit: number, { kind, index }: Evaluation): Reason | null {
  const isCopied = (features[longestAt] ?? 0) >= copiedFrom && logit >= likelyFrom;
  const isChance = kind !== "slavic" && lengthOf(index) >= manyCharacters && !isCopied;
  return isChance ? { rule: "weak", said: [], instead: [] } : null;
}

/** One claim of an answer with its verdict. Offsets are UTF-16 units into the answer. */
export interface ClaimVerdict {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Calibrated probability that the sources support the claim, 0 to 1. */
  readonly probability: number;
  readonly supported: boolean;
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

function sourcesOf(claim: EvaluatedClaim, index: SourceIndex): number[] {
  const { best, second, covered } = claim.alignment;
  // A second sentence is evidence only when it adds to the first.
  const used = covered.pair - covered.best > 0.1 ? [best, second] : [best];
  return used.flatMap((at) => (at === null ? [] : [index.sentences[at]?.source ?? 0]));
}

/**
 * Checks an answer against its sources, claim by claim. Called by the exa-filter engine and by whatever must vouch for
 * an answer of its own. Deterministic; every number is finite. The caller handles the case of no sources. `check` is called
 * between slices, and may throw; `input_too_costly` is thrown for more sentences than are compared.
 */
export const checkFaithfulness = (material: Material, check?: () => void): Faithfulness =>
  verdictsOn(evaluateClaims(material, weightOf, check));

/** The logit of a claim: what its words say, within what the statement shows. */
function judgedLogit(logit: number, claim: EvaluatedClaim, index: SourceIndex): number {
  if (claim.judgement.proven) return Math.max(logit, provenAtLeast);
  if (!isDecisive(claim)) return logit;
  const isContradicted = lengthOf(index) < fewCharacters && isClose(claim) && sigmoid(logit) < unlikelyBelow;
  return Math.min(logit, isContradicted ? contradictedAtMost : doubtedAtMost);
}

function verdictsOn(evaluation: Evaluation): Faithfulness {
  const { language, kind, index, claims } = evaluation;
  const model = models[kind];
  const worded = claims.map(({ features }) => logitOf(model, features));
  const logits = claims.map((claim, at) => judgedLogit(worded[at] ?? 0, claim, index));
  const verdicts = claims.map((claim, at) => {
    const probability = rounded(sigmoid(logits[at] ?? 0));
    const supported = probability >= supportedFrom;
    const { text, start, end } = claim;
    return {
      text,
      start,
      end,
      probability,
      supported,
      reason: supported ? null : reasonFor(claim, index),
      doubt: supported ? (doubtOf(claim, index) ?? chanceDoubt(claim, worded[at] ?? 0, evaluation)) : null,
    };
  });
  const score = rounded(sigmoid(answerLogit(logits)));
  const supporting = new Set(claims.flatMap((claim, at) => (verdicts[at]?.supported ? sourcesOf(claim, index) : [])));
  return {
    language,
    kind,
    score,
    promised: isPromised(verdicts),
    failed: isFailed(score, kind) && mayFail(evaluation),
    confidence: Math.max(score, rounded(1 - score)),
    claims: verdicts,
    supporting: [...supporting].sort((a, b) => a - b),
  };
}
