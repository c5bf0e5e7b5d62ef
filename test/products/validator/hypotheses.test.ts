import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readHypothesis } from "../../../src/products/validator/hypothesis.ts";
import { numberOf } from "../../../src/products/validator/price.ts";
import blind from "./hypotheses-blind.json";
import open from "./hypotheses-open.json";

/**
 * Eighty hypotheses in four languages with what is to be found in them. Both halves were written before the parser; the
 * blind one before there was any word list. A part is found where the text that was cut holds the words.
 */
interface Row {
  readonly id: string;
  readonly language: string;
  readonly text: string;
  readonly who: string | null;
  readonly problem: string | null;
  readonly offer: string | null;
  readonly proof: string | null;
  readonly price: unknown;
  readonly channel: string | null;
  readonly contradictory?: boolean;
  readonly negative?: boolean;
}

/** What the parser found in a row otherwise than the row says. */
function misses({ id, text, ...wanted }: Row): string[] {
  const read = readHypothesis(text);
  const parts = (["who", "problem", "offer", "proof"] as const).filter((part) => {
    const [want, got] = [wanted[part], read[part]];
    return want === null ? got !== null : !got?.toLowerCase().includes(want);
  });
  const rest = {
    language: read.language === wanted.language,
    price: Bun.deepEquals(read.price, wanted.price),
    channel: read.channel === wanted.channel,
    contradictory: read.contradictory === (wanted.contradictory ?? false),
    negative: read.negative === (wanted.negative ?? false),
  };
  const others = Object.entries(rest).flatMap(([part, isRight]) => (isRight ? [] : [part]));
  return [...parts, ...others].map((part) => `${id}: ${part}`);
}

describe("a hypothesis is read", () => {
  test("in each of the forty that were written before any word list existed", () => {
    expect(blind.length).toBe(40);
    expect((blind as Row[]).flatMap(misses)).toEqual([]);
  });

  test("in each of the forty with the hard cases", () => {
    expect(open.length).toBe(40);
    expect((open as Row[]).flatMap(misses)).toEqual([]);
  });

  test("whatever text it is, within a moment, with its parts cut from it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 2000 }), (text) => {
        const read = readHypothesis(text);
        for (const part of [read.who, read.problem, read.offer, read.proof])
          if (part !== null) expect(text.normalize("NFC")).toContain(part);
        expect(read.price === null || read.price.amount >= 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("of two thousand characters that were made to be hard within 20 ms", () => {
    const hard = ["1 ".repeat(1000), "€".repeat(2000), "1,1".repeat(666), "app ".repeat(500), "-1 Kč ".repeat(333)];
    for (const text of hard) {
      // The fastest of some: the machine may have other things to do.
      const times = Array.from({ length: 5 }, () => {
        const began = performance.now();
        readHypothesis(text);
        return performance.now() - began;
      });
      expect(Math.min(...times)).toBeLessThan(20);
    }
  });
});

test("amounts are read as the four languages write them", () => {
  const written = {
    "1,200": 1200,
    "1.200": 1200,
    "1 200": 1200,
    "19,90": 19.9,
    "19.90": 19.9,
    "12": 12,
    "1 234,5": 1234.5,
  };
  expect(Object.keys(written).map(numberOf)).toEqual(Object.values(written));
});
