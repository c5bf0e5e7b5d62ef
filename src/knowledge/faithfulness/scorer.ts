import { type Family, familyOf, type Language } from "../language/languages.ts";
import { type LinearModel, logitOf, sigmoid } from "../learning/linear.ts";
import { answerLogit } from "./answer-score.ts";
import { weightIn } from "./document-frequency.ts";
import { doubtOf } from "./doubts.ts";
import { type EvaluatedClaim, type Evaluation, evaluateClaims, type Material } from "./evaluate-claim.ts";
import { featureNames } from "./features.ts";
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
const models: Readonly<Record<Family, LinearModel>> = {
  slavic: modelOf(weights.models.slavic),
  english: modelOf(weights.models.english),
};
const weightOf = weightIn(weights.document_frequency);

/** From here on a claim or an answer counts as supported: classes weighed the same in training, so one half. */
export const supportedFrom = 0.5;

/**
 * From here on an answer without doubts is promised. Of a fifth of the labelled data, about one in ten of what is promised
 * is wrong then; at one half it is one in five, with all doubts. `bun run bench:evidence` prints the curve.
 */
const promisedFrom: Readonly<Record<Family, number>> = { slavic: 0.7, english: 0.75 };

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
  /** Probability that the sources support the answer as a whole, 0 to 1. */
  readonly score: number;
  /** Whether the answer may be called OK: its score is high enough, each claim is supported, and nothing raises a doubt. */
  readonly promised: boolean;
  /** Probability that the decision drawn from the score is right, 0.5 to 1. */
  readonly confidence: number;
  readonly claims: readonly ClaimVerdict[];
  /** Numbers of the sources that the supported claims rest on, ascending. */
  readonly supporting: readonly number[];
}

/** Whether an answer with this score may be called OK. The check with a model asks again after its own verdicts. */
export const isPromised = (score: number, claims: readonly ClaimVerdict[], language: Language): boolean =>
  score >= promisedFrom[familyOf(language)] && claims.every(({ supported, doubt }) => supported && doubt === null);

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

function verdictsOn({ language, index, claims }: Evaluation): Faithfulness {
  const model = models[familyOf(language)];
  const logits = claims.map(({ features }) => logitOf(model, features));
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
      doubt: supported ? doubtOf(claim, index) : null,
    };
  });
  const score = rounded(sigmoid(answerLogit(logits)));
  const supporting = new Set(claims.flatMap((claim, at) => (verdicts[at]?.supported ? sourcesOf(claim, index) : [])));
  return {
    language,
    score,
    promised: isPromised(score, verdicts, language),
    confidence: Math.max(score, rounded(1 - score)),
    claims: verdicts,
    supporting: [...supporting].sort((a, b) => a - b),
  };
}
