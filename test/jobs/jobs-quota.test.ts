import { afterAll, describe, expect, test } from "bun:test";
import { anybody } from "../../db/queries/limits.ts";
import { limitMonthly, unlimitMonthly } from "../../src/accounts/admin/permissions.ts";
import { monthlyLimit } from "../../src/execution/usage/quota.ts";
import { day } from "../../src/platform/clock.ts";
import { type Firm, freshKey, refusal, type World } from "../support/harness.ts";
import { openJobs } from "../support/jobs-world.ts";
import { Installation } from "../support/operator.ts";

const name = "company-analyses" as const;

/** Sets a quota as the operator does, or removes it if null. */
function limit(world: World, monthly: number | null, firm_id = anybody, subject = anybody): Promise<boolean> {
  const act = { actor: "operator", at: world.clock.now() };
  const key = { firm_id, subject, name };
  return world.store.write((tx) =>
    monthly === null ? unlimitMonthly(tx, act, key) : limitMonthly(tx, act, key, monthly),
  );
}

async function keyId(world: World, firm: Firm): Promise<string> {
  return (await world.app.parts.identity.byApiKey(firm.key))?.key_id ?? "";
}

describe("the monthly quota of company analyses", () => {
  test("counts each key's new analyses, and refuses with 402 before any work starts", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    const sister = await world.key(firm, ["company:analyze"]);
    await limit(world, 2);
    const key = freshKey();
    const first = await jobs.accepted(firm, { key });
    await jobs.accepted(firm);
    expect(await refusal(await jobs.submit(firm))).toEqual([402, "quota_exceeded"]);
    expect(await jobs.accepted(firm, { key })).toBe(first);
    expect((await jobs.submit(firm, { as: sister.secret })).status).toBe(202);
    await world.idle();
    expect(jobs.engine.calls).toHaveLength(3);
  });

  test("admits exactly as many concurrent requests as are left", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    await limit(world, 5);
    const answers = await Promise.all(Array.from({ length: 40 }, () => jobs.submit(firm)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(35);
    await world.idle();
    expect(jobs.engine.calls).toHaveLength(5);
  });

  test("is shared by the dedicated route and runs of the capability", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    await limit(world, 2);
    await jobs.accepted(firm);
    expect((await world.start(firm, { slug: "company-intelligence" })).status).toBe(202);
    expect(await refusal(await world.start(firm, { slug: "company-intelligence" }))).toEqual([402, "quota_exceeded"]);
    expect(await refusal(await jobs.submit(firm))).toEqual([402, "quota_exceeded"]);
  });

  test("resets with the calendar month", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    await limit(world, 1);
    await jobs.accepted(firm);
    world.clock.advance(30 * day);
    expect(await refusal(await jobs.submit(firm))).toEqual([402, "quota_exceeded"]);
    world.clock.advance(day);
    expect((await jobs.submit(firm)).status).toBe(202);
  });

  test("of a key precedes its firm's, which precedes the installation's; without any there is none", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const [firm, other] = [await world.firm(), await world.firm()];
    const subject = `key:${await keyId(world, firm)}`;
    const most = (firm_id = firm.id) => monthlyLimit(world.store.read, { firm_id, subject, name });
    expect(await most()).toBeNull();
    await limit(world, 100);
    await limit(world, 7, other.id);
    expect([await most(), await most(other.id)]).toEqual([100, 7]);
    await limit(world, 20, firm.id);
    expect(await most()).toBe(20);
    await limit(world, 0, firm.id, subject);
    expect(await most()).toBe(0);
    expect(await refusal(await jobs.submit(firm))).toEqual([402, "quota_exceeded"]);
    await limit(world, null, firm.id, subject);
    await limit(world, null, firm.id);
    expect(await most()).toBe(100);
  });

  test("set during a month counts earlier uses", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    for (let i = 0; i < 3; i++) await jobs.accepted(firm);
    await limit(world, 3);
    expect(await refusal(await jobs.submit(firm))).toEqual([402, "quota_exceeded"]);
  });
});

describe("`assay admin quotas`", () => {
  const installation = new Installation();
  afterAll(() => installation[Symbol.asyncDispose]());
  const quotas = (...args: string[]) => installation.run("admin", "quotas", ...args);
  type Quota = { capability: string; for: string; monthly_runs: number };
  const json = (...args: string[]) => installation.json<Quota[]>("admin", "quotas", ...args);

  test("sets, shows and clears the monthly quota of a key, a firm's keys and all keys", async () => {
    await installation.init();
    const [key] = await installation.json<{ id: string; prefix: string }[]>("admin", "keys", "list");
    await json("set", name, "--runs", "100", "--everywhere");
    await json("set", name, "--runs", "50");
    const all = await json("set", name, "--runs", "5", "--key", key?.prefix ?? "");
    expect(all).toMatchObject([
      { capability: name, for: "each key", monthly_runs: 50 },
      { capability: name, for: `key:${key?.id}`, monthly_runs: 5 },
      { capability: name, for: "each key of every firm", monthly_runs: 100 },
    ]);
    expect((await quotas("list")).out).toContain("each key of every firm");
    expect(await json("used")).toEqual([]);
    await json("clear", name, "--key", key?.id ?? "");
    await json("clear", name);
    expect(await json("list")).toMatchObject([{ for: "each key of every firm" }]);
    expect(await json("clear", name, "--everywhere")).toEqual([]);
    const [newest] = await installation.json<{ action: string; firm_id: null }[]>(
      "admin",
      "audit",
      "list",
      "--limit",
      "1",
    );
    expect(newest).toMatchObject({ action: "limit.cleared", firm_id: null });
  });

  test.each([
    ["another firm's or an unknown key", ["set", name, "--runs", "1", "--key", "nonsense"]],
    ["a person for a quota per key", ["set", name, "--runs", "1", "--user", "owner@acme.test"]],
    ["both a firm and every firm", ["set", name, "--runs", "1", "--firm", "acme", "--everywhere"]],
    ["a key for a capability's runs", ["set", "exa-filter", "--runs", "1", "--key", "nonsense"]],
    ["an unknown name", ["set", "nonsense", "--runs", "1"]],
  ])("refuses %s with exit code 2", async (_, args) => {
    expect((await quotas(...args)).code).toBe(2);
  });

  test("refuses a negative quota with exit code 2, and changes nothing", async () => {
    const { code, err } = await quotas("set", name, "--runs", "-1");
    expect([code, err]).toEqual([2, expect.stringContaining("must be a whole number of at least 0")]);
    expect(await json("list")).toEqual([]);
  });
});
