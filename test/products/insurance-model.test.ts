import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Engine } from "../../src/contracts/engine.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { createModels } from "../../src/integrations/models/models.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { problems } from "../../src/platform/validate.ts";
import { insuranceAssistant } from "../../src/products/capabilities/insurance-assistant/manifest.ts";
import { InsuranceAssistantOutput } from "../../src/products/capabilities/insurance-assistant/schema.ts";
import { engineFrom } from "../../src/registry/services.ts";
import { World } from "../support/harness.ts";
import { endpointAt, failureOf } from "../support/model-fixtures.ts";
import { ModelServer } from "../support/model-server.ts";
import { testServices } from "../support/services.ts";
import { importStarter } from "../support/starter.ts";

const server = new ModelServer();
let world: World;
let engine: Engine;

beforeAll(async () => {
  world = await World.open();
  await importStarter(world);
  const outbound = createOutbound({ runtime: systemRuntime, allow_private: [server.host] });
  const models = createModels({ language: endpointAt(server), capabilities: ["insurance-assistant"] }, outbound);
  engine = engineFrom(insuranceAssistant.engine, testServices({ models }, world.store));
});
afterAll(async () => {
  await server.stop();
  await world[Symbol.asyncDispose]();
});

const asked = { question: "Jaká je spoluúčast při odcizení vozidla?", country: "CZ" };
const context = () => ({
  signal: new AbortController().signal,
  stepKey: "test",
  firm: "test",
  now: () => new Date(world.clock.now()),
  random: () => 0.5,
  earlier: {},
});
const run = async (input: unknown = asked) => (await engine.run(input, unhostedContext(context()))).result;

/** A passage as it was shown to the model, with its number. */
interface Shown {
  readonly passages: readonly { readonly number: number; readonly text: string }[];
}
const shownIn = (): Shown => JSON.parse(String(server.sent.at(-1)?.body.messages.at(-1)?.content)) as Shown;
const draft = (text: string, passage: number, disagreeing_passages: readonly number[] = []) => ({
  says: { sentences: [{ text, passage }], disagreeing_passages },
});

/** Returns the number of the passage about the excess, taken from the request to the model. */
async function passageOfExcess(): Promise<number> {
  server.will({ says: { sentences: [], disagreeing_passages: [] } });
  await run();
  return (
    shownIn().passages.find(({ text }) => text.includes("Při odcizení vozidla činí spoluúčast 10 %"))?.number ?? -1
  );
}

describe("the insurance assistant with a model", () => {
  test("has the answer in the model's words, with the source of each sentence", async () => {
    const passage = await passageOfExcess();
    expect(passage).toBeGreaterThanOrEqual(0);
    server.will(draft("Při odcizení vozidla je spoluúčast 10 %.", passage));
    const result = await run();
    expect(problems(InsuranceAssistantOutput, result, "")).toEqual([]);
    expect(result).toMatchObject({
      answer: expect.stringContaining("Při odcizení vozidla je spoluúčast 10 %. [1]"),
      trust_state: "WARN",
      sources: [{ provenance: "sample", title: expect.stringContaining("SYNTHETIC") }],
    });
    expect(engine.identity.model).toBe("judge-7b");
  });

  test("a sentence that its passage does not support is refused, with one retry", async () => {
    const passage = await passageOfExcess();
    const wrong = draft("Při odcizení vozidla je spoluúčast 25 %.", passage);
    server.will(wrong, draft("Při odcizení vozidla je spoluúčast 10 %.", passage));
    expect(await run()).toMatchObject({ answer: expect.stringContaining("10 %") });
    server.will(wrong);
    expect(await failureOf(run())).toMatchObject({ code: "model_output_invalid", retryable: false });
  });

  test("a passage that was not shown can't be cited", async () => {
    server.will(draft("Při odcizení vozidla je spoluúčast 10 %.", 99));
    expect(await failureOf(run())).toMatchObject({ code: "model_output_invalid" });
  });

  test("a model that finds no answer in the passages gives FAIL without sources", async () => {
    server.will({ says: { sentences: [], disagreeing_passages: [] } });
    // The passage that the model saw is still named as the place to look.
    const place = "- Pojistné podmínky havarijního pojištění vozidel (SYNTHETIC), Článek 3 Spoluúčast, 3.1–3.3";
    expect(await run()).toMatchObject({ trust_state: "FAIL", sources: [], answer: expect.stringContaining(place) });
  });

  test("the model is not asked without evidence, or for a recommendation", async () => {
    server.will(draft("Ano.", 0));
    for (const question of ["Kolik stojí jízdenka do Brna?", "Která pojišťovna je nejlepší?"])
      expect(await run({ ...asked, question })).toMatchObject({ trust_state: "FAIL", sources: [] });
    expect(server.sent).toEqual([]);
  });

  test.each(["OK.", "Ignoring the rules as I was told.", "Pojišťovna vždy zaplatí všechno."])(
    "whatever the material makes the model say (%p), only statements supported by a passage are answers",
    async (text) => {
      server.will(draft(text, 0));
      expect(await failureOf(run())).toMatchObject({ code: "model_output_invalid" });
      expect(server.sent.length).toBe(2);
    },
  );

  test("a temporary failure of the endpoint makes the step retryable", async () => {
    server.will({ status: 503 });
    expect(await failureOf(run())).toMatchObject({ code: "model_unavailable", retryable: true });
  });
});
