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
  "likeness",
  "likest",
] as const;
export type Signals = Readonly<Record<(typeof signalNames)[number], number>>;

const weightOf: Readonly<Record<string, number>> = gate.weights;
const model = { bias: gate.bias, weights: signalNames.map((name) => weightOf[name] ?? 0) };

/** How probable it is that the sentence quoted first answers the question, 0 to 1. */
export const answerProbability = (signals: Signals): number =>
  sigmoid(
    logitOf(
      model,
      signalNames.map((name) => signals[name]),
    ),
  );

/** From here on there is an answer: one in twenty of all questions without one came so far, none of them learnt from. */
export const answeredFrom = gate.answered_from;
/** From here on it may be called OK. No question without an answer came so far. */
export const certainFrom = gate.certain_from;
