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
 * Characters of all sources: up to the first, the closest sentence is the one that the claim is about, and what it says
 * otherwise is a contradiction. From the second on, a sentence may hold a claim's words by chance: of English claims only
 * what is copied for the most part is promised then (of 31 summaries 11 were wrong without it).
 */
const fewCharacters = 400;
const manyCharacters = 800;
const copiedFrom = 0.7;
const likelyFrom = 1;
const longestAt = featureNames.indexOf("longest");

/** A claim with all that its words show, before anybody reads what they mean. Offsets are UTF-16 units into the answer. */
export interface AssessedClaim {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is a whole sentence of a source, word for word, or belongs to one that the answer has. */
  readonly quoted: boolean;
  /** The logit of its words alone. */
  readonly worded: number;
  /** Whether one sentence of the sources says all of it, and nothing differs. */
  readonly proven: boolean;
  /** Whether a source says otherwise: about the same, in a sentence hardly longer, or somewhere. */
  readonly against: "closely" | "somewhere" | null;
  /** What the closest sentence says otherwise, read as statements, and the share of the claim's words that it has. */
  readonly conflict: Reason["rule"] | null;
  readonly covered: number;
  /** Why it is not supported, where it is not. */
  readonly reason: Reason;
  /** Why it is not promised, where it is supported; null where nothing speaks against it. */
  readonly doubt: Reason | null;
  /** What a reader of meaning would read; null where no source has a word of it, or reading says no more. */
  readonly toRead: { readonly text: string; readonly passage: string } | null;
  /** Numbers of the sources that it rests on, where it is supported. */
  readonly sources: readonly number[];
}

/** All that the words of an answer show. It can be cloned: made in one thread, judged in another. */
export interface Assessment {
  readonly language: Language;
  readonly kind: Kind;
  readonly claims: readonly AssessedClaim[];
  /** Whether each claim is to be read beside all sources: they are short. */
  readonly isWhole: boolean;
  /** Whether a low score may be called FAIL. */
  readonly mayFail: boolean;
}

/** Why a claim that a sentence of many says is not promised all the same. */
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
 * Whether claims are to be read: beside short sources, and in Czech and Slovak. Two sentences of a long English document say
 * no more to a reader than their words do (AUROC .758 and .754 on documents held back; Czech: .818 and .770).
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
 * Splits an answer into claims and holds each against the sources by its words. Deterministic; every number is finite. The
 * caller handles the case of no sources. `check` is called between slices, and may throw; `input_too_costly` is thrown for
 * more sentences than are compared.
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
