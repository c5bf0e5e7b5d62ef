import { describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { createLeases, leased, leaseTime } from "../../src/execution/leases.ts";
import { transitionOf } from "../../src/execution/transition.ts";
import { createWorker, type Handler } from "../../src/execution/worker.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { hang, succeed } from "../support/engines.ts";
import { until, World } from "../support/harness.ts";

/** One process at a time works on an effect, under a lease that expires unless renewed. */

const effects = (world: World) => unscoped(world.store.read).selectFrom("effects").selectAll().execute();

/** Creates a process on the world's store: its leases, and a worker with this handler. */
function process({ store, clock }: World, node: string, handler: Handler) {
  const log = createLog(systemRuntime, "debug", () => undefined);
  const leases = createLeases({ store, clock, log, node, generation: clock.id() });
  const worker = createWorker({ clock, log, limits: () => ({ total: 8, perFirm: 8 }), leases });
  worker.handle("test", handler);
  return {
    leases,
    worker,
    idle: () => until(() => worker.load().active + worker.load().waiting === 0, "nothing is running"),
  };
}

/** Adds an effect, due now and held by `owner`. */
async function addEffect({ store, clock }: World, owner: string, id = "actor:1") {
  const due_at = clock.now();
  const names = { actor_id: "actor", machine: "test", firm_id: "firm", kind: "work", engine: "echo" };
  const effect = { id, ...names, payload_json: "{}", due_at, ...leased(owner, due_at) };
  await store.commit(transitionOf({ effects: { add: [effect], remove: [] } }));
  return effect;
}

/** Returns a handler that runs until the test releases it. */
function work(world: World) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ended: string[] = [];
  const by =
    (name: string): Handler =>
    async (effect, control) => {
      begun.push(name);
      await Promise.race([promise, new Promise<void>((stop) => control.onAbort(stop))]);
      ended.push(control.aborted ? `${name} gave up` : name);
      if (!control.aborted) await world.store.commit(transitionOf({ guards: [{ guard: "effect", effect }] }));
      return [];
    };
  return { begun, ended, by, goOn: resolve };
}

describe("two processes on one store", () => {
  test("execute an effect once: the other one waits until the lease ends, and finds it done", async () => {
    await using world = await World.open();
    const { begun, by, goOn } = work(world);
    const [a, b] = [process(world, "a", by("a")), process(world, "b", by("b"))];
    const effect = await addEffect(world, a.leases.owner);
    a.worker.submit(effect);
    b.worker.submit(effect);
    await b.idle();
    expect(begun).toEqual(["a"]);
    expect(b.worker.load().sleeping).toBe(1);
    goOn();
    await a.idle();
    world.clock.advance(leaseTime);
    await b.idle();
    expect(begun).toEqual(["a"]);
    expect(b.worker.load().sleeping).toBe(0);
    expect(await effects(world)).toEqual([]);
  });

  test("leave it to the one that renews its lease, however long the work takes", async () => {
    await using world = await World.open();
    const { begun, by, goOn } = work(world);
    const [a, b] = [process(world, "a", by("a")), process(world, "b", by("b"))];
    const effect = await addEffect(world, a.leases.owner);
    a.worker.submit(effect);
    b.worker.submit(effect);
    await b.idle();
    for (let half = 1; half <= 10; half++) {
      world.clock.advance(leaseTime / 2);
      await until(async () => {
        const [row] = await effects(world);
        return row?.lease_until === world.clock.now() + leaseTime;
      }, "the lease is renewed");
      await b.idle();
    }
    expect(begun).toEqual(["a"]);
    goOn();
    await a.idle();
    expect(await effects(world)).toEqual([]);
  });

  test("hand it over when the lease is no longer renewed, and the former owner stops when it notices", async () => {
    await using world = await World.open();
    const { begun, ended, by, goOn } = work(world);
    const [a, b] = [process(world, "a", by("a")), process(world, "b", by("b"))];
    const effect = await addEffect(world, a.leases.owner);
    a.worker.submit(effect);
    b.worker.submit(effect);
    await b.idle();
    // As if the first process had been suspended for longer than its lease.
    const gone = { owner: a.leases.owner, lease_until: world.clock.now() };
    await world.store.write((tx) => unscoped(tx).updateTable("effects").set(gone).execute());
    expect((await b.leases.claim(effect)).held?.owner).toBe(b.leases.owner);
    world.clock.advance(leaseTime / 2);
    await a.idle();
    expect(ended).toEqual(["a gave up"]);
    b.worker.submit({ ...effect, owner: b.leases.owner, lease_until: world.clock.now() + leaseTime });
    await until(() => begun.length === 2, "the other one works");
    goOn();
    await b.idle();
    expect([begun, ended]).toEqual([
      ["a", "b"],
      ["a gave up", "b"],
    ]);
    expect(await effects(world)).toEqual([]);
  });
});

describe("a start", () => {
  test("takes over the effects of an earlier process on the same machine, and leaves another machine's", async () => {
    await using world = await World.open();
    const dead = process(world, "a", async () => []);
    const other = process(world, "b", async () => []);
    await addEffect(world, dead.leases.owner, "actor:1");
    await addEffect(world, other.leases.owner, "actor:2");
    const next = process(world, "a", async () => []);
    const taken = await next.leases.takeUp();
    expect(taken.map(({ id, owner }) => [id, owner])).toEqual([
      ["actor:1", next.leases.owner],
      ["actor:2", other.leases.owner],
    ]);
    const [, held] = taken;
    expect(held && (await next.leases.claim(held))).toEqual({ held_until: world.clock.now() + leaseTime });
  });

  test("with nothing to recover writes nothing", async () => {
    await using world = await World.open();
    const before = world.store.generation();
    expect(await process(world, "a", async () => []).leases.takeUp()).toEqual([]);
    expect(world.store.generation()).toBe(before);
  });

  test("after a kill during a step finishes it, charged once, without waiting for the lease to expire", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = hang;
    const { id } = await world.accepted(firm);
    await until(() => world.engines.echo.calls.length === 1, "the engine works");
    world.engines.echo.behave = succeed(350);
    await using restarted = await world.restart();
    await restarted.idle();
    expect(await restarted.run(firm, id)).toMatchObject({ status: "succeeded", charges: { charged_credits: 350 } });
  });
});

test("an ordinary step commits as often as without leases: on acceptance and on completion", async () => {
  let commits = 0;
  await using world = await World.open(() => void commits++);
  const firm = await world.firm();
  // The first use of the key is also written.
  await world.settled(firm);
  commits = 0;
  await world.settled(firm);
  expect(commits).toBe(2);
  world.engines.echo.atOnce = () => ({ result: { answer: "at once" } });
  commits = 0;
  await world.accepted(firm);
  expect(commits).toBe(1);
});

test("a step that takes longer than half a lease renews it once per half", async () => {
  let commits = 0;
  await using world = await World.open(() => void commits++);
  const firm = await world.firm();
  world.engines.echo.behave = hang;
  await world.accepted(firm);
  await until(() => world.engines.echo.calls.length === 1, "the engine works");
  const [before] = await effects(world);
  commits = 0;
  world.clock.advance(leaseTime / 2 - 1);
  expect(commits).toBe(0);
  world.clock.advance(1);
  await until(() => commits === 1, "the lease is renewed");
  const [after] = await effects(world);
  expect((after?.lease_until ?? 0) - (before?.lease_until ?? 0)).toBe(leaseTime / 2);
});
