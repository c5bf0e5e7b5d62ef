import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { marketValidator } from "../../../src/products/capabilities/market-validator/manifest.ts";
import { ScriptedEngine } from "../../support/engines.ts";
import type { Firm } from "../../support/harness.ts";
import { callTool } from "../../support/mcp-world.ts";
import {
  audienceOf,
  bicycles,
  expectSoundStudies,
  ordered,
  resultOf,
  validatorWorld,
} from "../../support/validator-world.ts";

const slug = "market-validator";
const input = { hypothesis: bicycles, market: "Česko" };

describe("many validations of one firm", () => {
  test("500 queued at once all reach a verdict, each charged once, and another firm's does not wait for them", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm({ credits: 200_000 }), await world.firm()];
    const audience_id = await audienceOf(world, firm, 5);
    const asked = Array.from({ length: 500 }, () => ordered(world, firm, { audience_id, decision_size: "S" }));
    const ids = await Promise.all(asked);
    const theirs = await world.accepted(other, { slug, input });
    // Each is awaited separately: all together exceed the harness's timeout on a busy machine.
    const ended = async (path: string, as: string) =>
      ((await (await world.ask(`${path}?wait=60`, { as })).json()) as { status: string }).status;
    expect(await ended(`/v1/runs/${theirs.id}`, other.key)).toBe("succeeded");
    for (const id of ids) expect(await ended(`/v1/runs/${id}`, firm.key)).toBe("succeeded");
    await world.idle();
    expect(new Set(ids).size).toBe(500);
    const { available, reserved } = await world.balance(firm);
    expect([available, reserved]).toEqual([200_000 - 500 * 5 * 25, 0]);
    const { countAll } = world.store.read.fn;
    const completed = await world.store.read
      .selectFrom("validations")
      .select(countAll<number>().as("n"))
      .where("firm_id", "=", firm.id)
      .where("verdict", "is not", null)
      .executeTakeFirstOrThrow();
    expect(completed.n).toBe(500);
    await expectSoundStudies(world);
  }, 600_000);
});

test("an audience deleted just after its study was accepted is treated as missing", async () => {
  let armed = "";
  await using world = await validatorWorld((current) => {
    if (armed === "") return;
    const file = new Database(current().store.file);
    file.run("pragma busy_timeout = 10000");
    file.run("delete from audiences where id = ?", [armed]);
    file.close();
    armed = "";
  });
  const firm = await world.firm();
  const audience_id = await audienceOf(world, firm);
  armed = audience_id;
  const { error } = await callTool(world, firm.key, "run_validation", { hypothesis: bicycles, audience_id });
  expect(error.code).toBe("not_found");
  await world.idle();
  // The study was accepted, so its run fails for the same reason.
  const runs = await world.store.read.selectFrom("runs").select("id").where("firm_id", "=", firm.id).execute();
  expect(runs).toHaveLength(1);
  expect((await world.run(firm, runs[0]?.id ?? "")).status_reason?.code).toBe("audience_not_found");
  expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  await expectSoundStudies(world);
});

test("a study whose run is cancelled while queued is completed without a verdict", async () => {
  const stuck = new ScriptedEngine(slug, { total: 1, perFirm: 1 });
  stuck.behave = () => new Promise(() => undefined);
  const sold = { ...marketValidator, engine: stuck };
  await using world = await validatorWorld(undefined, sold);
  const firm: Firm = await world.firm();
  const audience_id = await audienceOf(world, firm);
  const first = await ordered(world, firm, { audience_id });
  const second = await ordered(world, firm, { audience_id });
  for (const id of [first, second]) {
    await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key });
    const result = await resultOf(world, firm, id);
    expect(result).toMatchObject({
      status: "completed",
      outcome: "cancelled",
      verdict: null,
      error: { code: "cancelled", message: expect.stringContaining("before anyone was asked") },
    });
  }
  expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
});
