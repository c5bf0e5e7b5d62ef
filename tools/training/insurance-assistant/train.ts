#!/usr/bin/env bun
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type LinearModel, logitOf, sigmoid } from "../../../src/knowledge/learning/linear.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import gates from "../../../src/products/capabilities/insurance-assistant/gate.json" with { type: "json" };
import { signalNames, type Way } from "../../../src/products/capabilities/insurance-assistant/gate.ts";
import { gateExamples } from "../../../test/bench/ask.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { fitSigned } from "../learning/logistic.ts";

/**
 * `bun tools/training/insurance-assistant/train.ts [--documents DIR] [--gate words|read|known]`: learns when the assistant
 * answers, and writes `gate.json` with its record: all gates, or the one named. By words alone, and where there are known
 * questions, from the labelled questions of `test/bench`; with the models of meaning on a firm's own documents, from those
 * whose questions are held back from the reader (`bodies.ts`). The thresholds come from held-out
 * folds and from the questions of other authors, from which no weight is learnt: at most one in twenty of all questions
 * without an answer is answered, and none is called certain. An unsure question is searched for twice, so that the gate in
 * place has a little say in what the next one learns from.
 */
const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "../shared/data/insurance-documents" },
    gate: { type: "string" },
  },
});

/** More of the question found never speaks against an answer. */
const either = new Set([
  ...["words", "whether", "amount", "time", "margin", "foreign", "likest"],
  ...["lead", "known_near", "nearly", "known_most", "nearly_most"],
]);
const signs = signalNames.map((name) => (either.has(name) ? 0 : 1));
const unanswerableAtMost = 0.05;
/**
 * Each gate is so much stricter than these questions ask for: more of what a new author asks in vain has lain above each
 * gate than of what it was learned from. By words alone 46 of 444 by other authors had, many of them long and chatty:
 * 35 have with that margin. With known questions 6 of 144 by six authors have with that margin, and 183 of 216 answers are
 * shown; on three bodies of documents that nothing was learned from 4 of 72 have, and 28 of 108 are shown.
 */
const margins: Readonly<Record<Way, number>> = { words: 0.013, read: 0.05, known: 0.09 };

type Asked = Awaited<ReturnType<typeof gateExamples>>[number];
const isOurs = ({ set }: Asked): boolean => set === "ours" || set === "wordings";
const isOthers = ({ set }: Asked): boolean => set === "learnt";
const vectorOf = ({ signals }: Asked): number[] => signalNames.map((name) => signals[name]);
const fitting = (list: readonly Asked[]): number => list.filter(({ fits }) => fits).length;
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** What others asked who had not seen the engine counts more than what we did. */
const sharesOfOthers = 3;

/** Both classes weigh the same. */
function fit(list: readonly Asked[], penalty: number): LinearModel {
  const shareOf = (one: Asked) => (isOthers(one) ? sharesOfOthers : 1);
  const sum = (of: boolean) => list.reduce((total, one) => total + (one.fits === of ? shareOf(one) : 0), 0);
  const sums = { true: sum(true), false: sum(false) };
  const weightOf = (one: Asked) => (shareOf(one) * list.length) / 2 / sums[one.fits ? "true" : "false"];
  return fitSigned(
    list.map((one) => ({ x: vectorOf(one), y: one.fits, weight: weightOf(one) })),
    { penalty, rounds: 500, signs },
  );
}

/** How strongly weights are held down, and what they are learnt from. */
const ways = {
  /** Our questions only: those of others have few words in common with what answers, and taught that few are enough. */
  words: { penalty: 18, isLearntFrom: isOurs },
  /** All: the folds are bodies of documents. */
  read: { penalty: 4, isLearntFrom: () => true },
  /** All: the folds are the authors' sets, so that each is judged by what others asked. */
  known: { penalty: 4, isLearntFrom: () => true },
} as const;

/** What must not be split between training and testing. */
const foldOf = (way: Way) => (one: Asked) =>
  way !== "words" && !isOurs(one) ? one.set : String((sha256(one.question)[0] ?? 0) % 10);

/** One gate. */
async function learn(way: Way) {
  const { penalty, isLearntFrom } = ways[way];
  const asked = await gateExamples(values.documents, way);
  // What is refused whatever the gate says teaches it nothing.
  const judged = asked.filter(({ isRefused }) => !isRefused);
  const examples = judged.filter(isLearntFrom);
  const held = crossValidate(examples, {
    foldOf: foldOf(way),
    fit: (list: readonly Asked[]) => fit(list, penalty),
    apply: (model, one) => sigmoid(logitOf(model, vectorOf(one))),
  });
  const model = fit(examples, penalty);
  const others = judged.filter((one) => !isLearntFrom(one));
  const judgedBy = [
    ...examples.map((one, at) => ({ one, probability: held[at] ?? 0 })),
    ...others.map((one) => ({ one, probability: sigmoid(logitOf(model, vectorOf(one))) })),
  ];
  const without = judgedBy
    .flatMap(({ one, probability }) => (one.answerable ? [] : [probability]))
    .sort((a, b) => b - a);
  const withoutAnswer = asked.filter(({ answerable }) => !answerable).length;
  const allowed = Math.floor(unanswerableAtMost * withoutAnswer);
  const answeredFrom = rounded((without[allowed] ?? 0) + 0.001);
  const certainFrom = rounded((without[0] ?? 0) + 0.001);
  const shown = (from: number) => judgedBy.filter(({ one, probability }) => one.fits && probability >= from).length;
  const record = {
    learnt_from: examples.length,
    questions: asked.length,
    without_answer: withoutAnswer,
    refused_before: asked.length - judged.length,
    right_passage_would_be_cited: fitting(judged),
    // Before the margin.
    held_out: { answered: shown(answeredFrom), certain: shown(certainFrom), without_answer_answered: allowed },
  };
  const weights = Object.fromEntries(signalNames.map((name, at) => [name, rounded(model.weights[at] ?? 0)]));
  const stricter = margins[way];
  return {
    record,
    bias: rounded(model.bias),
    answered_from: rounded(answeredFrom + stricter),
    // A margin that goes beyond 1 would leave nothing certain.
    certain_from: rounded(Math.min(certainFrom + stricter, (1 + certainFrom) / 2)),
    weights,
  };
}

const wanted = (way: Way): boolean => values.gate === undefined || values.gate === way;
const file = {
  words: wanted("words") ? await learn("words") : gates.words,
  read: wanted("read") ? await learn("read") : gates.read,
  known: wanted("known") ? await learn("known") : gates.known,
};
writeFileSync(
  join(import.meta.dir, "../../../src/products/capabilities/insurance-assistant/gate.json"),
  `${JSON.stringify(file, null, 2)}\n`,
);
console.log(JSON.stringify(file, null, 2));
