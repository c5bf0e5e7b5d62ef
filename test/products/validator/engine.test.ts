import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import countries from "i18n-iso-countries";
import { present } from "../../../src/platform/assert.ts";
import { problems } from "../../../src/platform/validate.ts";
import { Answer } from "../../../src/products/validator/answer.ts";
import {
  ageBands,
  ageShares,
  drawPeople as drawingPeople,
  inverseNormal,
} from "../../../src/products/validator/draw.ts";
import { errorOf, juster } from "../../../src/products/validator/interview.ts";
import { knownMarkets, marketNamed } from "../../../src/products/validator/markets.ts";
import { householdTypes, type Profile } from "../../../src/products/validator/persona.ts";
import { Report } from "../../../src/products/validator/report.ts";
import { decisionSizes } from "../../../src/products/validator/sizes.ts";
import { studyOf } from "../../../src/products/validator/study.ts";
import { partWorths, utilityOf } from "../../../src/products/validator/utility.ts";
import { bootstrapInterval, calibrated } from "../../../src/products/validator/weigh.ts";
import { asking, concluded, market, marketCodes } from "../../support/studies.ts";
import { bicycles, runToEnd } from "../../support/validator-world.ts";

const drawPeople = (...given: Parameters<typeof drawingPeople>) => runToEnd(drawingPeople(...given));

describe("a study", () => {
  test("has the same result with the same seed, and other people with another", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...decisionSizes),
        fc.constantFrom(...marketCodes),
        fc.string(),
        (size, code, seed) => {
          const asked = asking({ decision_size: size, market: code, seed });
          expect(concluded(asked)).toEqual(concluded(asked));
          expect(concluded(asking({ seed: `${seed}!` })).personas).not.toEqual(concluded(asking({ seed })).personas);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("has answers and a report that match their schemas, at every size", () => {
    for (const decision_size of decisionSizes) {
      const { report, personas } = concluded(asking({ decision_size, size: 50 }));
      expect(problems(Report, report, "")).toEqual([]);
      for (const { answer } of personas) expect(problems(Answer, answer, "")).toEqual([]);
      expect(report.distribution.reduce((sum, count) => sum + count, 0)).toBe(50);
      expect(report.segments.every(({ personas: of }) => of >= 5)).toBe(true);
      expect(report.card.note).toBe("Simulated people, not a survey.");
    }
  });

  test("asks each person more at a larger size", () => {
    const [s, m, l, xl] = decisionSizes.map((decision_size) => concluded(asking({ decision_size, size: 20 })));
    expect([s?.report.price, m?.report.price === null]).toEqual([null, false]);
    expect([m?.report.sensitivity, l?.report.sensitivity === null]).toEqual([null, false]);
    expect([l?.report.alternatives, l?.report.red_team, xl?.report.red_team === null]).toEqual([[], null, false]);
    const framings = [s, m, l, xl].map((one) => one?.personas[0]?.answer.framings.length);
    expect(framings).toEqual([1, 1, 2, 4]);
  });

  test("never gives GO to an incomprehensible hypothesis, and explains why with low confidence", () => {
    const odd = ["aaaaaaaaaa", "1234567890", "?!?!?!?!?!", "Lorem ipsum dolor sit amet", "blebleble tramtadadá hůhů"];
    for (const hypothesis of [...odd, "😀".repeat(10)]) {
      const { verdict, confidence, summary } = concluded(asking({ hypothesis }));
      expect([hypothesis, verdict, confidence <= 0.1]).toEqual([hypothesis, "CONDITIONAL", true]);
      expect(summary.length).toBeGreaterThan(50);
    }
  });

  test("never gives GO to a negative price or to contradictory prices, whatever the rest of the hypothesis", () => {
    const prices = ["-4 EUR a month", "4 EUR a month or 200 EUR a year", "-1 Kč", "0 EUR a month, and 900 EUR a year"];
    for (const price of prices) {
      const { verdict, report } = concluded(asking({ hypothesis: bicycles.replace("4 EUR a month", price), size: 50 }));
      expect([price, verdict]).toEqual([price, "CONDITIONAL"]);
      expect(["contradictory", "negative"]).toContain(report.condition?.change ?? "");
    }
  });
});

const people = (code: string, seed: string, count = 20): Profile[] => drawPeople(market(code), count, seed);

describe("more reason to buy", () => {
  const facts = fc.record({
    need: fc.double({ min: 0, max: 1, noNaN: true }),
    clear: fc.constantFrom(0, 1),
    proof: fc.constantFrom(0, 1),
    trust: fc.integer({ min: 0, max: 3 }),
    effort: fc.integer({ min: 0, max: 3 }),
    price: fc.double({ min: 0, max: 50_000, noNaN: true }),
    channel: fc.constantFrom("app" as const, "bank" as const, null),
  });

  test("a better fit never lowers any person's answer", () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 1, noNaN: true }), fc.string(), (given, better, seed) => {
        const more = { ...given, need: Math.max(given.need, better), proof: 1, clear: 1 };
        for (const person of people("CZ", seed)) {
          const error = errorOf(seed, person.number);
          const before = juster(utilityOf(partWorths(person, given)), error);
          expect(juster(utilityOf(partWorths(person, more)), error)).toBeGreaterThanOrEqual(before);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a lower price never lowers any person's answer", () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 1, noNaN: true }), fc.string(), (given, part, seed) => {
        const cheaper = { ...given, price: given.price * part };
        for (const person of people("DE", seed)) {
          const error = errorOf(seed, person.number);
          const before = juster(utilityOf(partWorths(person, given)), error);
          expect(juster(utilityOf(partWorths(person, cheaper)), error)).toBeGreaterThanOrEqual(before);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("the price ladder never rises, in any study", () => {
    for (const code of marketCodes) {
      const { report } = concluded(asking({ market: code, size: 50 }));
      const intents = present(report.price ?? undefined, "a ladder").ladder.map(({ intent }) => intent);
      expect(intents).toEqual([...intents].sort((a, b) => b - a));
    }
  });

  test("a lower price never makes the same people want a hypothesis less", () => {
    const at = (price: number) =>
      concluded(asking({ hypothesis: bicycles.replace("4 EUR", `${price} EUR`), size: 50, seed: "same" })).report
        .intent;
    const intents = [400, 90, 40, 12, 4, 1].map(at);
    expect(intents).toEqual([...intents].sort((a, b) => a - b));
  });
});

/** Returns the statistic of Pearson's test against expected shares, and its critical value at 0.1 %. */
function chiSquare(observed: readonly number[], shares: readonly number[]): { statistic: number; critical: number } {
  const total = observed.reduce((sum, count) => sum + count, 0);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const statistic = observed.reduce((sum, count, i) => {
    const expected = (total * (shares[i] ?? 0)) / whole;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  // Wilson and Hilferty's approximation of the quantile.
  const k = shares.length - 1;
  return { statistic, critical: k * (1 - 2 / (9 * k) + inverseNormal(0.999) * Math.sqrt(2 / (9 * k))) ** 3 };
}

describe("5,000 people drawn from a market", () => {
  const counted = <V>(drawn: readonly Profile[], values: readonly V[], of: (person: Profile) => V): number[] =>
    values.map((value) => drawn.filter((person) => of(person) === value).length);

  test.each(marketCodes)("match the shares of its source: %s", (code) => {
    const source = market(code);
    // A hundred studies of fifty, drawn as in real studies.
    const drawn = Array.from({ length: 100 }, (_, i) => drawPeople(source, 50, `chi ${code} ${i}`)).flat();
    expect(drawn.length).toBe(5_000);
    const bandOf = ({ age }: Profile) => ageBands.findIndex(([first, last]) => age >= first && age <= last);
    const flags = [true, false];
    const halves = (share: number) => [share, 100 - share];
    const buyers = (source.internet.value * source.online_buyers.value) / 100;
    const tests = [
      [counted(drawn, [0, 1, 2, 3, 4, 5, 6], bandOf), ageShares(source)],
      [counted(drawn, householdTypes, ({ household }) => household), source.households.value],
      [counted(drawn, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (p) => p.income_decile), Array.from({ length: 10 }, () => 10)],
      [counted(drawn, flags, ({ tertiary }) => tertiary), halves(source.tertiary.value)],
      [counted(drawn, flags, ({ urban }) => urban), halves(source.urban.value)],
      [counted(drawn, flags, ({ uses_internet }) => uses_internet), halves(source.internet.value)],
      [counted(drawn, flags, ({ buys_online }) => buys_online), halves(buyers)],
      [counted(drawn, flags, ({ insured }) => insured), halves(source.insured.value)],
    ] as const;
    for (const [observed, shares] of tests) {
      const { statistic, critical } = chiSquare(observed, shares);
      expect(statistic).toBeLessThan(critical);
    }
  });

  test("correlate as the coefficients state", () => {
    const drawn = drawPeople(market("EU"), 5_000, "together");
    const share = (of: readonly Profile[], test: (person: Profile) => boolean) => of.filter(test).length / of.length;
    const [young, old] = [drawn.filter(({ age }) => age < 45), drawn.filter(({ age }) => age >= 45)];
    expect(share(young, (p) => p.buys_online)).toBeGreaterThan(share(old, (p) => p.buys_online) + 0.1);
    expect(share(old, (p) => p.insured)).toBeGreaterThan(share(young, (p) => p.insured) + 0.05);
    const [degree, none] = [drawn.filter((p) => p.tertiary), drawn.filter((p) => !p.tertiary)];
    expect(share(degree, (p) => p.income_decile > 5)).toBeGreaterThan(share(none, (p) => p.income_decile > 5) + 0.1);
    expect(drawn.every((p) => p.uses_internet || !p.buys_online)).toBe(true);
  });

  test("are as balanced in samples of ten as ten can be", () => {
    for (let i = 0; i < 50; i++) {
      const ten = drawPeople(market("CZ"), 10, `ten ${i}`);
      expect(ten.map((p) => p.income_decile).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const old = ten.filter(({ age }) => age >= 65).length;
      expect(old === 2 || old === 3).toBe(true);
    }
  });
});

describe("the 80 % interval", () => {
  /** Returns a study's results for one draw, and for a very large one. */
  function answersOf(size: number, seed: string): number[] {
    const asked = asking({ size, seed });
    const { matter } = studyOf(asked);
    return drawPeople(market("CZ"), size, seed).map((person) => {
      const error = errorOf(seed, person.number);
      return juster(utilityOf(partWorths(person, matter.facts)), error);
    });
  }

  test.each([10, 50])(
    "covers the market's own intent between 74 and 86 times in a hundred, over 2,000 studies of %i",
    (size) => {
      const truth = calibrated(Array.from({ length: 400 }, (_, i) => answersOf(50, `truth ${i}`)).flat());
      let covered = 0;
      for (let i = 0; i < 2_000; i++) {
        const seed = `study ${i}`;
        const { low, high } = runToEnd(bootstrapInterval(answersOf(size, seed), seed));
        if (low <= truth && truth <= high) covered++;
      }
      expect(covered / 2_000).toBeGreaterThan(0.74);
      expect(covered / 2_000).toBeLessThan(0.86);
    },
    // Two hundred thousand interviews are slow on a busy machine.
    300_000,
  );
});

test("markets are found by code and by name in four languages, in any spelling", () => {
  const names = ["cz", "CZE", "Česko", "cesko", " Czechia ", "Česká  republika", "Tschechien", "TSCHECHISCHE REPUBLIK"];
  expect(names.map((name) => marketNamed(name)?.code)).toEqual(names.map(() => "CZ"));
  expect(["Atlantis", "", "Ungarn", "HU", "C Z"].map((name) => marketNamed(name))).toEqual(Array(5).fill(undefined));
  for (const code of marketCodes) expect(knownMarkets).toContain(code);
});

test("every market that is a country is found by its ISO codes and its name in the four languages", () => {
  for (const code of marketCodes.filter((one) => one !== "EU")) {
    const names = ["en", "cs", "sk", "de"].flatMap((language) => [
      new Intl.DisplayNames([language], { type: "region" }).of(code) ?? "",
      countries.getName(code, language) ?? "",
    ]);
    for (const name of [code, countries.alpha2ToAlpha3(code) ?? "", ...names])
      expect([name, marketNamed(name)?.code]).toEqual([name, code]);
  }
  const unions = ["European Union", "Evropská unie", "Európska únia", "Europäische Union"];
  expect(unions.map((name) => marketNamed(name)?.code)).toEqual(unions.map(() => "EU"));
});
