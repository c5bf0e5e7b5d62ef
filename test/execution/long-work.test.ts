import { describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { EngineError } from "../../src/contracts/engine.ts";
import { fan } from "../../src/execution/fan.ts";
import type { Run } from "../../src/runs/schema.ts";
import { type Behaviour, catalogueOf, hang, scriptedEngines, succeed } from "../support/engines.ts";
import { until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

/** Long steps: many parts, each completed once, with a deadline on inactivity. */

const checkpoints = async (world: World): Promise<number> =>
  (await unscoped(world.store.read).selectFrom("checkpoints").selectAll().execute()).length;

/** A study in three parts; each records its completion, and the second waits for the test. */
function study() {
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const part = (name: string) => async () => {
    done.push(name);
    if (name === "b") await promise;
    return { name, at: done.length };
  };
  const behave: Behaviour = async (_, context) => {
    const parts = [];
    for (const name of ["a", "b", "c"]) parts.push(await context.checkpoint(name, part(name)));
    return { result: { answer: JSON.stringify(parts) } };
  };
  return { done, behave, goOn: resolve };
}

describe("a checkpoint", () => {
  test("is reused after a crash, and deleted with the step", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { done, behave, goOn } = study();
    world.engines.echo.behave = behave;
    const { id } = await world.accepted(firm);
    await until(() => done.length === 2, "the second part is running");
    const photograph = world.photograph();
    goOn();
    await world.idle();
    const first = await world.run(firm, id);
    expect(first.result).toEqual({
      answer: JSON.stringify([
        { name: "a", at: 1 },
        { name: "b", at: 2 },
        { name: "c", at: 3 },
      ]),
    });
    expect(await checkpoints(world)).toBe(0);
    await using restarted = await world.restart(photograph);
    expect(await checkpoints(restarted)).toBe(1);
    await restarted.idle();
    const again = await restarted.run(firm, id);
    expect(done).toEqual(["a", "b", "c", "b", "c"]);
    expect(JSON.parse((again.result as { answer: string }).answer)[0]).toEqual({ name: "a", at: 1 });
    expect(again.charges).toEqual(first.charges);
    expect(await checkpoints(restarted)).toBe(0);
    await expectSound(restarted.store);
  });

  test("is deleted when its step fails permanently or its run is cancelled", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    let paid = 0;
    echo.behave = async (_, context, call) => {
      await context.checkpoint("paid", async () => ++paid);
      if (call === 1) throw Object.assign(new Error("later"), {});
      return hang(_, context, call);
    };
    const failed = await world.settled(firm);
    expect([failed.status, paid, await checkpoints(world)]).toEqual(["failed", 1, 0]);
    const { id } = await world.accepted(firm);
    await until(() => paid === 2, "the part is done");
    expect((await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" })).status).toBe(202);
    await world.idle();
    expect(await checkpoints(world)).toBe(0);
  });

  test("is deleted with its step even if a later attempt never read it", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = async (_, context, call) => {
      if (call > 1) throw new Error("for good");
      await context.checkpoint("paid", async () => "a page");
      throw new EngineError("step_failed", "Later.", true);
    };
    const { id } = await world.accepted(firm);
    await until(async () => (await world.run(firm, id)).steps[0]?.attempt === 2, "another attempt");
    expect(await checkpoints(world)).toBe(1);
    world.clock.advance(60_000);
    await world.idle();
    expect((await world.run(firm, id)).status).toBe("failed");
    expect(await checkpoints(world)).toBe(0);
  });

  test("of a part that finishes after its run was cancelled is not written", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { promise, resolve } = Promise.withResolvers<void>();
    let written: Promise<unknown> = Promise.resolve();
    world.engines.echo.behave = async (input, context, call) => {
      written = context.checkpoint("slow", () => promise);
      written.catch(() => undefined);
      return hang(input, context, call);
    };
    const { id } = await world.accepted(firm);
    await until(() => world.engines.echo.calls.length === 1, "the part is running");
    expect((await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" })).status).toBe(202);
    resolve();
    await Promise.allSettled([written]);
    await world.idle();
    expect(await checkpoints(world)).toBe(0);
  });
});

describe("a fan-out", () => {
  const signal = new AbortController().signal;

  test("keeps the order of the items and the limit on concurrency", async () => {
    let active = 0;
    let most = 0;
    const results = await fan(
      Array.from({ length: 30 }, (_, i) => i),
      async (item) => {
        most = Math.max(most, ++active);
        await new Promise<void>((resolve) => setImmediate(resolve));
        active--;
        return item * 2;
      },
      { concurrency: 4, signal },
    );
    expect(results).toEqual(Array.from({ length: 30 }, (_, i) => i * 2));
    expect(most).toBe(4);
  });

  test("starts nothing more after a failure or an abort, and reports the first failure", async () => {
    const started: number[] = [];
    const failing = fan(
      [0, 1, 2, 3, 4, 5],
      async (item) => {
        started.push(item);
        if (item === 1) throw new Error("one failed");
      },
      { concurrency: 2, signal },
    );
    await expect(failing).rejects.toThrow("one failed");
    expect(started.length).toBeLessThan(6);
    await expect(fan([1], async () => 1, { concurrency: 1, signal: AbortSignal.abort("stopped") })).rejects.toBe(
      "stopped",
    );
  });
});

test("an inactive attempt is aborted before its deadline, and one that reports progress continues", async () => {
  const engines = scriptedEngines();
  Object.assign(engines.echo, { idle_ms: 1_000 });
  await using world = await World.open(undefined, catalogueOf(engines));
  const firm = await world.firm();
  let alive: () => Promise<unknown> = async () => undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  engines.echo.behave = async (input, context, call) => {
    let n = 0;
    alive = () => context.checkpoint(`part ${n++}`, async () => null);
    await promise;
    return succeed()(input, context, call);
  };
  const { id } = await world.accepted(firm);
  await until(() => engines.echo.calls.length === 1, "the engine works");
  for (let i = 0; i < 5; i++) {
    world.clock.advance(900);
    await alive();
  }
  expect((await world.run(firm, id)).status).toBe("running");
  resolve();
  await world.idle();
  expect((await world.run(firm, id)).status).toBe("succeeded");
  engines.echo.behave = hang;
  const silent = await world.accepted(firm);
  await until(() => engines.echo.calls.length === 2, "the engine is asked");
  world.clock.advance(1_001);
  await until(async () => (await world.run(firm, silent.id)).steps[0]?.attempt === 2, "another attempt");
});

test("a running step shows its engine's progress in the run and in the list, until it finishes", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.engines.echo.behave = async (input, context, call) => {
    context.progress?.("reading", 3, 12);
    await promise;
    return succeed()(input, context, call);
  };
  const { id } = await world.accepted(firm);
  await until(() => world.engines.echo.calls.length === 1, "the engine works");
  const shown = { status: "running", progress: { stage: "reading", completed: 3, total: 12 } };
  expect((await world.run(firm, id)).steps).toMatchObject([shown]);
  const list = (await (await world.ask("/v1/runs", { as: firm.key })).json()) as { items: Run[] };
  expect(list.items[0]?.steps).toMatchObject([shown]);
  resolve();
  await world.idle();
  expect((await world.run(firm, id)).steps).toMatchObject([{ status: "succeeded", progress: null }]);
});

describe("a step's own input", () => {
  const withInputs = (input: (given: unknown, earlier: Readonly<Record<string, unknown>>) => unknown) => {
    const engines = scriptedEngines();
    const { useCases, ...sold } = catalogueOf(engines);
    const steps = useCases[0]?.steps.slice(0, 1) ?? [];
    const second = { ...steps[0], key: "second", capability: "solo", title: "Second", maximum_credits: 500 };
    const mapped = [...steps, { ...second, requires_approval: false, input }];
    return { engines, ...sold, useCases: useCases.map((one) => ({ ...one, steps: mapped })) };
  };

  test("is computed from the use case's input and the results of earlier steps", async () => {
    const { engines, ...sold } = withInputs((given, earlier) => ({
      text: `${(given as { text: string }).text} and ${(earlier.company as { answer: string }).answer}`,
    }));
    await using world = await World.open(undefined, sold);
    const firm = await world.firm();
    const run = await world.settled(firm, { useCase: "triage" });
    expect(run.status).toBe("succeeded");
    expect(engines.solo.calls.map(({ input }) => input)).toEqual([{ text: "hello and yes" }]);
  });

  test("fails its step before the engine is called if it does not match the step's schema", async () => {
    const { engines, ...sold } = withInputs(() => ({ text: "" }));
    await using world = await World.open(undefined, sold);
    const firm = await world.firm();
    const run = await world.settled(firm, { useCase: "triage" });
    expect([run.status, run.status_reason?.code]).toEqual(["failed", "step_input_invalid"]);
    expect(run.charges).toMatchObject({ charged_credits: 500, released_credits: 500 });
    expect(engines.solo.calls).toEqual([]);
    await expectSound(world.store);
  });
});
