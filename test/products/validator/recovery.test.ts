import { expect, test } from "bun:test";
import { until, type World } from "../../support/harness.ts";
import { expectSound } from "../../support/invariants.ts";
import { audienceOf, ordered, resultOf, validatorWorld } from "../../support/validator-world.ts";

const personasOf = (world: World, id: string) =>
  world.store.read.selectFrom("validation_personas").selectAll().where("validation_id", "=", id).execute();

test("a power cut after any commit of a study loses nothing, asks nothing twice and charges once", async () => {
  const left: string[] = [];
  let watching = false;
  await using world = await validatorWorld((current) => void (watching && left.push(current().photograph())));
  const firm = await world.firm();
  const audience_id = await audienceOf(world, firm, 20);
  watching = true;
  const id = await ordered(world, firm, { audience_id, decision_size: "L" });
  await world.idle();
  watching = false;
  const whole = await resultOf(world, firm, id);
  const personas = await personasOf(world, id);
  expect([whole.status, personas.length]).toEqual(["completed", 20]);
  // Accepted, opened, started, drawn, four batches, evaluated, charged; and the call's own count.
  expect(left.length).toBeGreaterThanOrEqual(10);
  const asked = new Set<number>();
  for (const photograph of left) {
    await using restarted = await world.restart(photograph);
    // Answers from before the cut are kept, and only the rest is asked after it.
    const before = (await personasOf(restarted, id)).filter(({ answer_json }) => answer_json !== null);
    asked.add(before.length);
    await until(async () => (await restarted.run(firm, id)).status === "succeeded", "the run ends");
    await restarted.idle();
    const after = await personasOf(restarted, id);
    expect(after).toEqual(personas);
    expect(after.slice(0, before.length)).toEqual(before);
    expect((await resultOf(restarted, firm, id)).report).toEqual(whole.report ?? null);
    expect(await restarted.balance(firm)).toEqual({ available: 8_000, reserved: 0 });
    expect(await restarted.count("effects")).toBe(0);
    await expectSound(restarted.store);
  }
  expect([...asked].sort((a, b) => a - b)).toEqual([0, 5, 10, 15, 20]);
}, 600_000);
