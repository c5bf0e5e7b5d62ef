import { describe, expect, test } from "bun:test";
import coefficients from "../../../src/products/validator/data/coefficients.json";
import { livesWithParents } from "../../../src/products/validator/persona.ts";
import { type DecisionSize, decisionSizes } from "../../../src/products/validator/sizes.ts";
import type { Asked } from "../../../src/products/validator/weigh.ts";
import { asking, concluded, market, marketCodes } from "../../support/studies.ts";
import { bicycles } from "../../support/validator-world.ts";

/** The same offer in the four languages, with expected words of a bio and of the reliability card's note. */
const inFour = {
  en: [bicycles, "years old", "Simulated people, not a survey."],
  cs: [
    "Cyklisté, kteří denně dojíždějí, se bojí krádeže. Nabízíme pojištění v aplikaci za 99 Kč měsíčně a 300 jezdců ho v pilotu obnovilo.",
    " let, ",
    "Simulovaní lidé, ne průzkum.",
  ],
  sk: [
    "Cyklisti, ktorí denne dochádzajú, sa boja krádeže. Ponúkame poistenie v aplikácii za 4 EUR mesačne a 300 jazdcov ho v pilote obnovilo.",
    " rokov, ",
    "Simulovaní ľudia, nie prieskum.",
  ],
  de: [
    "Radfahrer, die täglich pendeln, haben Angst vor Diebstahl. Wir bieten eine Versicherung in einer App für 4 EUR im Monat, und 300 Fahrer haben sie im Pilot verlängert.",
    " Jahre, ",
    "Simulierte Menschen, keine Umfrage.",
  ],
} as const;

const thresholds: Readonly<Record<DecisionSize, number>> = { S: 0.15, M: 0.2, L: 0.25, XL: 0.3 };
const priced = (price: string) => bicycles.replace("4 EUR a month", price);
const unpriced = bicycles.replace(" for 4 EUR a month", "");

/** Returns the largest share of people who would hardly buy and name the same objection first. */
function firstObjection(personas: readonly Asked[]): number {
  const counts = new Map<string, number>();
  for (const { answer } of personas) {
    const [first] = answer.objections;
    if (answer.juster <= 3 && first) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) / personas.length;
}

describe("a verdict", () => {
  test("is derived from the interval, the threshold of its size, and an objection of more than 30 %", () => {
    const found: Record<string, number> = { GO: 0, "NO-GO": 0, straddling: 0, objection: 0 };
    for (const price of ["1 EUR a month", "4 EUR a month", "60 EUR a month"])
      for (const code of ["CZ", "NL", "EU"])
        for (const decision_size of decisionSizes)
          for (const size of [10, 50]) {
            const asked = asking({ hypothesis: priced(price), market: code, decision_size, size });
            const { verdict, report, summary, personas } = concluded(asked);
            const threshold = thresholds[decision_size];
            expect(report.threshold).toBe(threshold);
            const { low, high } = report.interval;
            const isKept = firstObjection(personas) > 0.3;
            const wanted = high < threshold ? "NO-GO" : low > threshold && !isKept ? "GO" : "CONDITIONAL";
            expect([asked, verdict]).toEqual([asked, wanted]);
            // An interval above the threshold without GO needs an explanation.
            if (isKept)
              expect(report.condition?.text).toContain("% would hardly buy, and give as their first reason: ");
            if (verdict === "CONDITIONAL") expect(summary).toContain(report.condition?.text ?? "no condition");
            const kind = verdict === "CONDITIONAL" ? (low > threshold ? "objection" : "straddling") : verdict;
            found[kind] = (found[kind] ?? 0) + 1;
          }
    expect(Object.entries(found).filter(([, count]) => count === 0)).toEqual([]);
  });

  test("is one sentence in the language of the hypothesis, as are the people", () => {
    for (const [language, [hypothesis, aged, note]] of Object.entries(inFour)) {
      const { summary, report, personas } = concluded(asking({ hypothesis }));
      expect([language, report.hypothesis.language, report.card.note]).toEqual([language, language, note]);
      // A full stop before the end would make it two.
      expect([summary, summary.match(/[.!?](\s|$)/g)?.length]).toEqual([summary, 1]);
      for (const { persona } of personas) {
        expect(persona.bio).toContain(`${persona.age}${aged.startsWith(" ") ? "" : " "}${aged}`);
        expect(persona.role.length).toBeGreaterThan(3);
      }
    }
  });

  test("about an implausible price says so, even if little else is understood", () => {
    const { verdict, confidence, report } = concluded(
      asking({ hypothesis: "Young families need an app for -5 EUR a month to insure bicycles" }),
    );
    expect([verdict, confidence <= 0.1, report.condition?.change]).toEqual(["CONDITIONAL", true, "negative"]);
  });

  test("has less confidence for each missing part, and names it", () => {
    const noProof = bicycles.replace(", and a pilot with 300 riders renewed it", "");
    const neither = unpriced.replace(", and a pilot with 300 riders renewed it", "");
    const sure = [bicycles, noProof, neither].map((hypothesis) => {
      const { confidence, report } = concluded(asking({ hypothesis }));
      // What remains of it besides the width of the interval.
      return [confidence / (1 - report.interval.high + report.interval.low), report.hypothesis.missing] as const;
    });
    expect(sure.map(([, missing]) => missing)).toEqual([[], ["proof"], ["price", "proof"]]);
    const [all = 0, some = 0, few = 0] = sure.map(([left]) => left);
    expect([all > some + 0.02, some > few + 0.02]).toEqual([true, true]);
  });

  test("has a confidence of 0.6 at most", () => {
    const found = marketCodes.map(
      (code) => concluded(asking({ market: code, size: 50, hypothesis: priced("0.5 EUR a month") })).confidence,
    );
    for (const confidence of found) expect(confidence).toBeLessThanOrEqual(0.6);
    expect(found).toContain(0.6);
  });
});

describe("a report", () => {
  test("states the intent less the overstatement of stated intents", () => {
    const { report } = concluded(asking({ size: 50 }));
    expect(report.intent).toBeCloseTo(report.raw_intent * 0.74, 3);
  });

  test("has groups of five and more, all of them, and no smaller one", () => {
    for (const size of [7, 10, 20]) {
      const { report, personas } = concluded(asking({ size, decision_size: "S" }));
      expect(report.segments.filter(({ personas: of }) => of < 5)).toEqual([]);
      const town = personas.filter(({ persona }) => persona.urban).length;
      const shown = report.segments.find(({ name }) => name === "urban")?.personas ?? 0;
      expect(shown).toBe(town >= 5 ? town : 0);
      expect(personas.filter(({ persona }) => persona.age < 35).length).toBeLessThan(7);
    }
  });

  test("names the objections by how many people raise them, most frequent first", () => {
    const { report, personas } = concluded(asking({ size: 50, decision_size: "S" }));
    const shares = report.objections.map(({ share }) => share);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    for (const { name, share } of report.objections)
      expect(share).toBe(personas.filter(({ answer }) => answer.objections.includes(name)).length / 50);
  });

  test("names the condition that changes the rate most", () => {
    for (const code of marketCodes) {
      const { report } = concluded(asking({ market: code, decision_size: "XL", size: 50 }));
      const moved = report.condition?.intent ?? 0;
      expect(moved).toBeGreaterThan(report.intent);
      const channels = report.alternatives.filter(({ name }) => name.startsWith("channel:"));
      for (const { intent } of [...channels, ...report.segments.slice(0, 1)])
        expect(moved).toBeGreaterThanOrEqual(intent);
    }
  });

  test("has van Westendorp's four prices if a price is given, and a ladder without one too", () => {
    const { price: stated } = concluded(asking({ size: 50 })).report;
    expect(stated?.stated).toBe(48);
    const { marginal_cheapness, optimal, indifference, marginal_expensiveness } = stated?.van_westendorp ?? {};
    expect(marginal_cheapness).toBeLessThanOrEqual(optimal ?? 0);
    expect(optimal).toBeLessThanOrEqual(marginal_expensiveness ?? 0);
    expect(indifference).toBeLessThanOrEqual(marginal_expensiveness ?? 0);
    const { price: none } = concluded(asking({ size: 50, hypothesis: unpriced })).report;
    expect([none?.stated, none?.van_westendorp, none?.ladder.length]).toEqual([null, null, 6]);
  });

  test("asks at other prices and channels in the same way as at the stated ones", () => {
    for (const decision_size of ["M", "L", "XL"] as const) {
      const { report } = concluded(asking({ decision_size, size: 50 }));
      expect(report.price?.ladder.find(({ price }) => price === 48)?.intent).toBe(report.intent);
    }
    const { report } = concluded(asking({ decision_size: "XL", size: 50 }));
    const intents = new Map(report.alternatives.map(({ name, intent }) => [name, intent]));
    const others = ["online", "adviser", "phone", "bank", "shop", "employer", "partner"].map((one) => `channel:${one}`);
    expect([...intents.keys()].sort()).toEqual([...others, "price:0.8", "price:1.2"].sort());
    expect(intents.get("price:0.8") ?? 0).toBeGreaterThan(report.intent);
    expect(intents.get("price:1.2") ?? 1).toBeLessThan(report.intent);
    expect(report.red_team?.intent ?? 1).toBeLessThan(report.intent);
    for (const { name, label } of report.alternatives)
      expect([name, label?.includes(":channel")]).toEqual([name, false]);
    expect(report.alternatives.find(({ name }) => name === "channel:bank")?.label).toBe("sold another way: bank");
  });

  test("has a card with engine, seed, interval, and the vintage and status of every input", () => {
    for (const code of marketCodes) {
      const asked = asking({ market: code });
      const { report } = concluded(asked);
      const { engine, seed, interval, inputs, coefficients: version } = report.card;
      expect([engine.name, engine.version, seed]).toEqual(["market-validator", "1.0.0", asked.seed]);
      expect([interval, version]).toEqual([report.interval, coefficients.version]);
      // Everything from which a market's people are drawn, with its source.
      const { code: _, currency, ...figures } = market(code);
      for (const [name, { status, vintage, source }] of Object.entries(figures))
        expect(inputs).toContainEqual({ name, status, vintage, source });
      for (const { status, vintage, source } of inputs)
        expect([status, vintage === "", source === ""]).toEqual([expect.any(String), false, false]);
      for (const status of ["read", "derived", "unverified", "design"])
        expect(inputs.some((one) => one.status === status)).toBe(true);
    }
  });

  test("names the basis of each coefficient of the choice model", () => {
    const { version, about, literature, ladder, ...groups } = coefficients;
    const rests = literature.map((one) => one.rests).join("\n");
    for (const name of Object.keys(groups)) expect([name, rests.includes(name)]).toEqual([name, true]);
    expect([version, about.length > 0, ladder.length, rests.includes("price ladder")]).toEqual([
      "1.0.0",
      true,
      6,
      true,
    ]);
  });
});

describe("the people of a study", () => {
  test("match the audience and the hypothesis, as far as the figures allow", () => {
    const described = concluded(asking({ audience_text: "Mladé rodiny s dětmi ve městech", size: 20 }));
    expect(described.report.market).toMatchObject({ described: ["young", "parents", "urban"], left_out: [] });
    expect(described.report.market.share).toBeLessThan(0.2);
    for (const { persona } of described.personas) {
      expect([persona.age <= 34, persona.urban, livesWithParents(persona)]).toEqual([true, true, false]);
      expect(["family", "single_parent"]).toContain(persona.household);
    }
    const anybody = concluded(asking({ size: 20 }));
    expect(anybody.report.market).toMatchObject({ share: 1, described: [], left_out: [] });
    expect(anybody.personas.some(({ persona }) => persona.age > 34)).toBe(true);
  });

  test("are of the requested market: if the audience's differs, the first note says so in each language", () => {
    for (const [language, [hypothesis]] of Object.entries(inFour)) {
      const notesFor = (audience_market: string | null, code = "DE") =>
        concluded(asking({ hypothesis, market: code, audience_text: "Parents", audience_market })).report.notes ?? [];
      const [first = "", ...others] = notesFor("CZ");
      expect([language, first.includes("CZ") && first.includes("DE"), first.includes("{")]).toEqual([
        language,
        true,
        false,
      ]);
      for (const own of [null, "DE", "EU"]) expect([language, own, notesFor(own)]).toEqual([language, own, others]);
      expect(notesFor("CZ", "EU")[0]).toContain("EU");
    }
  });
});
