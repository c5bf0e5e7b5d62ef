import { describe, expect, test } from "bun:test";
import { minute } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { failFirst, hang, held, succeed } from "../support/engines.ts";
import { type Firm, freshKey, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

/** Finishes a run from any state: retries become due, and its approval is given. */
async function finish(world: World, firm: Firm, id: string): Promise<Run> {
  const token = world.tokenOf(firm.people.owner.id);
  await until(async () => {
    const { status } = await world.run(firm, id);
    if (status === "awaiting_approval")
      await world.ask(`/v1/runs/${id}/approval`, { as: token, body: { decision: "approve" } });
    world.clock.advance(10);
    return ["succeeded", "failed", "refused"].includes(status);
  }, "the run ends");
  await world.idle();
  return world.run(firm, id);
}

describe("a power cut", () => {
  test("after any commit of a run loses nothing and charges nothing twice", async () => {
    const left: string[] = [];
    let watching = false;
    await using world = await World.open((current) => void (watching && left.push(current().photograph())));
    const firm = await world.firm();
    world.engines.echo.behave = failFirst(1, succeed(400));
    world.engines.names.behave = succeed(600);
    watching = true;
    const { id } = await world.accepted(firm, { useCase: "triage" });
    const whole = await finish(world, firm, id);
    expect(whole.charges).toMatchObject({ charged_credits: 1_300, released_credits: 200 });
    expect(left.length).toBeGreaterThanOrEqual(6);
    for (const photograph of left) {
      await using restarted = await world.restart(photograph);
      const run = await finish(restarted, firm, id);
      expect(run).toMatchObject({ status: "succeeded", charges: whole.charges, result: whole.result });
      expect(await restarted.balance(firm)).toEqual({ available: 8_700, reserved: 0 });
      expect(await restarted.count("effects")).toBe(0);
      await expectSound(restarted.store);
    }
  });

  test("while an engine runs repeats the step with the same key, charged once", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    echo.behave = hang;
    const { id } = await world.accepted(firm);
    await until(() => echo.calls.length === 1, "the engine works");
    echo.behave = succeed(350);
    await using restarted = await world.restart();
    const run = await finish(restarted, firm, id);
    expect(run).toMatchObject({ status: "succeeded", charges: { charged_credits: 350 } });
    expect(echo.calls.map(({ context }) => context.stepKey)).toEqual([`${id}:echo`, `${id}:echo`]);
    expect(await restarted.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
  });

  test("while a run is queued starts it, or refuses it if its gate was closed meanwhile", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const line = held();
    world.engines.solo.behave = line.behave;
    const runs = await Promise.all([1, 2].map(() => world.accepted(firm, { slug: "solo" })));
    const open = world.photograph();
    await world.closeGate("solo");
    const closed = world.photograph();
    line.open();
    for (const [photograph, wanted] of [
      [open, "succeeded"],
      [closed, "refused"],
    ] as const) {
      await using restarted = await world.restart(photograph);
      expect((await finish(restarted, firm, runs[0]?.id ?? "")).status).toBe("succeeded");
      expect((await finish(restarted, firm, runs[1]?.id ?? "")).status).toBe(wanted);
      await expectSound(restarted.store);
    }
  });

  test("between two attempts keeps the attempt count and the pause", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    echo.behave = failFirst(99);
    const { id } = await world.settled(firm);
    await world.app.stop(0);
    await using restarted = await world.restart();
    expect(restarted.app.parts.worker.load().sleeping).toBe(1);
    for (let attempt = 2; attempt <= 5; attempt++) await restarted.nextAttempt(echo);
    await until(async () => (await restarted.run(firm, id)).status === "failed", "the run fails");
    expect((await restarted.run(firm, id)).steps[0]?.attempt).toBe(5);
  });

  test("after a finished run leaves nothing to do", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await world.settled(firm);
    await using restarted = await world.restart();
    expect(restarted.app.parts.worker.load()).toEqual({ active: 0, waiting: 0, sleeping: 0 });
    expect(await restarted.run(firm, run.id)).toEqual(run);
    expect(world.engines.echo.calls).toHaveLength(1);
  });
});

test("an effect executed twice concurrently charges and advances the run once", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const line = held(succeed(350));
  world.engines.echo.behave = line.behave;
  const { id } = await world.accepted(firm);
  await world.app.recover();
  await until(() => world.engines.echo.calls.length === 2, "both are at work");
  line.open();
  await world.idle();
  expect(await world.run(firm, id)).toMatchObject({ status: "succeeded", charges: { charged_credits: 350 } });
  expect(await world.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
  await expectSound(world.store);
});

test("an attempt executed twice concurrently that fails counts as one attempt", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const line = held(failFirst(99));
  world.engines.echo.behave = line.behave;
  const { id } = await world.accepted(firm);
  await world.app.recover();
  await until(() => world.engines.echo.calls.length === 2, "both are at work");
  line.open();
  await world.idle();
  expect((await world.run(firm, id)).steps[0]).toMatchObject({ status: "running", attempt: 2 });
  expect(await world.count("effects")).toBe(1);
});

test("100 runs of a killed process all finish after a restart, each charged once", async () => {
  await using world = await World.open();
  const firm = await world.firm({ credits: 100_000 });
  world.engines.echo.behave = hang;
  const runs = await Promise.all(Array.from({ length: 100 }, () => world.accepted(firm, { key: freshKey() })));
  world.engines.echo.behave = succeed(300);
  await using restarted = await world.restart();
  await restarted.idle();
  for (const { id } of runs) expect((await restarted.run(firm, id)).status).toBe("succeeded");
  expect(await restarted.balance(firm)).toEqual({ available: 70_000, reserved: 0 });
  await expectSound(restarted.store);
});

test("a step that finishes while the disk is full is written once there is space again, charged once", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const line = held();
  world.engines.echo.behave = async (...call) => {
    await line.behave(...call);
    return { result: { answer: "x".repeat(100_000) }, credits: 350 };
  };
  const { id } = await world.accepted(firm);
  const { page_count } = world.store.sqlite.query("pragma page_count").get() as { page_count: number };
  world.store.sqlite.run(`pragma max_page_count = ${page_count}`);
  line.open();
  await world.idle();
  expect((await world.run(firm, id)).status).toBe("running");
  expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 500 });
  world.store.sqlite.run("pragma max_page_count = 1000000");
  world.clock.advance(minute);
  await world.idle();
  expect((await world.run(firm, id)).status).toBe("succeeded");
  expect(await world.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
  await expectSound(world.store);
});
