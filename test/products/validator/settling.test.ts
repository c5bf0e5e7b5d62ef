import { describe, expect, test } from "bun:test";
import { validationById } from "../../../db/queries/validations.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { marketValidatorEngine } from "../../../src/products/capabilities/market-validator/engine.ts";
import { marketValidator } from "../../../src/products/capabilities/market-validator/manifest.ts";
import { type Firm, refusal, until, type World } from "../../support/harness.ts";
import { audienceOf, expectSoundStudies, ordered, resultOf, validatorWorld } from "../../support/validator-world.ts";

/**
 * Opens a world in which a study's result reaches its run only when the test allows it: the gap in which a crash may
 * occur.
 */
async function heldWorld() {
  const weighed = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const engine: typeof marketValidatorEngine = (services) => {
    const real = marketValidatorEngine(services);
    return {
      ...real,
      async run(input, context) {
        const outcome = await real.run(input, context);
        weighed.resolve();
        await told.promise;
        return outcome;
      },
    };
  };
  const world = await validatorWorld(undefined, { ...marketValidator, engine });
  return { world, weighed: weighed.promise, tell: told.resolve };
}

const report = (world: World, firm: Firm, study_id: string) =>
  world.ask("/v1/validator/usage", { as: firm.key, body: { study_id } });

const stored = ({ store }: World, id: string) => validationById.first(unscoped(store.read), { id });

const peopleOf = async (world: World, firm: Firm, id: string) => {
  const page = await world.ask(`/v1/validator/validations/${id}`, { as: firm.key });
  return ((await page.json()) as { people: unknown[] }).people;
};

describe("a study that is evaluated but not settled by its run", () => {
  test("is still running: neither its verdict nor any answer is shown, and nothing is charged", async () => {
    const { world, weighed, tell } = await heldWorld();
    await using _ = world;
    const firm = await world.firm();
    const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm) });
    await weighed;
    const result = await resultOf(world, firm, id);
    expect(result).toMatchObject({ status: "running", outcome: null, verdict: null, confidence: null, summary: null });
    expect(result).toMatchObject({ report: null, charged_credits: 0, progress: { completed: 10, total: 10 } });
    expect(await peopleOf(world, firm, id)).toEqual([]);
    expect(await refusal(await report(world, firm, id))).toEqual([422, "validation_error"]);
    await expectSoundStudies(world);
    tell();
  });

  test("is completed without a verdict, and not charged, when its run is cancelled", async () => {
    const { world, weighed, tell } = await heldWorld();
    await using _ = world;
    const firm = await world.firm();
    const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm) });
    await weighed;
    expect((await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key })).status).toBe(202);
    tell();
    await world.idle();
    const error = { code: "cancelled", message: expect.stringContaining("before its verdict was delivered") };
    const without = { verdict: null, confidence: null, summary: null, report: null, charged_credits: 0, error };
    expect(await resultOf(world, firm, id)).toMatchObject({ status: "completed", outcome: "cancelled", ...without });
    expect(await stored(world, id)).toMatchObject({ verdict: null, summary: null, report_json: null });
    expect(await peopleOf(world, firm, id)).toEqual([]);
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    await expectSoundStudies(world);
  });

  test("is completed with its run, before it is read", async () => {
    const { world, weighed, tell } = await heldWorld();
    await using _ = world;
    const firm = await world.firm();
    const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm) });
    await weighed;
    tell();
    await world.idle();
    expect((await world.run(firm, id)).charges.charged_credits).toBe(500);
    await until(async () => (await stored(world, id))?.status === "completed", "the study is completed");
    expect((await report(world, firm, id)).status).toBe(200);
    expect((await resultOf(world, firm, id)).charged_credits).toBe(500);
    expect((await peopleOf(world, firm, id)).length).toBe(10);
    await expectSoundStudies(world);
  });
});
