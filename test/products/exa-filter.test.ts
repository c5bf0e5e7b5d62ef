import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { problems } from "../../src/platform/validate.ts";
import { exaFilterEngine } from "../../src/products/capabilities/exa-filter/engine.ts";
import { type ExaFilterInput, ExaFilterOutput } from "../../src/products/capabilities/exa-filter/schema.ts";
import { computing, withoutModels } from "../support/services.ts";

const context = {
  signal: new AbortController().signal,
  stepKey: "test",
  firm: "test",
  now: () => new Date(0),
  random: () => 0.5,
  earlier: {},
};

const engine = exaFilterEngine({ computing, meaning: withoutModels });

async function check(input: Partial<ExaFilterInput>): Promise<ExaFilterOutput> {
  const { result } = await engine.run(
    { question: "Co kryje pojištění?", answer: "", ...input },
    unhostedContext(context),
  );
  return result;
}

const czech = [
  "Pojištění domácnosti se vztahuje na škody způsobené povodní do výše 300 000 Kč. Spoluúčast činí 5 000 Kč.",
  "Pojistná smlouva se uzavírá na dobu neurčitou. Pojištěný musí škodu oznámit do 15 dnů.",
];
const slovak = [
  "Poistenie domácnosti sa vzťahuje na škody spôsobené povodňou do výšky 10 000 eur. Spoluúčasť je 100 eur.",
  "Poistený je povinný oznámiť škodu do 15 dní.",
];
const english = ["The limit of indemnity is 500 000 CZK for each insured event.", "The excess is 5 000 CZK."];

test("a short input is checked inline with the same result; a long one, or one without sources, is not", async () => {
  const atOnce = (input: ExaFilterInput) => engine.runInline?.(input);
  for (const [answer, sources] of [
    ["Škodu je třeba oznámit do 15 dnů.", czech],
    ["Poistenie kryje povodeň do 20 000 eur.", slovak],
    ["The limit is 500,000 CZK. The excess is 9 000 CZK.", english],
    ["", english],
  ] as const) {
    const input = { question: "Co kryje pojištění?", answer, sources: [...sources] };
    // Inline work has only a share of one turn of the event loop, and the first check takes longest.
    await systemRuntime.nextTurn();
    expect(atOnce(input)?.result).toEqual(await check(input));
  }
  expect(atOnce({ question: "?", answer: "The excess is 5 000 CZK.", sources: [] })).toBeUndefined();
  expect(atOnce({ question: "?", answer: "The excess is 5 000 CZK. ".repeat(50), sources: english })).toBeUndefined();
});

describe("a supported answer is OK and names the source that supports it", () => {
  test.each([
    ["Ano, pojištění domácnosti kryje škody způsobené povodní do 300 000 Kč.", czech, 0],
    ["Škodu je třeba oznámit do 15 dnů.", czech, 1],
    ["Poistenie domácnosti sa vzťahuje na škody spôsobené povodňou.", slovak, 0],
    ["The limit of indemnity is 500,000 CZK.", english, 0],
    ["500 000 CZK", english, 0],
  ])("%p", async (answer, sources, at) => {
    const result = await check({ answer, sources });
    expect(result.trust_state).toBe("OK");
    expect(result.faithfulness_score).toBeGreaterThanOrEqual(0.5);
    expect(result.sources).toContain(sources[at] ?? "none");
    expect(result.claims?.map(({ reason }) => reason)).toEqual([null]);
  });
});

describe("an unsupported answer is not OK, and the verdict gives the reason in the answer's language", () => {
  test.each([
    ["Spoluúčast je 10 000 Kč.", czech, "liší se číslo: odpověď uvádí „10 000“, zdroj „5 000“"],
    ["Pojištění domácnosti se nevztahuje na škody způsobené povodní.", czech, "zápor se liší od zdroje („nevztahuje“)"],
    ["Pojištění sjednává Allianz v Bratislavě.", czech, "„Allianz“, „Bratislavě“ ve zdrojích není"],
    ["Spoluúčasť je 200 eur.", slovak, "líši sa číslo: odpoveď uvádza „200“, zdroj „100“"],
    ["Poistenie sa nevzťahuje na povodeň.", slovak, "zápor sa líši od zdroja"],
    ["The limit of indemnity is 800 000 CZK.", english, "the answer says “800 000”, the source “500 000”"],
    ["The limit is not 500 000 CZK.", english, "the negation differs from the source (“not”)"],
    ["The insured may cancel within two weeks by registered letter.", english, "was not found"],
    ["Dogs enjoy swimming across warm lakes.", english, "not found in the sources: “Dogs”"],
  ])("%p", async (answer, sources, why) => {
    const result = await check({ answer, sources });
    expect(result.trust_state).not.toBe("OK");
    expect(result.verdict_text).toContain(why);
    expect(result.sources).toEqual([]);
  });
});

describe("a claim that differs from its source in one decisive point is never OK, and the verdict names it", () => {
  const theft = ["Theft of the insured bicycle is covered up to CZK 40,000 if it was locked."];
  const german = ["Der Diebstahl des Fahrrads ist bis 1.500 EUR versichert, wenn es abgeschlossen war."];
  const polish = ["Kradzież roweru jest objęta ubezpieczeniem do kwoty 5 000 PLN, jeżeli był zamknięty."];
  test.each([
    ["Theft is covered up to EUR 40,000.", theft, "unit or currency"],
    ["Theft of the scooter is covered.", theft, "“scooter”"],
    ["Damage is covered up to CZK 40,000.", theft, "“Damage”"],
    ["Theft of the insured bicycle is covered up to CZK 40,000 per month if it was locked.", theft, "“month”"],
    ["Theft of the insured bicycle is covered up to CZK 40,000.", theft, "“if it was locked”"],
    ["Pojištění domácnosti kryje škody způsobené povodní do 300 000 EUR.", czech, "jednotce nebo měně"],
    ["Škodu je třeba oznámit do 15 měsíců.", czech, "jednotce nebo měně"],
    ["Der Diebstahl des Fahrrads ist bis 1.500 EUR versichert.", german, "wenn es abgeschlossen war"],
    ["Kradzież roweru jest objęta ubezpieczeniem do kwoty 5 000 EUR, jeżeli był zamknięty.", polish, "“5 000 EUR”"],
  ])("%p", async (answer, sources, why) => {
    const result = await check({ question: "What is covered?", answer, sources });
    expect(result.trust_state).not.toBe("OK");
    expect(result.verdict_text).toContain(why);
  });

  test.each([
    ["Theft of the insured bicycle is covered up to CZK 40,000 if it was locked.", theft],
    ["The insurer covers theft of a locked bicycle up to 40,000 CZK.", theft],
    ["Der Diebstahl des Fahrrads ist bis 1.500 EUR versichert, wenn es abgeschlossen war.", german],
  ])("a claim that keeps the point stays OK: %p", async (answer, sources) => {
    expect((await check({ question: "What is covered?", answer, sources })).trust_state).toBe("OK");
  });
});

test("another number in an otherwise equal sentence fails", async () => {
  const result = await check({ answer: "The limit of indemnity is 800 000 CZK.", sources: english });
  expect(result.trust_state).toBe("FAIL");
});

test("in a mixed answer the unsupported claim is named with its position, and the other keeps its source", async () => {
  const answer = "Poistený je povinný oznámiť škodu do 15 dní. Spoluúčasť je 200 eur.";
  const result = await check({ answer, sources: slovak });
  const [first, second] = result.claims ?? [];
  expect([first?.supported, second?.supported]).toEqual([true, false]);
  expect(answer.slice(second?.start, second?.end)).toBe("Spoluúčasť je 200 eur.");
  expect(result.verdict_text).toContain(`znaky ${second?.start}–${second?.end}`);
  expect(result.trust_state).toBe("WARN");
  expect(result.sources).toEqual([slovak[1] ?? ""]);
});

test("a Slovak verdict is in Slovak even if the sources are Czech", async () => {
  const result = await check({ answer: "Spoluúčasť je 10 000 korún, ktoré treba zaplatiť.", sources: czech });
  expect(result.verdict_text).toContain("Doložené tvrdenia");
});

test.each([
  ["Die Wartezeit beträgt 3 Monate.", "Die Wartezeit beträgt 8 Monate."],
  ["Ubezpieczyciel płaci za naprawę.", "Ubezpieczyciel nie płaci za naprawę."],
  ["A várakozási idő 3 hónap.", "A várakozási idő 8 hónap."],
])("a verdict on German, Polish or Hungarian is in English: %p", async (source, answer) => {
  for (const said of [source, answer]) {
    const { verdict_text } = await check({ question: "What?", answer: said, sources: [source] });
    expect(verdict_text).toStartWith("The sources support");
  }
});

test.each([
  [
    "All damage is covered.",
    "Damage by fire is covered.",
    "It is not certain that the sources support the claim. Not certain",
  ],
  ["Krádež je kryta.", "Krádež je kryta od druhého roku.", "Není jisté, že zdroje tvrzení dokládají. Nejisté"],
  [
    "Poistná krádež je krytá.",
    "Poistná krádež je krytá od druhého roka.",
    "Nie je isté, že zdroje tvrdenie dokladajú. Neisté",
  ],
])("a WARN verdict does not say that the sources support the answer: %p", async (answer, source, beginning) => {
  const { trust_state, verdict_text } = await check({ question: "What?", answer, sources: [source] });
  expect(trust_state).toBe("WARN");
  expect(verdict_text).toStartWith(beginning);
});

test("only certain claims are counted", async () => {
  const answer = "The excess is 5 000 CZK. Theft is covered. The limit is 9 EUR.";
  const sources = ["The excess is 5 000 CZK.", "Theft is covered from the second year.", "The limit is 8 EUR."];
  const { verdict_text } = await check({ question: "What?", answer, sources });
  expect(verdict_text).toStartWith("The sources support 1 of 3 claims.");
  expect(verdict_text).toContain("the source adds what the answer leaves out: “from the second year”");
});

describe("without evidence nothing is confirmed and no score is made up", () => {
  test.each([
    ["no sources", undefined],
    ["an empty list", []],
    ["sources of blanks and punctuation", ["", "  ", "…!"]],
  ])("%s", async (_, sources) => {
    const result = await check({ answer: "Limit je 500 000 Kč.", ...(sources && { sources }) });
    expect(result).toEqual({
      trust_state: "FAIL",
      verdict_text: "Nebyly zadány žádné zdroje, odpověď tedy není s čím porovnat: nic z ní není doloženo.",
      sources: [],
    });
  });
});

test.each(["???", "🙂🙂 \ud800", " ", "Yes."])(
  "an answer without claims (%p) is a warning without scores",
  async (answer) => {
    const result = await check({ question: "Is it so?", answer, sources: english });
    expect(result.trust_state).toBe("WARN");
    expect(result).not.toHaveProperty("faithfulness_score");
    expect(result.verdict_text).toBe("The answer contains no claim that can be checked.");
  },
);

test("for any input, the output matches its schema, and repeating it gives the same output", async () => {
  const word = fc.oneof(
    fc.constantFrom(
      "The",
      "limit",
      "není",
      "Praha",
      "5 000 Kč",
      "3. 4. 2024",
      "not",
      ".",
      "?",
      "\n",
      "toString",
      "__proto__",
    ),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(" "));
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(text, { maxLength: 4 }), async (question, answer, sources) => {
      const result = await check({ question, answer, sources });
      expect(problems(ExaFilterOutput, result, "")).toEqual([]);
      expect(await check({ question, answer, sources })).toEqual(result);
      for (const { text: claim, start, end } of result.claims ?? []) expect(answer.slice(start, end)).toBe(claim);
    }),
    { numRuns: 150, seed: 7 },
  );
});

test("the largest input that a caller may send is checked completely", async () => {
  const sentence = "The insured person number 7 must report damage above 5000 CZK within 15 days. ";
  const sources = Array.from({ length: 50 }, (_, at) => sentence.replace("7", `${at}`).repeat(30).slice(0, 2000));
  const result = await check({ answer: sentence.repeat(300).slice(0, 20_000), sources });
  expect(result.claims?.length).toBeGreaterThan(200);
  expect(result.claims?.at(-2)?.supported).toBe(true);
});
