import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { phrases } from "../../src/products/capabilities/insurance-assistant/phrases.ts";
import type { AskResponse } from "../../src/products/insurance/schema.ts";
import { type Firm, World } from "../support/harness.ts";
import { importStarter } from "../support/starter.ts";

describe("questions that no passage can answer, however similar its words", () => {
  let world: World;
  let firm: Firm;
  beforeAll(async () => {
    world = await World.open(undefined, { capabilities });
    await world.openGates("insurance-assistant");
    await importStarter(world);
    firm = await world.firm();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  async function answerTo(question: string): Promise<AskResponse> {
    const response = await world.ask("/v1/insurance/ask", { as: firm.key, body: { question, country: "CZ" } });
    expect(response.status).toBe(200);
    return (await response.json()) as AskResponse;
  }

  test.each([
    ["Jaký je limit na jízdní kolo ve sklepě v pojištění domácnosti?", "WARN"],
    ["Jaký má Kooperativa limit na jízdní kolo ve sklepě v pojištění domácnosti?", "FAIL"],
    ["What is the limit for valuables in the locked home under household insurance?", "WARN"],
    ["What is the limit for valuables in the locked home under Aviva household insurance?", "FAIL"],
  ])("the terms of an insurer that no document names: %s", async (question, state) => {
    const { trust_state, sources } = await answerTo(question);
    expect(trust_state).toBe(state as AskResponse["trust_state"]);
    expect(sources.length > 0).toBe(state === "WARN");
  });

  test.each([
    "Na jaké číslo mám volat asistenční službu z ciziny?",
    "Which number do I call for the assistance service?",
  ])("a number to call, if the passages have none: %s", async (question) => {
    const { answer, ...rest } = await answerTo(question);
    expect(rest).toMatchObject({ trust_state: "FAIL", sources: [] });
    // A passage that is merely near is not named as the place to look.
    expect(answer).not.toContain("\n");
  });

  test.each([
    "Na kolik by mě ročně vyšlo havarijní pojištění?",
    "Kolik stojí pojištění domácnosti?",
    "Roughly how much a month is the home cover for a flat?",
  ])("a price that no document states: %s", async (question) => {
    expect(await answerTo(question)).toMatchObject({ trust_state: "FAIL", sources: [] });
  });

  test.each([
    ["cs", "Která pojišťovna je nejlepší?"],
    ["en", "Which insurance company should I choose?"],
  ] as const)("a recommendation (%s)", async (language, question) => {
    expect(await answerTo(question)).toMatchObject({ answer: phrases[language].no_advice, trust_state: "FAIL" });
  });
});
