import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hashedPlace, packWeights, unpackWeights } from "../../src/knowledge/learning/hashed.ts";
import { logitOf, sigmoid, sparseLogitOf } from "../../src/knowledge/learning/linear.ts";
import { crossValidate } from "../../tools/training/learning/cross-validate.ts";
import { calibrate, fitSigned, fitSparse } from "../../tools/training/learning/logistic.ts";
import { auroc, balancedAccuracy, bestThreshold, rankingFigures } from "../../tools/training/learning/metrics.ts";
import { fitRanker, order } from "../../tools/training/learning/ranker.ts";

describe("linear models", () => {
  test("give a vector the same score in dense and in sparse form", () => {
    const model = { bias: 0.5, weights: [1, -2, 3] };
    expect(logitOf(model, [0, 1, 2])).toBe(4.5);
    const sparse: [number, number][] = [
      [1, 1],
      [2, 2],
    ];
    expect(sparseLogitOf(model, sparse)).toBe(4.5);
  });

  test("give probabilities that are never certain", () => {
    expect(sigmoid(0)).toBe(0.5);
    expect(sigmoid(1_000)).toBeLessThan(1);
    expect(sigmoid(-1_000)).toBeGreaterThan(0);
  });
});

describe("hashed features", () => {
  test("have an index below their number", () => {
    fc.assert(
      fc.property(fc.string(), (feature) => {
        const place = hashedPlace(feature, 1_024);
        return Number.isInteger(place) && place >= 0 && place < 1_024 && place === hashedPlace(feature, 1_024);
      }),
    );
  });

  test("have weights that are restored to within half a step", () => {
    const weight = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(fc.array(weight, { maxLength: 50 }), (weights) => {
        const packed = packWeights(weights);
        const back = unpackWeights(packed);
        return (
          back.length === weights.length &&
          weights.every((one, at) => Math.abs(one - (back[at] ?? 0)) <= packed.scale * 0.5001)
        );
      }),
    );
  });
});

describe("fits", () => {
  test("never take a direction that is not allowed", () => {
    const examples = [0, 1, 2, 3].map((value) => ({ x: [value, -value], y: value > 1, weight: 1 }));
    const free = fitSigned(examples, { penalty: 0.01, rounds: 200, signs: [0, 0] });
    const bound = fitSigned(examples, { penalty: 0.01, rounds: 200, signs: [-1, 1] });
    expect(logitOf(free, [3, -3])).toBeGreaterThan(logitOf(free, [0, 0]));
    expect(Array.from(bound.weights, (weight) => weight + 0)).toEqual([0, 0]);
  });

  test("of sparse vectors separate by one feature if it separates, and leave unseen features at zero", () => {
    const examples = [true, false, true, false].map((y) => ({
      x: { places: [y ? 3 : 5], values: [1] },
      y,
      weight: 1,
    }));
    const model = fitSparse(examples, { width: 8, penalty: 1e-3, rate: 0.5, epochs: 20 });
    expect(sparseLogitOf(model, [[3, 1]])).toBeGreaterThan(1);
    expect(sparseLogitOf(model, [[5, 1]])).toBeLessThan(-1);
    expect(model.weights[0]).toBe(0);
  });

  test("of a ranker put the right candidate first, and are the same for the same seed", () => {
    const samples = Array.from({ length: 40 }, (_, at) => ({
      rows: Float32Array.from([at % 7, 0, at % 5, 1]),
      isRight: [false, true],
    }));
    const weights = fitRanker(samples, 2, 1);
    expect(order({ rows: Float32Array.from([6, 0, 0, 1]) }, weights)).toEqual([1, 0]);
    expect(fitRanker(samples, 2, 1)).toEqual(weights);
  });

  test("of a calibration map a score to the share of correct answers with such a score", () => {
    const given = Array.from({ length: 100 }, (_, at) => ({
      score: at < 50 ? 1 : 2,
      isRight: at % 50 < (at < 50 ? 10 : 40),
    }));
    const { slope, offset } = calibrate(given);
    expect(sigmoid(slope + offset)).toBeCloseTo(0.2, 2);
    expect(sigmoid(2 * slope + offset)).toBeCloseTo(0.8, 2);
  });
});

test("cross-validation judges each item by a model trained without its fold, in the items' order", () => {
  const items = ["a1", "b1", "a2", "c1"];
  const seen = crossValidate(items, {
    foldOf: (item) => item.charAt(0),
    fit: (others, fold) => ({ others, fold }),
    apply: ({ others, fold }, item) => `${item} ${fold} ${others.join("+")}`,
  });
  expect(seen).toEqual(["a1 a b1+c1", "b1 b a1+a2+c1", "a2 a b1+c1", "c1 c a1+b1+a2"]);
});

describe("measures", () => {
  test("AUROC is the share of pairs in the right order, ties by half", () => {
    expect(auroc([0.9, 0.8, 0.3, 0.1], [true, false, true, false])).toBe(0.75);
    expect(auroc([0.5, 0.5], [true, false])).toBe(0.5);
    expect(auroc([0.5], [true])).toBe(0.5);
  });

  test("balanced accuracy weights both classes equally", () => {
    expect(balancedAccuracy([0.9, 0.9, 0.9, 0.1], [true, true, true, false])).toBe(1);
    expect(balancedAccuracy([0.9, 0.9, 0.9, 0.9], [true, true, true, false])).toBe(0.5);
  });

  test("the best threshold separates what can be separated", () => {
    const scores = [0.1, 0.2, 0.8, 0.9];
    const faithful = [false, false, true, true];
    expect(balancedAccuracy(scores, faithful, bestThreshold(scores, faithful))).toBe(1);
  });

  test("ranking metrics count the first right answer, all of them, and whether there is one", () => {
    const lists = [
      { top: [false, true, true], right: 4 },
      { top: [false], right: 1 },
    ];
    expect(rankingFigures(lists)).toEqual({ mrr_at_10: 0.25, recall_at_10: 0.25, success_at_10: 0.5 });
  });
});
