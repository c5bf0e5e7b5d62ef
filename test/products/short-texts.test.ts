import { describe, expect, test } from "bun:test";
import type { Computing } from "../../src/contracts/computing.ts";
import { faithfulness } from "../../src/knowledge/faithfulness/computation.ts";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";
import { afaAssuranceEngine } from "../../src/products/capabilities/afa-assurance/engine.ts";
import { exaFilterEngine } from "../../src/products/capabilities/exa-filter/engine.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { isShort } from "../../src/products/capabilities/short.ts";
import { computations } from "../../src/products/computations.ts";
import { engineFrom } from "../../src/registry/services.ts";
import { computing, testServices, withoutModels } from "../support/services.ts";

/** Tests what is checked on the event loop, what runs in a worker thread, and what is refused. */

/** Sets no limit on the length of a turn of the event loop. */
const patient: Computing = { ...computing, atOnce: (work) => work() };
const exa = exaFilterEngine({ computing: patient, meaning: withoutModels });
const afa = afaAssuranceEngine({ computing: patient });

const asked = (answer: string, sources: string[] = ["ab"]) => ({
  question: "What?",
  answer,
  sources,
  country: "CZ" as const,
});

describe("a short text", () => {
  test.each([
    ["a sentence", "The limit is 500 000 CZK."],
    ["one long word", "a".repeat(990)],
    ["nine short sentences", "Ano. Ne. Snad. ".repeat(3)],
  ])("is checked inline: %s", (_, answer) => {
    expect(exa.runInline?.(asked(answer))).toBeDefined();
    expect(afa.runInline?.({ question: "Is it?", answer, check: "full" })).toBeDefined();
  });

  test.each([
    ["longer than a thousand characters", "a".repeat(1_001)],
    ["a hundred lines", "ab\n".repeat(100)],
    ["a sequence of full stops", ".".repeat(100)],
    ["a sequence of tiny sentences", "A b. ".repeat(100)],
    ["a sequence of amounts", "1€ ".repeat(100)],
  ])("that is %s is checked in a worker thread", (_, answer) => {
    expect(isShort([answer])).toBe(false);
    expect(exa.runInline?.(asked(answer))).toBeUndefined();
    expect(afa.runInline?.({ question: "Is it?", answer, check: "full" })).toBeUndefined();
  });

  test("is checked in as many steps as it has words and sentences", () => {
    let steps = 0;
    const count = () => {
      steps++;
    };
    checkFaithfulness({ question: "What?", answer: "ab ".repeat(160), sources: ["cd ".repeat(160)] }, count);
    expect(steps).toBeLessThan(10);
    steps = 0;
    checkFaithfulness({ question: "", answer: "ab\n".repeat(900), sources: ["ab\n".repeat(900)] }, count);
    // A sentence of a source is scanned twice: as words, and as a statement.
    expect(steps).toBe(900 + 2 * 900);
  });
});

describe("the check of an answer", () => {
  const material = (claims: number, sentences: number) => ({
    question: "What?",
    answer: "ab\n".repeat(claims),
    sources: ["ab\n".repeat(sentences)],
  });

  test("accepts a thousand sentences, and refuses one more before any work", () => {
    let steps = 0;
    const count = () => {
      steps++;
    };
    expect(checkFaithfulness(material(1_000, 1)).claims.length).toBe(1_000);
    const refused = () => checkFaithfulness(material(1_001, 1), count);
    expect(refused).toThrow("The answer has 1001 sentences; at most 1000 are checked.");
    expect(steps).toBe(0);
  });

  test("refuses more than a million pairs of sentences before any work", () => {
    let steps = 0;
    const refused = () =>
      checkFaithfulness(material(1_000, 1_001), () => {
        steps++;
      });
    expect(refused).toThrow("the sources have 1001; multiplied, at most 1000000");
    expect(steps).toBe(0);
  });

  test("terminates for many different amounts, each of which is compared with every other", () => {
    const amounts = (count: number) => Array.from({ length: count }, (_, i) => `${i}€`).join(" ");
    const checked = checkFaithfulness({ question: "How much?", answer: amounts(100), sources: [amounts(200)] });
    expect(checked.claims.length).toBe(1);
  });

  test("in a worker thread fails with the code and the reason", async () => {
    const failed = computing.run(faithfulness, material(6_667, 667), { firm: "a" });
    expect(await failed.catch((error: unknown) => error)).toMatchObject({ code: "input_too_costly", retryable: false });
  });

  test("is abandoned when its run is cancelled", async () => {
    const controller = new AbortController();
    const given = computing.run(faithfulness, material(900, 900), { firm: "a", signal: controller.signal });
    controller.abort(new Error("cancelled"));
    expect(await given.catch((error: Error) => error.message)).toBe("cancelled");
  });
});

test("every computation of an engine is known to the worker threads, with a budget", () => {
  const services = testServices();
  const engines = capabilities.map(({ engine }) => engineFrom(engine, services));
  const named = engines.flatMap((engine) => engine.computations ?? []);
  expect(named.filter((one) => !computations.includes(one))).toEqual([]);
  const withSome = engines.filter((engine) => engine.computations).map(({ identity }) => identity.name);
  expect(withSome).toEqual(["insurance-assistant", "afa-assurance", "exa-filter", "company-intelligence"]);
});

test("the page on engines lists the budget of every computation", async () => {
  const page = await Bun.file(new URL("../../docs/engines.md", import.meta.url)).text();
  for (const { name, budget } of computations)
    expect(page).toMatch(
      new RegExp(`\\| \`${name}\` +\\|[^|]+\\| ${budget.ms / 1_000} s +\\| ${budget.memory_mib} MiB`),
    );
});
