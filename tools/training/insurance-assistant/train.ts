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
 * `bun tools/training/insurance-assistant/train.ts [--documents DIR]`: learns when the assistant answers, from the labelled
 * questions of `test/bench/ask-questions.json`, and writes `gate.json` with its record. The thresholds come from held-out
 * folds: at most one in twenty of the questions without an answer is answered, and none is called certain. An unsure
 * question is searched for twice, so that the gate in place has a little say in what the next one learns from.
 */
const { values } = parseArgs({
  options: { documents: { type: "string", default: "../shared/data/insurance-documents" } },
});

/** More of the question found never speaks against an answer. */
const either = new Set(["words", "whether", "amount", "time", "margin", "likest"]);
const options = { penalty: 12, rounds: 500, signs: signalNames.map((name) => (either.has(name) ? 0 : 1)) };
const unanswerableAtMost = 0.05;

const examples = await gateExamples(values.documents);
type Asked = (typeof examples)[number];
const vectorOf = ({ signals }: Asked): number[] => signalNames.map((name) => signals[name]);
const counts = { fits: examples.filter(({ fits }) => fits).length, not: examples.filter(({ fits }) => !fits).length };

const fit = (list: readonly Asked[]): LinearModel =>
  fitSigned(
    list.map((one) => ({
      x: vectorOf(one),
      y: one.fits,
      weight: examples.length / 2 / (one.fits ? counts.fits : counts.not),
    })),
    options,
  );

const held = crossValidate(examples, {
  foldOf: ({ question }) => (sha256(question)[0] ?? 0) % 10,
  fit,
  apply: (model, one) => sigmoid(logitOf(model, vectorOf(one))),
});
const without = examples.flatMap((one, at) => (one.answerable ? [] : [held[at] ?? 0])).sort((a, b) => b - a);
const allowed = Math.floor(unanswerableAtMost * without.length);
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const answered_from = rounded((without[allowed] ?? 0) + 0.001);
const certain_from = rounded((without[0] ?? 0) + 0.001);
const shown = (from: number) => examples.filter(({ fits }, at) => fits && (held[at] ?? 0) >= from).length;
const model = fit(examples);
const record = {
  questions: examples.length,
  without_answer: without.length,
  right_passage_would_be_cited: counts.fits,
  held_out: { answered: shown(answered_from), certain: shown(certain_from), without_answer_answered: allowed },
};
const weights = Object.fromEntries(signalNames.map((name, at) => [name, rounded(model.weights[at] ?? 0)]));
const file = { record, bias: rounded(model.bias), answered_from, certain_from, weights };
writeFileSync(
  join(import.meta.dir, "../../../src/products/capabilities/insurance-assistant/gate.json"),
  `${JSON.stringify(file, null, 2)}\n`,
);
console.log(JSON.stringify(file, null, 2));
