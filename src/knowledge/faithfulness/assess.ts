import type { Language } from "../language/languages.ts";
import { type LinearModel, logitOf } from "../learning/linear.ts";
import { weightIn } from "./document-frequency.ts";
import { doubtOf } from "./doubts.ts";
import { type EvaluatedClaim, type Evaluation, evaluateClaims, type Material } from "./evaluate-claim.ts";
import { isClose, isDecisive, lengthOf, mayFail } from "./failure.ts";
import { featureNames } from "./features.ts";
import type { Kind } from "./kind.ts";
import { claimToRead, isReadWhole, passageFor } from "./passage.ts";
import { quotationsIn } from "./quotations.ts";
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

/**
 * Limits on the total length of the sources. Below `fewCharacters`, the closest sentence is taken to be about the
 * claim, so a difference is a contradiction. From `manyCharacters` on, a sentence may contain a claim's words by
 * chance, so an English claim is OK only if most of it is copied (without this, 11 of 31 summaries were wrong).
 */
const fewCharacters = 400;
const manyCharacters = 800;
const copiedFrom = 0.7;
const likelyFrom = 1;
const longestAt = featureNames.indexOf("longest");

/** A claim with everything that its words show, before a model reads it. Offsets are UTF-16 units into the answer. */
export interface AssessedClaim {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is all or part of a source sentence that the answer quotes in full, word for word. */
  readonly quoted: boolean;
  /** Logit from its words alone. */
  readonly worded: number;
  /** Whether one source sentence, or one for each co-ordinated part, states all of it without a difference. */
  readonly proven: boolean;
  /** Whether a source contradicts it. `closely`: the sources are short and their sentence covers most of the claim. */
  readonly against: "closely" | "somewhere" | null;
  /**
   * The conflict with the closest sentence, both parsed as statements, and the share of the claim's words that it has.
   */
  readonly conflict: Reason["rule"] | null;
  readonly covered: number;
  /** The reason to report if it is not supported. */
  readonly reason: Reason;
  /** Why it keeps the answer from OK even if it is supported; null if nothing does. */
  readonly doubt: Reason | null;
  /** Input for the reader; null if no source has a word of it, or if reading would add nothing. */
  readonly toRead: { readonly text: string; readonly passage: string } | null;
  /** Indices of the sources that it rests on if it is supported. */
  readonly sources: readonly number[];
}

/** Everything that the words of an answer show. It can be cloned: one thread computes it, another judges it. */
export interface Assessment {
  readonly language: Language;
  readonly kind: Kind;
  readonly claims: readonly AssessedClaim[];
  /** Whether the sources are short enough to be read in full with each claim. */
  readonly isWhole: boolean;
  /** Whether a low score may be reported as FAIL. */
  readonly mayFail: boolean;
}

/** Returns a doubt if long sources may contain a claim's words by chance. */
function chanceDoubt({ features }: EvaluatedClaim, logit: number, { kind, index }: Evaluation): Reason | null {
  const isCopied = (features[longestAt] ?? 0) >= copiedFrom && logit >= likelyFrom;
  const isChance = kind !== "slavic" && lengthOf(index) >= manyCharacters && !isCopied;
  return isChance ? { rule: "weak", said: [], instead: [] } : null;
}

function sourcesOf(claim: EvaluatedClaim, index: SourceIndex): number[] {
  const { best, second, covered } = claim.alignment;
  // A second sentence is evidence only when it adds to the first.
  const used = covered.pair - covered.best > 0.1 ? [best, second] : [best];
  return used.flatMap((at) => (at === null ? [] : [index.sentences[at]?.source ?? 0]));
}

/**
 * Checks whether reading adds anything: with short sources, and in Czech and Slovak. Two sentences of a long English
 * document tell a reader no more than their words do (AUROC .758 and .754 on held-out documents; Czech: .818 and .770).
 */
const isReadable = ({ index, kind }: Evaluation): boolean => isReadWhole(index) || kind === "slavic";

function assessedClaim(
  claim: EvaluatedClaim,
  evaluation: Evaluation,
  { question, answer }: Material,
  isQuoted: (claim: EvaluatedClaim) => boolean,
): AssessedClaim {
  const { index, kind } = evaluation;
  const { text, compared, start, end } = claim;
  const worded = logitOf(models[kind], claim.features);
  const isNear = lengthOf(index) < fewCharacters && isClose(claim);
  const passage = isReadable(evaluation) ? passageFor(claim, index) : null;
  return {
    text,
    start,
    end,
    quoted: isQuoted(claim),
    worded,
    proven: claim.judgement.proven,
    against: !isDecisive(claim) ? null : isNear ? "closely" : "somewhere",
    conflict: claim.judgement.conflict?.rule ?? null,
    covered: claim.judgement.covered,
    reason: reasonFor(claim, index),
    doubt: doubtOf(claim, index) ?? chanceDoubt(claim, worded, evaluation),
    toRead: passage === null ? null : { text: claimToRead(compared.trim(), question, answer), passage },
    sources: sourcesOf(claim, index),
  };
}

/**
 * Splits an answer into claims and compares each with the sources by its words. Deterministic; every number is finite.
 * The caller handles a missing list of sources. `check` is called between slices of work and may throw. Throws
 * `input_too_costly` if there are too many sentences to compare.
 */
export function assess(material: Material, check?: () => void): Assessment {
  const evaluation = evaluateClaims(material, weightOf, check);
  const { language, kind, claims, index } = evaluation;
  const isQuoted = quotationsIn(material.answer, evaluation);
  return {
    language,
    kind,
    claims: claims.map((claim) => assessedClaim(claim, evaluation, material, isQuoted)),
    isWhole: isReadWhole(index),
    mayFail: mayFail(evaluation),
  };
}
