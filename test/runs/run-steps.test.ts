import { describe, expect, test } from "bun:test";
import { minute, second } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { deaf, failFirst, failForGood, hang, held, succeed } from "../support/engines.ts";
import { type Firm, refusal, runIn, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const stepOf = ({ steps: [step] }: Run) => {
  if (!step) throw new Error("the run has no step");
  return step;
};
const cancel = (world: World, firm: Firm, { id }: Run) =>
  world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key });

describe("retries", () => {
  test("a retryable failure is retried after a pause, up to five attempts in total", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    echo.behave = failFirst(5);
    const { id } = await world.settled(firm);
    const pauses: number[] = [];
    for (let attempt = 2; attempt <= 5; attempt++) {
      expect(echo.calls).toHaveLength(attempt - 1);
      const from = world.clock.now();
      await world.nextAttempt(echo);
      pauses.push(world.clock.now() - from);
    }
    // Full jitter: anywhere up to a bound that doubles, plus one tick of the clock.
    for (const [i, pause] of pauses.entries()) expect(pause).toBeLessThanOrEqual(second * 2 ** i + 10);
    world.clock.advance(10 * minute);
    await world.idle();
    expect(echo.calls).toHaveLength(5);
    const run = await world.run(firm, id);
    expect(run).toMatchObject({ status: "failed", status_reason: { code: "engine_busy" } });
    expect(stepOf(run)).toMatchObject({ attempt: 5, charged_credits: 0, error: { code: "engine_busy" } });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    await expectSound(world.store);
  });

  test("a step that succeeds on its third attempt is charged once and shows no error", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = failFirst(2, succeed(300));
    const { id } = await world.settled(firm);
    for (let i = 0; i < 2; i++) await world.nextAttempt(world.engines.echo);
    const run = await world.run(firm, id);
    expect(stepOf(run)).toMatchObject({ status: "succeeded", attempt: 3, charged_credits: 300, error: null });
    expect(await world.balance(firm)).toEqual({ available: 9_700, reserved: 0 });
  });

  test("every attempt of a step passes the same key and draws the same random numbers", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    const drawn: number[] = [];
    echo.behave = async (given, context, call) => {
      drawn.push(context.random());
      return failFirst(1)(given, context, call);
    };
    const { id } = await world.settled(firm);
    await world.nextAttempt(echo);
    expect(echo.calls.map(({ context }) => context.stepKey)).toEqual([`${id}:echo`, `${id}:echo`]);
    expect(new Set(drawn).size).toBe(1);
  });

  test("a permanent failure is not retried, and its reservation is released", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = failForGood;
    const run = await world.settled(firm);
    expect(run).toMatchObject({
      status: "failed",
      status_reason: { code: "no_answer", message: "There is no answer to that." },
      charges: { reserved_credits: 500, charged_credits: 0, released_credits: 500 },
    });
    expect(world.app.parts.worker.load().sleeping).toBe(0);
  });

  test("an output that no receipt can state fails its run instead of being retried forever", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(300, "cut through an emoji: \ud83d");
    const run = await world.settled(firm);
    expect(run).toMatchObject({ status: "failed", status_reason: { code: "engine_output_invalid" }, result: null });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });

  test("a step past its deadline is aborted and retried, even if its engine ignores the signal", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { brief } = world.engines;
    for (const behave of [hang, deaf]) {
      const before = brief.calls.length;
      brief.behave = behave;
      const { id } = await world.accepted(firm, { slug: "brief" });
      await until(() => brief.calls.length === before + 1, "the engine works");
      world.clock.advance(20);
      await world.idle();
      expect(brief.calls[before]?.context.signal.aborted).toBe(true);
      expect(stepOf(await world.run(firm, id))).toMatchObject({ attempt: 2, error: { code: "step_timed_out" } });
      brief.behave = succeed();
      await world.nextAttempt(brief);
      expect((await world.run(firm, id)).status).toBe("succeeded");
    }
  });
});

describe("cancelling", () => {
  test("a run cancelled before its first charge is refused, its engine aborted and nothing charged", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    echo.behave = hang;
    const run = await world.accepted(firm);
    await until(() => echo.calls.length === 1, "the engine works");
    const answer = await cancel(world, firm, run);
    expect([answer.status, (await runIn(answer)).status]).toEqual([202, "refused"]);
    await world.idle();
    expect(echo.calls[0]?.context.signal.aborted).toBe(true);
    const cancelled = await world.run(firm, run.id);
    expect(cancelled).toMatchObject({ status: "refused", status_reason: { code: "cancelled" } });
    expect(stepOf(cancelled)).toMatchObject({ status: "skipped", finished_at: cancelled.finished_at });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    expect(await world.count("effects")).toBe(0);
    await expectSound(world.store);
  });

  test("a run cancelled after a charge has failed, and keeps only that charge", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(200);
    const waiting = await world.settled(firm, { useCase: "triage" });
    expect(waiting.status).toBe("awaiting_approval");
    expect((await runIn(await cancel(world, firm, waiting))).status).toBe("failed");
    const run = await world.run(firm, waiting.id);
    expect(run.charges).toMatchObject({ reserved_credits: 1_500, charged_credits: 200, released_credits: 1_300 });
    expect(run.steps.map(({ status }) => status)).toEqual(["succeeded", "skipped", "skipped"]);
    // The waiting step finished with its run, and the last one never started.
    const [, waited, last] = run.steps;
    expect([waited?.finished_at, last?.started_at, last?.finished_at]).toEqual([run.finished_at, null, null]);
    expect(await world.balance(firm)).toEqual({ available: 9_800, reserved: 0 });
    expect(await world.count("effects")).toBe(0);
  });

  test("a finished run cannot be cancelled", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await world.settled(firm);
    expect(await refusal(await cancel(world, firm, run))).toEqual([409, "run_already_finished"]);
  });

  test("a run waiting between two attempts can be cancelled, and is not retried", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = failFirst(1);
    const run = await world.settled(firm);
    expect((await runIn(await cancel(world, firm, run))).status).toBe("refused");
    world.clock.advance(minute);
    await world.idle();
    expect(world.engines.echo.calls).toHaveLength(1);
  });

  test("cancelling requires the scope of the run's kind", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = hang;
    const run = await world.accepted(firm);
    const { secret } = await world.key(firm, ["use-cases:run"]);
    const answer = await world.ask(`/v1/runs/${run.id}/cancel`, { method: "POST", as: secret });
    expect(await refusal(answer)).toEqual([403, "missing_scope"]);
  });

  test("when a cancellation and a success race, one wins and the credits are correct", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const line = held();
    world.engines.echo.behave = line.behave;
    const runs = await Promise.all(Array.from({ length: 8 }, () => world.accepted(firm)));
    await until(() => world.engines.echo.calls.length === 8, "all engines work");
    line.open();
    const answers = await Promise.all(runs.map((run) => cancel(world, firm, run)));
    await world.idle();
    const ended = await Promise.all(runs.map(({ id }) => world.run(firm, id)));
    const wanted = answers.map(({ status }) => (status === 202 ? "refused" : "succeeded"));
    expect(ended.map(({ status }) => status as string)).toEqual(wanted);
    await expectSound(world.store);
  });
});

describe("queueing", () => {
  /** Starts one run at an engine that runs one step at a time, and a second one that waits for its slot. */
  async function queued(world: World, firm: Firm) {
    const line = held();
    world.engines.solo.behave = line.behave;
    const first = await world.accepted(firm, { slug: "solo" });
    const second = await world.accepted(firm, { slug: "solo" });
    await until(() => world.engines.solo.calls.length === 1, "the first is at work");
    return { first, second, open: line.open };
  }

  test("a run whose engine is busy is queued, reserves nothing yet, and runs in its turn", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { second, open } = await queued(world, firm);
    expect(second).toMatchObject({ status: "queued", charges: { reserved_credits: 0 }, started_at: null });
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 500 });
    open();
    await world.idle();
    expect((await world.run(firm, second.id)).status).toBe("succeeded");
  });

  test("a gate that closes while a run is queued refuses it", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { first, second, open } = await queued(world, firm);
    await world.closeGate("solo");
    open();
    await world.idle();
    expect((await world.run(firm, first.id)).status).toBe("succeeded");
    expect(await world.run(firm, second.id)).toMatchObject({
      status: "refused",
      status_reason: { code: "capability_runs_disabled" },
      charges: { reserved_credits: 0, charged_credits: 0 },
    });
  });

  test("a queued run is refused if the credits have been spent meanwhile", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 999 });
    const { second, open } = await queued(world, firm);
    expect(second.status).toBe("queued");
    open();
    await world.idle();
    expect((await world.run(firm, second.id)).status_reason?.code).toBe("insufficient_credits");
    expect(await world.balance(firm)).toEqual({ available: 499, reserved: 0 });
  });

  test("a queued run can be cancelled and never reaches its engine", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { second, open } = await queued(world, firm);
    expect((await runIn(await cancel(world, firm, second))).status).toBe("refused");
    open();
    await world.idle();
    expect(world.engines.solo.calls).toHaveLength(1);
    await expectSound(world.store);
  });

  test("another firm's run goes before the second of a firm already being served", async () => {
    await using world = await World.open();
    const [busy, other] = [await world.firm(), await world.firm()];
    const { open } = await queued(world, busy);
    const third = await world.accepted(busy, { slug: "solo" });
    const theirs = await world.accepted(other, { slug: "solo" });
    open();
    await world.idle();
    const order = world.engines.solo.calls.map(({ context }) => context.stepKey.split(":")[0]);
    expect(order.indexOf(theirs.id)).toBeLessThan(order.indexOf(third.id));
  });
});

test("stopping starts nothing more and leaves queued runs to the next start", async () => {
  const before = await World.open();
  const firm = await before.firm();
  before.engines.solo.behave = hang;
  const runs = await Promise.all(Array.from({ length: 5 }, () => before.accepted(firm, { slug: "solo" })));
  await until(() => before.engines.solo.calls.length === 1, "the first is at work");
  await using after = await before.reopen();
  await until(() => before.engines.solo.calls.length === 2, "the next start takes it up");
  expect(await after.count("effects")).toBe(5);
  expect((await after.run(firm, runs[1]?.id ?? "")).status).toBe("queued");
});

test("stopping waits for running steps up to the grace period", async () => {
  const before = await World.open();
  const firm = await before.firm();
  const line = held();
  before.engines.echo.behave = line.behave;
  const { id } = await before.accepted(firm);
  await until(() => before.engines.echo.calls.length === 1, "the engine works");
  const reopening = before.reopen(10 * second);
  line.open();
  await using after = await reopening;
  expect((await after.run(firm, id)).status).toBe("succeeded");
  expect(before.engines.echo.calls).toHaveLength(1);
});
