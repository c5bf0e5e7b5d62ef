import { logitOf, sigmoid } from "../../../knowledge/learning/linear.ts";
import gate from "./gate.json" with { type: "json" };

/** Signals for an answer, by name; all between about 0 and 3. `tools/training/insurance-assistant` learns from them. */
export const signalNames = [
  "coverage",
  "stated",
  "own",
  "on_matter",
  "margin",
  "best",
  "matter",
  "rarest",
  "rarest_said",
  "exact",
  "words",
  "rank",
  "suits",
  "whether",
  "amount",
  "time",
  "line",
  "foreign",
  "likeness",
  "likest",
  "read",
  "best_read",
  "alone",
  "lead",
  "known",
  "known_share",
  "known_near",
  "nearly",
  "known_most",
  "nearly_most",
] as const;
export type Signals = Readonly<Record<(typeof signalNames)[number], number>>;

/** A gate: there is an answer from probability `answered_from`, and it may be OK from `certain_from`. */
interface Learnt {
  readonly bias: number;
  readonly answered_from: number;
  readonly certain_from: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * What is known about the best sentence: its words alone, a reading, or a reading and known questions of its passage.
 * There is a gate for each case.
 */
export type Way = "words" | "read" | "known";

const gates: Readonly<Record<Way, Learnt>> = gate;

/**
 * Probability from which the nearest places are named if nothing clearly answers. Chosen on questions by other authors,
 * and on 72 that have nothing to do with the documents: of these 7 get places with the models, 31 without.
 */
const nearFrom: Readonly<Record<Way, number>> = { words: 0.25, read: 0.15, known: 0.15 };

/** The gate's decision: whether the first quoted sentence answers, or at least comes near. */
export interface Judged {
  readonly isAnswered: boolean;
  readonly isCertain: boolean;
  readonly isNear: boolean;
}

/** Applies the gate to the signals. */
export function judgedBy(signals: Signals, way: Way): Judged {
  const { bias, answered_from, certain_from, weights } = gates[way];
  const model = { bias, weights: signalNames.map((name) => weights[name] ?? 0) };
  const probability = sigmoid(
    logitOf(
      model,
      signalNames.map((name) => signals[name]),
    ),
  );
  return {
    isAnswered: probability >= answered_from,
    isCertain: probability >= certain_from,
    isNear: probability >= nearFrom[way],
  };
}
