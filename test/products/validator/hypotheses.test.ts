import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { describedIn } from "../../../src/products/validator/described.ts";
import { readHypothesis } from "../../../src/products/validator/hypothesis.ts";
import { numberOf } from "../../../src/products/validator/price.ts";
import blind from "./hypotheses-blind.json";
import open from "./hypotheses-open.json";
import unseen from "./hypotheses-unseen.json";
import fresh from "./hypotheses-unseen-2.json";

/**
 * Eighty hypotheses in four languages with their expected parts. Both halves were written before the parser, and the
 * blind one before any word list. A part counts as found if the extracted text contains the words.
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

/** Returns the parts in which the parser's result differs from the row. */
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

describe("a hypothesis is parsed", () => {
  test("for each of the forty that were written before any word list existed", () => {
    expect(blind.length).toBe(40);
    expect((blind as Row[]).flatMap(misses)).toEqual([]);
  });

  test("for each of the forty hard cases", () => {
    expect(open.length).toBe(40);
    expect((open as Row[]).flatMap(misses)).toEqual([]);
  });

  // Written by others after the first parser, which found 280 of their 360 parts in its only run on them. The present
  // parser was developed with knowledge of them.
  test("for each of the forty that others wrote without knowledge of the first parser", () => {
    expect(unseen.length).toBe(40);
    expect((unseen as Row[]).flatMap(misses)).toEqual([]);
  });

  // Written by others, and run once when the present parser was finished: 316 of 360 parts, 12 of the 40 in full; the
  // first parser found 278, 4 in full. No fix is based on them. Channels are the parser's names for the writers' words,
  // which are in `channel_words`: with the writers' own words, 296 and 5 (269 and 1). A price per piece is paid once.
  test("in most parts of the forty unseen ones", () => {
    expect(fresh.length).toBe(40);
    const missed = (fresh as Row[]).flatMap(misses);
    expect([missed, missed.length <= 44]).toEqual([missed, true]);
  });

  test("with parts found only by position marked as unsure, and nothing found in nonsense", () => {
    const guessed = readHypothesis("Small cafés throw cakes away every evening. A leftovers box on the counter.");
    expect([guessed.offer, guessed.unsure.includes("offer")]).toEqual(["A leftovers box on the counter", true]);
    const stated = readHypothesis(
      "Who: small cafés. Problem: they throw cakes away. Offer: a leftovers box. Price: 3 EUR per piece.",
    );
    expect([stated.offer, stated.unsure]).toEqual(["a leftovers box", []]);
    const nothing = readHypothesis("blah blah blah blah, blah for blah at blah");
    expect([nothing.who, nothing.problem, nothing.offer, nothing.proof]).toEqual([null, null, null, null]);
  });

  test("quickly for any text, with its parts copied from it", () => {
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

  test("in time linear in the length of adversarial text", () => {
    const hard = ["1 ", "€", "1,1", "app ", "-1 Kč "];
    const readings = 10;
    /** Returns this thread's own processor time in ms, which excludes other processes. */
    const least = (text: string): number => {
      const times = Array.from({ length: 3 }, () => {
        const before = process.threadCpuUsage();
        for (let i = 0; i < readings; i++) readHypothesis(text);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      });
      return Math.min(...times);
    };
    for (const part of hard) {
      const of = (length: number): string => part.repeat(Math.floor(length / part.length));
      // Four times the length takes four times as long, or sixteen times if quadratic. The clock has a resolution of 1
      // ms.
      expect(least(of(2_000))).toBeLessThan(10 * least(of(500)) + readings);
    }
  });
});

test("prices are parsed by their grammar, and distinguished from what people earn, lose or pay today", () => {
  const prices = {
    "A terminal for shops, 35 to 45 euros per month per box": [35, "EUR", "month"],
    "A terminal for shops from £9.50 weekly": [9.5, "GBP", "week"],
    "A terminal for shops at five euros a day": [5, "EUR", "day"],
    "A terminal for shops at CHF 90 per quarter": [360, "CHF", "year"],
    "A terminal for shops, 90 cents a day instead of 3 EUR a day": [0.9, null, "day"],
    "Čidlo pro chataře za 1.990,- Kč jednorázově": [1990, "CZK", "once"],
    "Čidlo pro chataře, 2 až 3 tisíce Kč ročně": [2000, "CZK", "year"],
    "Živnostníci s príjmom do 1 500 € si chcú založiť účet za 4 € mesačne": [4, "EUR", "month"],
    "Landwirte zahlen heute 800 Euro im Jahr. Ein Vertrag für 250 Euro jährlich wäre billiger": [250, "EUR", "year"],
    "We charge shops 2 % of their turnover": null,
  };
  for (const [text, wanted] of Object.entries(prices)) {
    const { price, contradictory, negative } = readHypothesis(text);
    const got = price && [price.amount, price.currency, price.period];
    expect([text, got, contradictory, negative]).toEqual([text, wanted, false, false]);
  }
});

test("the buyer is found by a word for people or by the verb alone", () => {
  const buyers = {
    "Hospitals would buy cyber insurance for EUR 1,200 a year.": "Hospitals",
    "Hospitals would buy accident insurance for their employees at EUR 10 a month.": "Hospitals",
    "Parents would buy accident insurance for EUR 10 a month.": "Parents",
    "Monks would pay EUR 5 a month for garden insurance.": "Monks",
    "Everyone would buy home insurance for EUR 10 a month.": "Everyone",
    "Selbstständige kaufen eine Cyberversicherung für 49 Euro im Monat.": "Selbstständige",
    "Selbständige würden eine Cyberversicherung für 49 Euro im Monat kaufen.": "Selbständige",
    "Angestellte kaufen eine Unfallversicherung für 49 Euro im Monat.": "Angestellte",
    "Krankenhäuser kaufen eine Cyberversicherung für 1200 Euro im Jahr.": "Krankenhäuser",
    "Nemocnice by koupily kybernetické pojištění za 30 000 Kč ročně.": "Nemocnice",
    "Nemocnice kúpia kybernetické poistenie za 1200 eur ročne.": "Nemocnice",
  };
  for (const [text, who] of Object.entries(buyers)) expect([text, readHypothesis(text).who]).toEqual([text, who]);
});

test("firms are distinguished from people who work for them", () => {
  const firms = {
    "Small firms in Austria": true,
    "Companies with 10 to 50 employees": true,
    "Employees of mid-sized firms": false,
    "Restaurant owners": false,
    "Women over 60": false,
  };
  for (const [text, are] of Object.entries(firms))
    expect([text, describedIn(text, "en").areFirms]).toEqual([text, are]);
  expect(describedIn("Kleine Betriebe", "de").areFirms).toBe(true);
  expect(describedIn("Zaměstnanci malých firem", "cs").areFirms).toBe(false);
  expect(describedIn("Malé firmy a ich zamestnanci", "sk").areFirms).toBe(true);
});

test("amounts are parsed in the formats of the four languages", () => {
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
