import { expect, test } from "bun:test";
import { createPool } from "../../src/execution/computing/pool.ts";
import { startThread, systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { until, World } from "../support/harness.ts";
import { testServices } from "../support/services.ts";

/** Opens a world whose check never ends: only its worker is the test's, the pool and the app are the product's. */
async function endless() {
  const computing = createPool({
    processors: 2,
    runtime: {
      ...systemRuntime,
      thread: (_, listener) =>
        startThread(new URL("../execution/threads/computing.ts", import.meta.url).href, listener),
    },
  });
  const services = testServices({ computing });
  const world = await World.open(undefined, { capabilities, useCases, stepEngines: {}, services });
  await world.openGates("exa-filter");
  return { world, computing };
}

const input = { question: "What?", answer: "The limit is 500 CZK. ".repeat(60), sources: ["The limit is 500 CZK."] };

test("cancelling a run stops its computation immediately and frees the pool", async () => {
  const { world, computing } = await endless();
  await using _ = world;
  const firm = await world.firm();
  const run = await world.accepted(firm, { slug: "exa-filter", input });
  await until(() => computing.load().active === 1, "the check is under way");
  const cancelled = await world.ask(`/v1/runs/${run.id}/cancel`, { as: firm.key, method: "POST" });
  expect(cancelled.ok).toBe(true);
  await until(() => computing.load().threads === 0, "its thread has ended");
  expect(computing.load()).toEqual({ active: 0, waiting: 0, threads: 0 });
  expect((await world.run(firm, run.id)).status).toBe("refused");
});
