import { answerLogit } from "../../../src/knowledge/faithfulness/answer-score.ts";
import {
  countDocumentFrequency,
  type DocumentFrequency,
  weightIn,
} from "../../../src/knowledge/faithfulness/document-frequency.ts";
import { evaluateClaims } from "../../../src/knowledge/faithfulness/evaluate-claim.ts";
import { directions, featureNames } from "../../../src/knowledge/faithfulness/features.ts";
import { type Family, familyOf } from "../../../src/knowledge/language/languages.ts";
import { type LinearModel, logitOf } from "../../../src/knowledge/learning/linear.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { type Example, fitSigned } from "../learning/logistic.ts";
import type { Row } from "./dataset.ts";

/** A row with the features of each of its answer's claims. */
export interface Prepared {
  readonly row: Row;
  readonly family: Family;
  readonly claims: readonly (readonly number[])[];
}

/** How much each set counts in each family's model; classes weigh the same within a set. */
export const shares: Record<Family, Readonly<Record<string, number>>> = {
  slavic: { ctkfacts: 1, "pairs-cs": 0.25, aggrefact: 0.05, begin: 0.05 },
  english: { aggrefact: 1, begin: 1, "pairs-en": 0.25, ctkfacts: 0.3, "halueval-qa": 0.1 },
};

const options = { penalty: 20, rounds: 500, signs: featureNames.map((name) => directions[name] ?? 0) };
const weightOfClass = 500;

/** DocumentFrequency counts over the distinct source texts of rows. */
export function documentFrequencyOf(rows: readonly Row[]): DocumentFrequency {
  const distinct = new Map(
    rows.flatMap(({ sources }) => sources.map((text) => [text.replace(/\s+/g, ""), text] as const)),
  );
  return countDocumentFrequency([...distinct.values()]);
}

/** Evaluates every row once; cross-validation and the final fit share the result. */
export async function prepare(rows: readonly Row[], frequency: DocumentFrequency): Promise<Prepared[]> {
  const weightOf = weightIn(frequency);
  const prepared: Prepared[] = [];
  for (const row of rows) {
    const { language, claims } = evaluateClaims(row, weightOf);
    prepared.push({ row, family: familyOf(language), claims: claims.map(({ features }) => features) });
  }
  return prepared;
}

const meanOf = (claims: Prepared["claims"]): number[] =>
  featureNames.map((_, at) => claims.reduce((sum, claim) => sum + (claim[at] ?? 0), 0) / Math.max(1, claims.length));

/** Fits one family's model. An answer is learned by the mean of its claims, since only answers are labelled. */
export function fitFamily(prepared: readonly Prepared[], family: Family): LinearModel {
  const share = shares[family];
  const counts = new Map<string, number>();
  const classOf = ({ row }: Prepared) => `${row.set} ${row.faithful}`;
  for (const one of prepared) counts.set(classOf(one), (counts.get(classOf(one)) ?? 0) + 1);
  const examples: Example<readonly number[]>[] = prepared
    .filter(({ row, claims }) => (share[row.set] ?? 0) > 0 && claims.length > 0)
    .map((one) => ({
      x: meanOf(one.claims),
      y: one.row.faithful,
      weight: ((share[one.row.set] ?? 0) * weightOfClass) / (counts.get(classOf(one)) ?? 1),
    }));
  return fitSigned(examples, options);
}

export const folds = 10;

/** The fold of a source document, by a hash of its name: the same on every machine. */
export const foldOf = (group: string): number => (sha256(group)[0] ?? 0) % folds;

/** The answer's logit under a pair of models: what a run would decide by. */
export function score({ claims, family }: Prepared, models: Readonly<Record<Family, LinearModel>>): number {
  return answerLogit(claims.map((claim) => logitOf(models[family], claim)));
}

/** Each row's logit from models that saw no row of its source document. Training's record and the bench call it. */
export const crossValidated = (prepared: readonly Prepared[]): number[] =>
  crossValidate(prepared, {
    foldOf: ({ row }) => foldOf(row.group),
    fit: (others) => ({ slavic: fitFamily(others, "slavic"), english: fitFamily(others, "english") }),
    apply: (models, one) => score(one, models),
  });
