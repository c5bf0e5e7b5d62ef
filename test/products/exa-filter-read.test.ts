import { afterAll, describe, expect, test } from "bun:test";
import type { Computing } from "../../src/contracts/computing.ts";
import type { Meaning, Reading } from "../../src/contracts/meaning.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { assess } from "../../src/knowledge/faithfulness/assess.ts";
import { verdictsOn } from "../../src/knowledge/faithfulness/scorer.ts";
import { createMeaning } from "../../src/knowledge/meaning/service.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { exaFilterEngine } from "../../src/products/capabilities/exa-filter/engine.ts";
import type { ExaFilterInput, ExaFilterOutput } from "../../src/products/capabilities/exa-filter/schema.ts";
import { computing, withoutModels } from "../support/services.ts";

const context = unhostedContext({
  signal: new AbortController().signal,
  stepKey: "test",
  firm: "test",
  now: () => new Date(0),
  random: () => 0.5,
  earlier: {},
});

/** A reader that gives every claim the stated reading, and records what it read. */
function reading(told: Partial<Reading> | null) {
  const read: string[] = [];
  const meaning: Meaning = {
    isBuiltIn: true,
    vectorOf: async () => null,
    async read(text) {
      read.push(text);
      return told && { entailed: 0.01, unsaid: 0.01, denied: 0.01, answers: 0.01, whole: true, ...told };
    },
    stop: () => {},
  };
  return { meaning, read };
}
const certain = { entailed: 0.995, unsaid: 0.003, denied: 0.002 };
const denying = { entailed: 0.002, unsaid: 0.003, denied: 0.995 };

async function check(meaning: Meaning, input: Omit<ExaFilterInput, "question">): Promise<ExaFilterOutput> {
  const { result } = await exaFilterEngine({ computing, meaning }).run(
    { question: "What does the policy cover?", ...input },
    context,
  );
  return result;
}

const sources = ["Theft of the insured bicycle is covered up to CZK 40,000 if it was locked."];
const paraphrase = "When your locked bike gets stolen, you are paid at most 40,000 crowns.";

describe("claims that the words do not decide are read", () => {
  test("a claim proved by its words is OK if the reader finds it entailed, and each claim states that it was read", async () => {
    const answer = "Theft of the insured bicycle is covered up to 40 000 CZK, if it was locked.";
    const words = await check(withoutModels, { answer, sources });
    expect(words).toMatchObject({ trust_state: "OK", claims: [{ read: false }] });
    const read = await check(reading(certain).meaning, { answer, sources });
    expect(read).toMatchObject({ trust_state: "OK", claims: [{ read: true, supported: true, reason: null }] });
    const doubted = await check(reading(denying).meaning, { answer, sources });
    expect(doubted.trust_state).not.toBe("OK");
  });

  test("a paraphrase that the reader finds entailed is supported, but not OK", async () => {
    const read = await check(reading(certain).meaning, { answer: paraphrase, sources });
    expect(read).toMatchObject({ trust_state: "WARN", claims: [{ read: true, supported: true }] });
    const denied = await check(reading(denying).meaning, { answer: paraphrase, sources });
    expect(denied).toMatchObject({ trust_state: "FAIL", claims: [{ read: true, supported: false }] });
  });

  test("a claim with matching words is not OK if the reader finds it contradicted", async () => {
    const answer = "Theft of the insured bicycle is covered up to CZK 40,000.";
    const { trust_state } = await check(reading(denying).meaning, { answer, sources });
    expect(trust_state).not.toBe("OK");
  });

  test.each([
    "Theft of the insured bicycle is covered up to EUR 40,000 if it was locked.",
    "Theft of the insured bicycle is covered up to CZK 60,000 if it was locked.",
    "Theft of the insured bicycle is not covered if it was locked.",
    "Theft of the insured bicycle is covered up to at least CZK 40,000 by Allianz if it was locked.",
  ])("no reading makes a hard conflict OK: %s", async (answer) => {
    expect((await check(reading(certain).meaning, { answer, sources })).trust_state).not.toBe("OK");
  });

  test("another value in the same sentence fails, even if the reader is certain of entailment", async () => {
    const limit = ["The limit of indemnity is 500 000 CZK for each insured event."];
    const answer = "The limit of indemnity is 800 000 CZK.";
    expect((await check(reading(certain).meaning, { answer, sources: limit })).trust_state).toBe("FAIL");
  });

  test("a quotation is not read, and is OK", async () => {
    const { meaning, read } = reading(denying);
    const result = await check(meaning, { answer: sources[0] ?? "", sources });
    expect(result).toMatchObject({ trust_state: "OK", claims: [{ read: false }] });
    expect(read).toEqual([]);
  });

  test.each([
    ["Der Versicherer zahlt 3 Mio. EUR.", "Der Versicherer zahlt 3.000.000 EUR."],
    ["Der Versicherer zahlt 500 Tsd. EUR.", "Der Versicherer zahlt 500.000 EUR."],
    ["The limit is 1.5 million EUR.", "The limit is EUR 1,500,000."],
    ["The limit is 2 bn EUR.", "The limit is EUR 2,000,000,000."],
    ["The insurer answers within a week.", "The insurer answers within 7 days."],
    ["Die Frist beträgt zwei Wochen.", "Die Frist beträgt 14 Tage."],
    ["Škodu oznamte do dvou týdnů.", "Škodu oznamte do 14 dnů."],
    ["Zmluva trvá pol roka.", "Zmluva trvá 6 mesiacov."],
    ["Limit wynosi 1,5 mln zł.", "Limit wynosi 1 500 000 zł."],
    ["A várakozási idő hat hónap.", "A várakozási idő 6 hónap."],
    ["Smlouva končí 1. května 2025.", "Smlouva končí 1. 5. 2025."],
  ])("a sentence with an equal amount, time or date in another format is a quotation: %s", async (answer, source) => {
    const { meaning, read } = reading(denying);
    const result = await check(meaning, { answer, sources: [source] });
    expect(result).toMatchObject({ trust_state: "OK", claims: [{ read: false, reason: null, text: answer }] });
    expect(read).toEqual([]);
  });

  test("equal amounts and times are passed to the reader in the source's format", async () => {
    const { meaning, read } = reading(certain);
    const answer = "Within two weeks the insurer must pay 3 million euros.";
    await check(meaning, { answer, sources: ["The insurer must pay EUR 3,000,000 within 14 days."] });
    expect(read).toEqual(["Within 14 days the insurer must pay EUR 3,000,000."]);
  });

  test.each([
    [
      "Der Versicherer zahlt 3 Mrd. EUR.",
      "Der Versicherer zahlt 3.000.000 EUR.",
      "“3 Mrd. EUR”, the source “3.000.000 EUR”",
    ],
    ["Die Frist beträgt zwei Wochen.", "Die Frist beträgt 15 Tage.", "“zwei Wochen”, the source “15 Tage”"],
    ["Limit wynosi 500 tys. zł.", "Limit wynosi 500 mln zł.", "“500 tys. zł”, the source “500 mln zł”"],
    ["Lhůta je tři týdny.", "Lhůta je 14 dnů.", "„tři týdny“, zdroj „14 dnů“"],
    ["A várakozási idő hat hónap.", "A várakozási idő 5 hónap.", "“hat hónap”, the source “5 hónap”"],
    ["Smlouva trvá dva roky.", "Smlouva trvá 12 měsíců.", "„dva roky“, zdroj „12 měsíců“"],
  ])("a different amount or time is not OK, and the verdict has both: %s", async (answer, source, why) => {
    const { trust_state, verdict_text } = await check(reading(certain).meaning, { answer, sources: [source] });
    expect(trust_state).not.toBe("OK");
    expect(verdict_text).toContain(why);
  });

  test("a claim in the source's words that the reader doubts is not reported as lacking a number", async () => {
    const answer = "The insurer must within two weeks pay 3 million euros.";
    const sources = ["The insurer must pay EUR 3,000,000 within 14 days."];
    const { trust_state, verdict_text } = await check(reading({}).meaning, { answer, sources });
    expect(trust_state).toBe("WARN");
    expect(verdict_text).toContain("the same words and amounts, but may not mean the same");
  });

  test("a claim of which only the beginning was read is not OK", async () => {
    const answer = "Theft of the insured bicycle is covered up to 40 000 CZK, if it was locked.";
    const { trust_state } = await check(reading({ ...certain, whole: false }).meaning, { answer, sources });
    expect(trust_state).toBe("WARN");
  });

  test("the first claims of a long answer are read, and the others are judged by their words", async () => {
    const { meaning, read } = reading(certain);
    const answer = Array.from({ length: 40 }, (_, at) => `Bicycle number ${at + 1} is insured against theft.`).join(
      " ",
    );
    const { claims = [] } = await check(meaning, { answer, sources });
    expect(claims.length).toBeGreaterThan(read.length);
    expect(claims.map((claim) => claim.read)).toEqual(claims.map((_, at) => at < read.length));
  });

  test("an unread claim next to read ones is not OK", () => {
    const answer =
      "Theft of the insured bicycle is covered up to 40 000 CZK, if it was locked. The bicycle is insured in all of Europe.";
    const material = { question: "", answer, sources: [...sources, "The bicycle is insured in all Europe."] };
    const assessment = assess(material);
    const read = { ...certain, answers: 0, whole: true };
    expect(verdictsOn(assessment).promised).toBe(true);
    expect(verdictsOn(assessment, [read, read]).promised).toBe(true);
    expect(verdictsOn(assessment, [read, null]).promised).toBe(false);
  });

  test("the words alone decide if the reader is not available in time", async () => {
    const words = await check(withoutModels, { answer: paraphrase, sources });
    expect(await check(reading(null).meaning, { answer: paraphrase, sources })).toEqual(words);
  });

  test("an input that needs the reader is not checked inline", () => {
    const input = { question: "What does the policy cover?", sources };
    const patient: Computing = { ...computing, atOnce: (work) => work() };
    const engine = exaFilterEngine({ computing: patient, meaning: reading(certain).meaning });
    expect(engine.runInline?.({ ...input, answer: paraphrase })).toBeUndefined();
    expect(engine.runInline?.({ ...input, answer: sources[0] ?? "" })?.result.trust_state).toBe("OK");
  });
});

describe("the embedded model", () => {
  const meaning = createMeaning({
    runtime: systemRuntime,
    log: createLog(systemRuntime, "error"),
    files: weightFiles,
    available: () => 2 ** 40,
  });
  afterAll(() => meaning.stop());

  test.each([
    "Theft is covered up to EUR 40,000.",
    "Theft of the scooter is covered.",
    "Damage is covered up to CZK 40,000.",
    "Theft of the insured bicycle is covered up to CZK 40,000 per month if it was locked.",
    "Theft of the insured bicycle is covered up to CZK 40,000 even if it was not locked.",
  ])("a statement that is not in the source is not OK: %s", async (answer) => {
    expect((await check(meaning, { answer, sources })).trust_state).not.toBe("OK");
  });

  test("the same claim has the same reading, whatever was read before", async () => {
    const first = await check(meaning, { answer: paraphrase, sources });
    await check(meaning, { answer: "Theft of the scooter is covered.", sources });
    expect(await check(meaning, { answer: paraphrase, sources })).toEqual(first);
    expect(first.claims?.map(({ read }) => read)).toEqual([true]);
  });

  test("an aborted run is not read", async () => {
    const signal = AbortSignal.abort();
    expect(await meaning.read(paraphrase, sources[0] ?? "", { firm: "test", signal })).toBeNull();
    const controller = new AbortController();
    const waiting = meaning.read(paraphrase, sources[0] ?? "", { firm: "test", signal: controller.signal });
    controller.abort();
    expect(await waiting).toBeNull();
  });
});
