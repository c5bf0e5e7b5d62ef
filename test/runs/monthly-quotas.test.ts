import { describe, expect, test } from "bun:test";
import { anybody } from "../../db/queries/limits.ts";
import { limitMonthly, limitRuns } from "../../src/accounts/admin/permissions.ts";
import type { MonthlyName } from "../../src/execution/usage/quota.ts";
import { present } from "../../src/platform/assert.ts";
import type { UseCaseManifest } from "../../src/registry/contract.ts";
import { capability, failForGood, hang, ScriptedEngine, succeed, useCase } from "../support/engines.ts";
import { type Firm, freshKey, refusal, until, World } from "../support/harness.ts";

const slugs = { "company-analyses": "company-intelligence", "insurance-questions": "insurance-assistant" } as const;

/** Returns a use case with one step of the capability. */
const around = (slug: string): UseCaseManifest => ({
  ...useCase(`with-${slug}`, "available"),
  steps: [{ key: "only", capability: slug, title: "Only", maximum_credits: 500, requires_approval: false }],
});

/** Opens an installation that sells both, with engines that the test controls and this monthly quota. */
async function open(monthly: number) {
  const engines = Object.values(slugs).map((slug) => new ScriptedEngine(slug));
  const world = await World.open(undefined, {
    capabilities: engines.map((engine) => capability(engine.identity.name, { engine, max_trials: 5 })),
    useCases: Object.values(slugs).map(around),
    stepEngines: {},
  });
  await world.openGates(...Object.values(slugs), ...Object.values(slugs).map((slug) => `with-${slug}`));
  const act = { actor: "operator", at: world.clock.now() };
  for (const name of Object.keys(slugs) as MonthlyName[])
    await world.store.write((tx) => limitMonthly(tx, act, { firm_id: anybody, subject: anybody, name }, monthly));
  return { world, engines };
}

const input = { text: "hello" };
async function saved(world: World, firm: Firm, slug: string) {
  const body = { name: "mine", capability: slug, input };
  const { id } = (await (await world.ask("/v1/saved-configurations", { as: firm.key, body })).json()) as { id: string };
  return (key = freshKey()) =>
    world.ask(`/v1/saved-configurations/${id}/runs`, {
      as: firm.key,
      method: "POST",
      headers: { "idempotency-key": key },
    });
}

describe.each(Object.entries(slugs))("the monthly quota of %s", (_name, slug) => {
  test("is shared by capability runs, use cases and saved configurations", async () => {
    const { world } = await open(3);
    await using _ = world;
    const firm = await world.firm();
    const configured = await saved(world, firm, slug);
    const key = freshKey();
    expect((await world.start(firm, { slug, key })).status).toBe(202);
    expect((await world.start(firm, { useCase: `with-${slug}` })).status).toBe(202);
    expect((await configured()).status).toBe(202);
    for (const refused of [
      await world.start(firm, { slug }),
      await world.start(firm, { slug, with: { mode: "trial" } }),
      await world.start(firm, { useCase: `with-${slug}` }),
      await configured(),
    ])
      expect(await refusal(refused)).toEqual([402, "quota_exceeded"]);
    expect((await world.start(firm, { slug, key })).headers.get("idempotency-replayed")).toBe("true");
  });

  test("is not consumed by refused or replayed requests", async () => {
    const { world } = await open(1);
    await using _ = world;
    const firm = await world.firm({ credits: 0 });
    const poor = await world.settled(firm, { slug });
    expect(poor.status).toBe("refused");
    expect((await world.start(firm, { slug, input: {} })).status).toBe(422);
    const key = freshKey();
    expect((await world.start(firm, { slug, key, with: { mode: "trial" } })).status).toBe(202);
    expect((await world.start(firm, { slug, key, with: { mode: "trial" } })).status).toBe(202);
  });

  test("is per person for requests without a key", async () => {
    const { world } = await open(1);
    await using _ = world;
    const firm = await world.firm();
    const { owner, member } = firm.people;
    expect((await world.start(firm, { slug, as: member.token })).status).toBe(202);
    expect(await refusal(await world.start(firm, { slug, as: member.token }))).toEqual([402, "quota_exceeded"]);
    expect((await world.start(firm, { slug, as: owner.token })).status).toBe(202);
  });
});

describe("a use is refunded", () => {
  test("if its run fails, or ends before anything was done", async () => {
    const { world, engines } = await open(1);
    await using _ = world;
    const firm = await world.firm();
    const engine = present(engines[0], "the engine of company analyses");
    engine.behave = failForGood;
    expect((await world.settled(firm, { slug: "company-intelligence" })).status).toBe("failed");
    engine.behave = succeed();
    expect((await world.settled(firm, { slug: "company-intelligence" })).status).toBe("succeeded");
    expect(await refusal(await world.start(firm, { slug: "company-intelligence" }))).toEqual([402, "quota_exceeded"]);
  });

  test("but not if the caller cancels after work has started", async () => {
    const { world, engines } = await open(1);
    await using _ = world;
    const firm = await world.firm();
    const engine = present(engines[0], "the engine of company analyses");
    engine.behave = hang;
    const { id } = await world.accepted(firm, { slug: "company-intelligence" });
    await until(() => engine.calls.length === 1, "it is worked on");
    expect((await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" })).status).toBe(202);
    expect(await refusal(await world.start(firm, { slug: "company-intelligence" }))).toEqual([402, "quota_exceeded"]);
  });
});

test("a firm's quota is not consumed by a run refused for insufficient credits", async () => {
  await using world = await World.open();
  const firm = await world.firm({ credits: 500 });
  const act = { actor: "operator", at: world.clock.now() };
  await world.store.write((tx) => limitRuns(tx, act, firm.id, "echo", 2));
  expect((await world.settled(firm)).status).toBe("succeeded");
  for (let i = 0; i < 3; i++) expect((await world.settled(firm)).status).toBe("refused");
});
