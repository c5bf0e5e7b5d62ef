#!/usr/bin/env bun
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type LinearModel, logitOf, sigmoid } from "../../../src/knowledge/learning/linear.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import { signalNames } from "../../../src/products/capabilities/insurance-assistant/gate.ts";
import { gateExamples } from "../../../test/bench/ask.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { fitSigned } from "../learning/logistic.ts";

/**
 * `bun tools/training/insurance-assistant/train.ts [--documents DIR]`: learns when the assistant answers, by words alone and
 * with the models of meaning, from the labelled questions of `test/bench/ask-questions.json` and `ask-learnt.json`, and
 * writes `gate.json` with its record. The thresholds come from held-out folds and from the questions of other authors, from
 * which no weight is learnt: at most one in twenty of all questions without an answer is answered, and none is called
 * certain. An unsure question is searched for twice, so that the gate in place has a little say in what the next one learns
 * from.
 */
const { values } = parseArgs({
  options: { documents: { type: "string", default: "../shared/data/insurance-documents" } },
});

/** More of the question found never speaks against an answer. */
const either = new Set(["words", "whether", "amount", "time", "margin", "foreign", "likest"]);
const signs = signalNames.map((name) => (either.has(name) ? 0 : 1));
const unanswerableAtMost = 0.05;
/**
 * With the models the gate is so much stricter than these questions ask for: more of what a new author asks in vain has
 * lain above each gate than of what it was learned from.
 */
const margin = 0.02;

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

/**
 * One gate: by words alone, or for sentences that the model of meaning has read. Words alone learn from our questions only:
 * those of others have few words in common with what answers, and taught that few are enough.
 */
async function learn(isByMeaning: boolean) {
  const penalty = isByMeaning ? 60 : 18;
  const isLearntFrom = (one: Asked) => isOurs(one) || (isByMeaning && isOthers(one));
  const asked = await gateExamples(values.documents, isByMeaning);
  // What is refused whatever the gate says teaches it nothing.
  const judged = asked.filter(({ isRefused }) => !isRefused);
  const examples = judged.filter(isLearntFrom);
  const held = crossValidate(examples, {
    foldOf: ({ question }) => (sha256(question)[0] ?? 0) % 10,
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
  const stricter = isByMeaning ? margin : 0;
  return {
    record,
    bias: rounded(model.bias),
    answered_from: rounded(answeredFrom + stricter),
    certain_from: rounded(certainFrom + stricter),
    weights,
  };
}

const file = { words: await learn(false), read: await learn(true) };
writeFileSync(
  join(import.meta.dir, "../../../src/products/capabilities/insurance-assistant/gate.json"),
  `${JSON.stringify(file, null, 2)}\n`,
);
console.log(JSON.stringify(file, null, 2));
