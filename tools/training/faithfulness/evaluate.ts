import { answerLogit } from "../../../src/knowledge/faithfulness/answer-score.ts";
import {
  countDocumentFrequency,
  type DocumentFrequency,
  weightIn,
} from "../../../src/knowledge/faithfulness/document-frequency.ts";
import { evaluateClaims } from "../../../src/knowledge/faithfulness/evaluate-claim.ts";
import { directions, featureNames } from "../../../src/knowledge/faithfulness/features.ts";
import type { Kind } from "../../../src/knowledge/faithfulness/kind.ts";
import { type LinearModel, logitOf } from "../../../src/knowledge/learning/linear.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { type Example, fitSigned } from "../learning/logistic.ts";
import type { Row } from "./dataset.ts";

/** A row with the features of each claim of its answer. */
export interface Prepared {
  readonly row: Row;
  readonly kind: Kind;
  readonly claims: readonly (readonly number[])[];
}

/**
 * Weight of each set in each kind's model; classes weigh the same within a set. BEGIN has an eighth as many answers to
 * questions as HaluEval-QA; half the weight leaves its own result unchanged.
 */
export const shares: Record<Kind, Readonly<Record<string, number>>> = {
  slavic: { ctkfacts: 1, "pairs-cs": 0.25, aggrefact: 0.05, begin: 0.05 },
  english: { aggrefact: 1, begin: 1, "pairs-en": 0.25, ctkfacts: 0.3, "halueval-qa": 0.1 },
  asked: { "halueval-qa": 1, begin: 0.5, "pairs-en": 0.25 },
};

const options = { penalty: 20, rounds: 500, signs: featureNames.map((name) => directions[name] ?? 0) };
const weightOfClass = 500;

/** Returns document frequencies over the distinct source texts of rows. */
export function documentFrequencyOf(rows: readonly Row[]): DocumentFrequency {
  const distinct = new Map(
    rows.flatMap(({ sources }) => sources.map((text) => [text.replace(/\s+/g, ""), text] as const)),
  );
  return countDocumentFrequency([...distinct.values()]);
}

/** Evaluates every row once, for cross-validation and the final fit. */
export async function prepare(rows: readonly Row[], frequency: DocumentFrequency): Promise<Prepared[]> {
  const weightOf = weightIn(frequency);
  const prepared: Prepared[] = [];
  for (const row of rows) {
    const { kind, claims } = evaluateClaims(row, weightOf);
    prepared.push({ row, kind, claims: claims.map(({ features }) => features) });
  }
  return prepared;
}

const meanOf = (claims: Prepared["claims"]): number[] =>
  featureNames.map((_, at) => claims.reduce((sum, claim) => sum + (claim[at] ?? 0), 0) / Math.max(1, claims.length));

/** Returns a kind's training rows: for answers to a question, only such answers and generated pairs; otherwise all. */
const teaches = ({ row, kind }: Prepared, wanted: Kind): boolean =>
  (shares[wanted][row.set] ?? 0) > 0 && (wanted !== "asked" || kind === wanted || row.set === "pairs-en");

/** Fits one kind's model on the mean of each answer's claims, since only whole answers are labelled. */
function fitKind(all: readonly Prepared[], kind: Kind): LinearModel {
  const share = shares[kind];
  const prepared = all.filter((one) => teaches(one, kind) && one.claims.length > 0);
  const counts = new Map<string, number>();
  const classOf = ({ row }: Prepared) => `${row.set} ${row.faithful}`;
  for (const one of prepared) counts.set(classOf(one), (counts.get(classOf(one)) ?? 0) + 1);
  const examples: Example<readonly number[]>[] = prepared.map((one) => ({
    x: meanOf(one.claims),
    y: one.row.faithful,
    weight: ((share[one.row.set] ?? 0) * weightOfClass) / (counts.get(classOf(one)) ?? 1),
  }));
  return fitSigned(examples, options);
}

export const folds = 10;
/** Number of folds that the reader was not trained on. */
export const heldBack = 2;

/** Returns the fold of a source document from a hash of its name, the same on every machine. */
export const foldOf = (group: string): number => (sha256(group)[0] ?? 0) % folds;

/** One model per kind. */
export type Models = Readonly<Record<Kind, LinearModel>>;

/** Fits the models of all kinds. */
export const fitAll = (prepared: readonly Prepared[]): Models => ({
  slavic: fitKind(prepared, "slavic"),
  english: fitKind(prepared, "english"),
  asked: fitKind(prepared, "asked"),
});

/** Returns the answer's logit under the models, by which a run would decide. */
export function score({ claims, kind }: Prepared, models: Models): number {
  return answerLogit(claims.map((claim) => logitOf(models[kind], claim)));
}

/** Returns each row's logit from models trained without its source document, for the training record and the bench. */
export const crossValidated = (prepared: readonly Prepared[]): number[] =>
  crossValidate(prepared, {
    foldOf: ({ row }) => foldOf(row.group),
    fit: fitAll,
    apply: (models, one) => score(one, models),
  });
