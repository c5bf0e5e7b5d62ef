#!/usr/bin/env bun
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { answerLogit } from "../../../src/knowledge/faithfulness/answer-score.ts";
import { readFeatureNames, readFeatures, type Scope, scopeOf } from "../../../src/knowledge/faithfulness/read-score.ts";
import { heldBack } from "../../../src/knowledge/faithfulness/worded-score.ts";
import { type LinearModel, logitOf, sigmoid } from "../../../src/knowledge/learning/linear.ts";
import { sha256 } from "../../../src/platform/ids.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { fitSigned } from "../learning/logistic.ts";
import { auroc, balancedAccuracy } from "../learning/metrics.ts";
import { folds } from "./evaluate.ts";
import { type Judged, readExamples } from "./read-examples.ts";

/**
 * `bun tools/training/faithfulness/train-read.ts --work DIR [--data DIR]` learns how to weigh a reading against the
 * word features, from answers that the reader was not trained on, and writes `read-weights.json` with its record. The
 * thresholds for OK and FAIL come from held-out folds. DIR caches the readings, so that a second call is fast. The
 * record has two ablations: without readings, and with the readings of other answers instead.
 */
const { values } = parseArgs({
  options: { data: { type: "string", default: "../shared/data/faithfulness" }, work: { type: "string", default: "." } },
});

/** Sign constraints: evidence for a claim never counts against it. */
const signs: Readonly<Record<(typeof readFeatureNames)[number], number>> = {
  worded: 1,
  entailed: 1,
  denied: -1,
  proven: 1,
  against: -1,
  hard: -1,
  soft: -1,
  slavic: 0,
  asked: 0,
  worded_asked: 1,
};
/**
 * Maximum share of wrong results among the OKs, and among the FAILs, in the held-out folds. It is stricter than the
 * promise to users, because other authors' pairs are harder.
 */
const wrongAtMost = 0.035;
const failWrongAtMost = 0.065;
/**
 * Minimum threshold for OK: on 12,276 claims on later sources (`../meaning/later`) the folds of an earlier reader gave
 * a threshold of .854, at which 15 of 249 were wrong. With the current reader 13 of 274 are wrong at .92, and 6 of 200
 * at this value.
 */
const promisedAtLeast = 0.935;
/** Minimum number of answers that a threshold is based on. */
const fewestAbove = 10;

const three = (value: number): number => Math.round(value * 1000) / 1000;

const claimsOf = ({ assessment, readings }: Judged): number[][] =>
  assessment.claims.flatMap((claim, at) => {
    const reading = readings[at];
    return reading ? [readFeatures(claim, reading, assessment)] : [];
  });
const meanOf = (rows: readonly (readonly number[])[]): number[] =>
  readFeatureNames.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length);

/** Weighs classes equally within a set, and each hand-written language as much as a set. */
function fit(list: readonly Judged[]): LinearModel {
  const counts = new Map<string, number>();
  const classOf = ({ set, faithful }: Judged) => `${set} ${faithful}`;
  for (const one of list) counts.set(classOf(one), (counts.get(classOf(one)) ?? 0) + 1);
  const weightOf = (one: Judged) => 100 / (counts.get(classOf(one)) ?? 1);
  return fitSigned(
    list.map((one) => ({ x: meanOf(claimsOf(one)), y: one.faithful, weight: weightOf(one) })),
    { penalty: 3, rounds: 600, signs: readFeatureNames.map((name) => signs[name]) },
  );
}

interface Scored {
  /** Probabilities of the answer and of its weakest claim. */
  readonly score: number;
  readonly weakest: number;
}

function scoredBy(model: LinearModel, one: Judged): Scored {
  const { assessment, readings } = one;
  const logits = assessment.claims.flatMap((claim, at) => {
    const reading = readings[at];
    return reading ? [heldBack(claim, logitOf(model, readFeatures(claim, reading, assessment)))] : [];
  });
  return { score: sigmoid(answerLogit(logits)), weakest: sigmoid(Math.min(...logits)) };
}

/** Returns each answer's score from a model trained without its source. */
const heldOut = (list: readonly Judged[]): Scored[] =>
  crossValidate(list, {
    foldOf: ({ group }) => (sha256(`read ${group}`)[0] ?? 0) % folds,
    fit,
    apply: scoredBy,
  });

/** Returns each answer with the readings of another answer of its set, as a baseline without meaning. */
function withOthersReadings(list: readonly Judged[]): Judged[] {
  const next = new Map<Judged, Judged>();
  for (const own of Map.groupBy(list, ({ set }) => set).values()) {
    // Shuffled: claims on one source are ordered by kind.
    const mixed = own
      .map((one, at) => ({ one, key: sha256(`mixed ${at}`).toString("hex") }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const [at, { one }] of mixed.entries()) next.set(one, mixed[(at + 1) % mixed.length]?.one ?? one);
  }
  return list.map((one) => {
    const { readings } = next.get(one) ?? one;
    return {
      ...one,
      readings: one.readings.map((reading, at) => reading && (readings[at % readings.length] ?? reading)),
    };
  });
}

/** Readings without information. */
function unread(list: readonly Judged[]): Judged[] {
  const nothing = { entailed: 0.5, unsaid: 0, denied: 0.5, answers: 0.5, whole: true };
  return list.map((one) => ({ ...one, readings: one.readings.map((reading) => reading && nothing) }));
}

interface Ranked {
  readonly value: number;
  readonly isWrong: boolean;
}

/** Returns the lowest threshold above which at most the given share is wrong, or 1 if there is none. */
function thresholdFor(list: readonly Ranked[], most: number): number {
  let wrong = 0;
  let from = 1;
  for (const [at, one] of list.toSorted((a, b) => b.value - a.value).entries()) {
    if (one.isWrong) wrong += 1;
    if (wrong <= most * (at + 1) && at + 1 >= fewestAbove) from = one.value;
  }
  return from;
}

type Row = Judged & Scored;

const isProven = ({ assessment }: Judged): boolean =>
  assessment.claims.every(({ proven, doubt }) => proven && doubt === null);

/** Whether the sources contain the same sentence with another value or actor; the rules fail it despite any reading. */
const isAgainst = ({ assessment }: Judged): boolean => assessment.claims.some(({ against }) => against === "closely");

interface Thresholds {
  readonly ok_from: number;
  readonly fail_below: number;
}

/** Returns a set's results, with its AUROC by words alone and with the readings of other answers. */
function figuresOf(rows: readonly Row[], { ok_from, fail_below }: Thresholds, without: Scored[][]) {
  const ok = rows.filter((one) => isProven(one) && one.weakest >= ok_from);
  const failed = rows.filter(({ score }) => score < fail_below);
  const truth = rows.map(({ faithful }) => faithful);
  const scores = rows.map(({ score }) => score);
  const [words = [], others = []] = without.map((list) => list.map(({ score }) => score));
  return {
    answers: rows.length,
    balanced_accuracy: three(balancedAccuracy(scores, truth)),
    auroc: three(auroc(scores, truth)),
    auroc_words_alone: three(auroc(words, truth)),
    auroc_others_readings: three(auroc(others, truth)),
    ok: ok.length,
    ok_wrong: ok.filter(({ faithful }) => !faithful).length,
    fail: failed.length,
    fail_wrong: failed.filter(({ faithful }) => faithful).length,
  };
}

/**
 * Returns the OK threshold, chosen on hand-written claims: they differ from the truth in one detail, so words say
 * little. Too few answers on longer sources are held back to choose one there.
 */
function promisedFrom(rows: readonly Row[]): number {
  const written = rows.filter((one) => /^(?:written|twins)/.test(one.set) && isProven(one));
  return three(
    thresholdFor(
      written.map(({ weakest, faithful }) => ({ value: weakest, isWrong: !faithful })),
      wrongAtMost,
    ),
  );
}

function learn(judged: readonly Judged[], scope: Scope, known?: number) {
  const list = judged.filter((one) => scopeOf(one.assessment) === scope && claimsOf(one).length > 0);
  const held = heldOut(list);
  const rows = list.map((one, at): Row => ({ ...one, ...(held[at] ?? { score: 0.5, weakest: 0.5 }) }));
  const failing = rows
    .filter((one) => !isAgainst(one))
    .map(({ score, faithful }) => ({ value: 1 - score, isWrong: faithful }));
  const thresholds = {
    ok_from: known ?? Math.max(promisedAtLeast, promisedFrom(rows)),
    fail_below: three(1 - thresholdFor(failing, failWrongAtMost)),
  };
  const ablations = [heldOut(unread(list)), heldOut(withOthersReadings(list))];
  const record = Object.fromEntries(
    [...new Set(rows.map(({ set }) => set))].map((set) => {
      const isOwn = (_: unknown, at: number) => rows[at]?.set === set;
      const without = ablations.map((scored) => scored.filter(isOwn));
      return [set, figuresOf(rows.filter(isOwn), thresholds, without)];
    }),
  );
  console.log(scope);
  console.table(record);
  const { bias, weights } = fit(list);
  const named = Object.fromEntries(readFeatureNames.map((name, at) => [name, three(weights[at] ?? 0)]));
  return { record, ...thresholds, bias: three(bias), weights: named };
}

const { version, judged } = await readExamples(values.data, values.work);
const whole = learn(judged, "whole");
const parts = learn(judged, "parts", whole.ok_from);
writeFileSync(
  join(import.meta.dir, "../../../src/knowledge/faithfulness/read-weights.json"),
  `${JSON.stringify({ reader: version, scopes: { whole, parts } }, null, 2)}\n`,
);
