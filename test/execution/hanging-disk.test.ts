import { expect, test } from "bun:test";
import { openThreadedStore } from "../../db/sqlite/connection.ts";
import { succeed } from "../support/engines.ts";
import { hangingDisk } from "../support/hanging-disk.ts";
import { freshKey, runIn, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

/**
 * Runs on a disk that hangs for longer than any timeout and then resumes, so that writes of unknown outcome succeed
 * after all.
 */

/** Opens a world whose app writes in a separate thread, to a disk that the test can block. */
async function opened() {
  const before = await World.open();
  const firm = await before.firm();
  const disk = hangingDisk(before.clock);
  const store = openThreadedStore(before.store.file, { runtime: disk.runtime, onFailure: () => undefined });
  const world = await before.reopen(0, { store });
  const close = async () => {
    await world.app.stop(0);
    await store.close();
    await world[Symbol.asyncDispose]();
  };
  return { world, firm, disk, [Symbol.asyncDispose]: close };
}

test("a run whose acceptance a hanging disk writes late is found by the retry, and finishes", async () => {
  await using here = await opened();
  const { world, firm, disk } = here;
  world.engines.echo.behave = succeed(300);
  const key = freshKey();
  disk.hang();
  const first = world.start(firm, { key });
  await until(() => disk.waiting() > 0, "the run waits for the disk");
  world.clock.advance(30_000);
  expect((await first).status).toBe(503);
  disk.goOn();
  await until(async () => (await world.count("runs")) === 1, "the run is written");
  const again = await world.start(firm, { key });
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
  const { id } = await runIn(again);
  await until(async () => (await world.run(firm, id)).status === "succeeded", "the run ends");
  await world.idle();
  expect(await world.balance(firm)).toEqual({ available: 9_700, reserved: 0 });
  expect(await world.count("effects")).toBe(0);
  await expectSound(world.store);
});

test("a run whose step a hanging disk writes late is shown correctly, and continues with the next step", async () => {
  await using here = await opened();
  const { world, firm, disk } = here;
  // The first use of a key is also recorded, in its own transaction.
  await world.settled(firm);
  world.engines.echo.calls.length = 0;
  world.engines.echo.behave = async (input, context, call) => {
    disk.hang();
    return succeed(400)(input, context, call);
  };
  const { id } = await world.accepted(firm, { useCase: "triage" });
  await until(() => disk.waiting() === 1, "the step's outcome waits for the disk");
  world.clock.advance(30_000);
  await until(() => world.logged.some((line) => line.includes("an effect was not carried out")), "it is given up");
  disk.goOn();
  await until(async () => (await world.run(firm, id)).status === "awaiting_approval", "the run continues");
  world.clock.advance(60_000);
  await world.idle();
  expect(world.engines.echo.calls).toHaveLength(1);
  await expectSound(world.store);
});
