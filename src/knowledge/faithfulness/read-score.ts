import type { Reading } from "../../contracts/meaning.ts";
import { type LinearModel, logitOf } from "../learning/linear.ts";
import type { AssessedClaim, Assessment } from "./assess.ts";
import weights from "./read-weights.json" with { type: "json" };
import type { Reason } from "./reason.ts";

/**
 * Names of the features of a claim that has been read. `tools/training/faithfulness/train-read.ts` learns the weights.
 */
export const readFeatureNames = [
  "worded",
  "entailed",
  "denied",
  "proven",
  "against",
  "hard",
  "soft",
  "slavic",
  "asked",
  "worded_asked",
] as const;

/** Conflicts that count on their own: another value, unit, date, bound, actor, name, exclusion or negation. */
const hard: ReadonlySet<Reason["rule"]> = new Set<Reason["rule"]>([
  "number_differs",
  "number_missing",
  "unit_differs",
  "date_differs",
  "bound_differs",
  "actor_differs",
  "name_missing",
  "exception_denied",
  "negation_differs",
]);
/**
 * From this share of its words in the sentence on, a claim is that sentence, and a dropped condition or quantifier
 * counts as much.
 */
const sameFrom = 0.8;

const isHard = ({ conflict, covered }: AssessedClaim): boolean =>
  conflict !== null && (hard.has(conflict) || covered >= sameFrom);

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
const logit = (probability: number): number => within(Math.log(probability / (1 - probability)), 5);

/** Returns the features of a claim that has been read, in the order of `readFeatureNames`. */
export function readFeatures(claim: AssessedClaim, reading: Reading, { kind }: Pick<Assessment, "kind">): number[] {
  const { worded, proven, against } = claim;
  const named: Record<(typeof readFeatureNames)[number], number> = {
    worded: within(worded, 4),
    entailed: logit(reading.entailed),
    denied: logit(reading.denied),
    proven: proven ? 1 : 0,
    against: against === "closely" ? 1 : against === "somewhere" ? 0.5 : 0,
    hard: isHard(claim) ? 1 : 0,
    soft: claim.conflict !== null && !isHard(claim) ? 1 : 0,
    slavic: kind === "slavic" ? 1 : 0,
    asked: kind === "asked" ? 1 : 0,
    worded_asked: kind === "asked" ? within(worded, 4) : 0,
  };
  return readFeatureNames.map((name) => named[name]);
}

interface Learnt {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
  /** Probability from which a claim that the rules have proven may be OK. */
  readonly ok_from: number;
  readonly fail_below: number;
}

/**
 * Short sources, which are read in full, and longer ones, of which the closest sentences are read, have separate
 * weights.
 */
export type Scope = "whole" | "parts";
const learnt: Readonly<Record<Scope, Learnt>> = weights.scopes;
const modelOf = ({ bias, weights }: Learnt): LinearModel => ({
  bias,
  weights: readFeatureNames.map((name) => weights[name] ?? 0),
});
const models = { whole: modelOf(learnt.whole), parts: modelOf(learnt.parts) };

/** Returns which weights an answer is judged by. */
export const scopeOf = ({ isWhole }: Pick<Assessment, "isWhole">): Scope => (isWhole ? "whole" : "parts");

/** Returns the logit of a claim that has been read. */
export const readLogit = (claim: AssessedClaim, reading: Reading, assessment: Assessment): number =>
  logitOf(models[scopeOf(assessment)], readFeatures(claim, reading, assessment));

/**
 * Checks whether a claim that has been read with this probability may be OK: the rules have proven it, and the reader
 * agrees. The reader alone is not enough: on other authors' texts, three in eleven would have been wrong.
 */
export const mayPromise = (
  { proven, doubt }: AssessedClaim,
  probability: number,
  assessment: Pick<Assessment, "isWhole">,
): boolean => proven && doubt === null && probability >= learnt[scopeOf(assessment)].ok_from;

/** Returns the score below which an answer whose claims were read fails. */
export const failedBelowRead = (assessment: Pick<Assessment, "isWhole">): number =>
  learnt[scopeOf(assessment)].fail_below;
