import { logitOf, sigmoid } from "../../../knowledge/learning/linear.ts";
import gate from "./gate.json" with { type: "json" };

/** What speaks for an answer, by name; all between about 0 and 3. `tools/training/insurance-assistant` learns from them. */
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

/** A gate: from `answered_from` on there is an answer, and from `certain_from` on it may be called OK. */
interface Learnt {
  readonly bias: number;
  readonly answered_from: number;
  readonly certain_from: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * What was to be had of the best sentence: its words alone; a model of meaning has read it; and it has known questions
 * beside it. There is a gate for each case.
 */
export type Way = "words" | "read" | "known";

const gates: Readonly<Record<Way, Learnt>> = gate;

/**
 * From this probability on the places that come nearest are named where nothing clearly answers. Chosen on questions of
 * other authors, and on 72 that have nothing to do with the documents: of these 20 get places with the models, 31 without.
 */
const nearFrom: Readonly<Record<Way, number>> = { words: 0.25, read: 0.15, known: 0.15 };

/** What the gate makes of the signals: whether the sentence quoted first answers, or at least comes near. */
export interface Judged {
  readonly isAnswered: boolean;
  readonly isCertain: boolean;
  readonly isNear: boolean;
}

/** What the signals come to. */
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
