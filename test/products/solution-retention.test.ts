import { expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { day } from "../../src/platform/clock.ts";
import { createSolutionRetention } from "../../src/products/architect/retention.ts";
import { askArchitect, begun, openArchitect, told } from "../support/architect-world.ts";
import type { Firm, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const email = "reader@example.com";

const kept = async (world: World): Promise<string[]> => {
  await world.app.parts.solutionRetention.idle();
  const rows = await unscoped(world.store.read).selectFrom("solutions").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
};

const save = (world: World, firm: Firm, solution_id: string) =>
  told(askArchitect(world, firm, "unlock", { solution_id, email, consent: true }));

test("a solution is deleted a set number of days after its last change, for every firm and with its address", async () => {
  await using world = await openArchitect({ solutionRetentionDays: 30 });
  await world.app.recover();
  const [one, two] = [await world.firm(), await world.firm()];
  const old = await begun(world, one);
  const renewed = await begun(world, two);
  const saved = await begun(world, two);
  await save(world, two, saved.solution_id);
  world.clock.advance(20 * day);
  await save(world, two, renewed.solution_id);
  world.clock.advance(10 * day - 1);
  expect(await kept(world)).toEqual([old, renewed, saved].map(({ solution_id }) => solution_id).sort());

  for (let days = 0; days < 2; days++) {
    world.clock.advance(day);
    await kept(world);
  }
  expect(await kept(world)).toEqual([renewed.solution_id]);
  expect((await askArchitect(world, one, "compose", { solution_id: old.solution_id })).status).toBe(404);
  expect((await askArchitect(world, two, "compose", { solution_id: renewed.solution_id })).status).toBe(200);
  expect(world.logged.join("\n")).toContain("deleted solutions at the end of their retention");
  await expectSound(world.store);
});

test("more than a page of them are deleted at the next start, and none if no retention is set", async () => {
  await using world = await openArchitect();
  const firm = await world.firm();
  for (let i = 0; i < 120; i++) await begun(world, firm);
  world.clock.advance(4_000 * day);
  const young = (await begun(world, firm)).solution_id;
  await world.app.recover();
  expect(await kept(world)).toHaveLength(121);
  await world.app.parts.solutionRetention.stop();
  const { log } = world.app.parts;
  const retention = createSolutionRetention({ store: world.store, runtime: world.clock, log, days: 365 });
  retention.start();
  await retention.idle();
  expect(await kept(world)).toEqual([young]);
  await retention.stop();
});
