import { describe, expect, test } from "bun:test";
import { clearQuota, setQuota } from "../../db/queries/entitlements.ts";
import type { Run } from "../../src/runs/schema.ts";
import { crash, held, invalidOutput, succeed } from "../support/engines.ts";
import { freshKey, refusal, runIn, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { type Scenario, scenarios } from "../support/scenario.ts";

const stepOf = ({ steps: [step] }: Run) => {
  if (!step) throw new Error("the run has no step");
  return step;
};

const accepting: Scenario[] = [
  {
    name: "a run is accepted with 202 and its engine's charge is settled",
    given: async ({ world }) => {
      world.engines.echo.behave = succeed(350);
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
    headers: { "idempotency-replayed": null },
    shows: ['"status":"running"', '"reserved_credits":500', '"charged_credits":0'],
    ledger: { available: -350, reserved: 0 },
  },
  {
    name: "a run whose engine names no charge costs its price",
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
    ledger: { available: -500, reserved: 0 },
  },
  {
    name: "a run without enough credits is refused and not charged",
    given: async ({ world, firm }) => {
      for (let i = 0; i < 19; i++) await world.settled(firm);
    },
    ask: ({ world, firm }) => world.start(firm, { useCase: "triage" }),
    status: 202,
    shows: ['"status":"refused"', '"code":"insufficient_credits"', '"reserved_credits":0', '"charged_credits":0'],
  },
  {
    name: "a price above maximum_credits is refused with price_exceeds_maximum",
    ask: ({ world, firm }) => world.start(firm, { with: { maximum_credits: 499 } }),
    status: 409,
    code: "price_exceeds_maximum",
  },
  {
    name: "a price equal to maximum_credits is accepted",
    ask: ({ world, firm }) => world.start(firm, { with: { maximum_credits: 500 } }),
    status: 202,
    ledger: { available: -500, reserved: 0 },
  },
  {
    name: "a closed platform gate returns 503 capability_runs_disabled with Retry-After",
    given: ({ world }) => world.closeGate("platform"),
    ask: ({ world, firm }) => world.start(firm),
    status: 503,
    code: "capability_runs_disabled",
    headers: { "retry-after": "60" },
  },
  {
    name: "a closed capability gate returns 503 capability_runs_disabled",
    given: ({ world }) => world.closeGate("echo"),
    ask: ({ world, firm }) => world.start(firm),
    status: 503,
    code: "capability_runs_disabled",
  },
  {
    name: "an engine that is not ready returns 503 capability_runs_disabled",
    given: async ({ world }) => {
      world.engines.echo.unready = "canary: no data";
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 503,
    code: "capability_runs_disabled",
    hides: ["canary"],
  },
  {
    name: "a use case with a closed commercial gate returns 409 without Retry-After",
    ask: ({ world, firm }) => world.start(firm, { useCase: "commercial" }),
    status: 409,
    code: "commercial_validation_required",
    headers: { "retry-after": null },
  },
  {
    name: "a trial of a capability without trials returns 409 trial_not_available",
    ask: ({ world, firm }) => world.start(firm, { slug: "solo", with: { mode: "trial" } }),
    status: 409,
    code: "trial_not_available",
  },
  {
    name: "a trial costs the trial's price",
    ask: ({ world, firm }) => world.start(firm, { with: { mode: "trial" } }),
    status: 202,
    shows: ['"mode":"trial"', '"maximum_credits":40'],
    ledger: { available: -40, reserved: 0 },
  },
  {
    name: "an exhausted monthly quota returns 402 before any work starts",
    given: async ({ world, firm }) => {
      const quota = { firm_id: firm.id, capability: "echo", monthly_runs: 0, changed_at: world.clock.now() };
      await world.store.write((tx) => setQuota(tx, quota));
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 402,
    code: "quota_exceeded",
    afterwards: async ({ world }) => {
      expect(world.engines.echo.calls).toHaveLength(0);
      expect(await world.count("runs")).toBe(0);
    },
  },
  {
    name: "a capability that the firm is not entitled to returns 403 missing_scope",
    ask: ({ world, firm }) => world.start(firm, { slug: "entitled" }),
    status: 403,
    code: "missing_scope",
    paths: ["/header/authorization"],
    headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    shows: ["needs a firm with the entitlement distribution:read"],
  },
  {
    name: "another firm's private capability returns 404",
    ask: ({ world, firm }) => world.start(firm, { slug: "hidden" }),
    status: 404,
    code: "not_found",
  },
  {
    name: "another firm's workspace returns 404",
    ask: ({ world, firm, other }) => world.start(firm, { with: { workspace_id: other.workspaces[0] } }),
    status: 404,
    code: "not_found",
    paths: ["/body/workspace_id"],
  },
  {
    name: "an engine's output that does not match its contract is not delivered and not charged",
    given: async ({ world }) => {
      world.engines.echo.behave = invalidOutput;
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
    afterwards: async ({ world, firm }, answer) => {
      const run = await world.run(firm, (JSON.parse(answer) as Run).id);
      expect(run).toMatchObject({ status: "failed", status_reason: { code: "engine_output_invalid" }, result: null });
      expect(stepOf(run).result).toBeNull();
    },
  },
  {
    name: "an engine that charges more than the maximum is not paid at all",
    given: async ({ world }) => {
      world.engines.echo.behave = succeed(501);
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
    afterwards: async ({ world, firm }, answer) => {
      const run = await world.run(firm, (JSON.parse(answer) as Run).id);
      expect(run).toMatchObject({ status: "failed", status_reason: { code: "charge_above_maximum" }, result: null });
    },
  },
  {
    name: "an engine that charges a fraction of a credit is not paid at all",
    given: async ({ world }) => {
      world.engines.echo.behave = succeed(0.5);
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
  },
  {
    name: "an engine's exception is logged and not shown to the caller",
    given: async ({ world }) => {
      world.engines.echo.behave = crash("canary-in-a-stack");
    },
    ask: ({ world, firm }) => world.start(firm),
    status: 202,
    afterwards: async ({ world, firm }, answer) => {
      const shown = await world.ask(`/v1/runs/${(JSON.parse(answer) as Run).id}`, { as: firm.key });
      const text = await shown.text();
      expect(text).toContain('"code":"engine_failed"');
      expect(text).not.toContain("canary");
      expect(world.logged.join("")).toContain("canary-in-a-stack");
    },
  },
];
describe("accepting a run", () => scenarios(accepting));

describe("idempotency", () => {
  test("32 identical concurrent submissions create one run", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 32 }, () => world.start(firm, { key })));
    const runs = await Promise.all(answers.map(runIn));
    expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(202));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter((a) => a.headers.get("idempotency-replayed") === null)).toHaveLength(1);
    await world.idle();
    expect(world.engines.echo.calls).toHaveLength(1);
    expect(await world.count("runs")).toBe(1);
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 0 });
    await expectSound(world.store);
  });

  test("a reused key with another input returns 409 idempotency_conflict and creates nothing", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    await world.settled(firm, { key });
    const others = [{ input: { text: "other" } }, { with: { mode: "trial" } }, { with: { maximum_credits: 600 } }];
    for (const other of [...others, { slug: "solo" }])
      expect(await refusal(await world.start(firm, { key, ...other }))).toEqual([409, "idempotency_conflict"]);
    expect(await world.count("runs")).toBe(1);
  });

  test("accepted, refused and conflicting requests of one turn do not affect each other", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const taken = freshKey();
    await world.settled(firm, { key: taken });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        if (i % 4 === 1) return world.start(firm, { key: taken, input: { text: `other ${i}` } });
        if (i % 4 === 2) return world.start(firm, { with: { maximum_credits: 1 } });
        return world.start(i % 4 === 0 ? firm : other);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => [202, 409, 409, 202][i % 4] ?? 0));
    await world.idle();
    expect(await world.balance(firm)).toEqual({ available: 4_500, reserved: 0 });
    expect(await world.balance(other)).toEqual({ available: 5_000, reserved: 0 });
    await expectSound(world.store);
  });

  test("the order of an input's properties does not matter for its key", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    const first = await world.accepted(firm, { key, input: { text: "a", note: "b" } });
    const second = await world.start(firm, { key, input: { note: "b", text: "a" } });
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect((await runIn(second)).id).toBe(first.id);
  });

  test("a replay returns the same run after its gate was closed and after a restart", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    const { id } = await world.settled(firm, { key });
    await world.closeGate("platform");
    await using restarted = await world.restart();
    for (const now of [world, restarted]) expect((await now.accepted(firm, { key })).id).toBe(id);
  });

  test("a refused request does not claim its key", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    await world.closeGate("echo");
    expect(await refusal(await world.start(firm, { key }))).toEqual([503, "capability_runs_disabled"]);
    expect(await refusal(await world.start(firm, { key, input: {} }))).toEqual([422, "validation_error"]);
    await world.openGates("echo");
    const accepted = await world.start(firm, { key });
    expect([accepted.status, accepted.headers.get("idempotency-replayed")]).toEqual([202, null]);
  });

  test("one firm's key does not conflict with another's", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const key = freshKey();
    const ids = [await world.accepted(firm, { key }), await world.accepted(other, { key, input: { text: "mine" } })];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });
});

describe("usage limits", () => {
  test("trials are counted per firm and refused with 402 when exhausted", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const trial = { with: { mode: "trial" } };
    for (let i = 0; i < 2; i++) expect((await world.settled(firm, trial)).status).toBe("succeeded");
    const spent = await world.start(firm, trial);
    expect([spent.status, (await spent.json()) as object]).toMatchObject([
      402,
      {
        error: {
          code: "quota_exceeded",
          details: [{ path: "/body/mode", message: expect.stringContaining("live mode") }],
        },
      },
    ]);
    expect((await world.start(other, trial)).status).toBe(202);
  });

  test("a refused trial is refunded", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 0 });
    for (let i = 0; i < 4; i++)
      expect((await world.settled(firm, { with: { mode: "trial" } })).status_reason?.code).toBe("insufficient_credits");
  });

  test("an exhausted quota starts no work, and a key still returns the run that it created before", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    let worked = 0;
    world.engines.echo.atOnce = (input) => {
      worked++;
      return { result: input, engine: world.engines.echo.identity };
    };
    const quota = { firm_id: firm.id, capability: "echo", monthly_runs: 1, changed_at: world.clock.now() };
    await world.store.write((tx) => setQuota(tx, quota));
    const key = freshKey();
    const made = await world.accepted(firm, { key });
    expect(await refusal(await world.start(firm))).toEqual([402, "quota_exceeded"]);
    const again = await world.start(firm, { key });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
    expect(await again.json()).toMatchObject({ id: made.id });
    expect(await refusal(await world.start(firm, { key, input: { text: "other" } }))).toEqual([
      409,
      "idempotency_conflict",
    ]);
    expect([worked, await world.count("runs")]).toEqual([1, 1]);
  });

  test("a monthly quota counts the month's earlier runs, and cancelling one makes room for one", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { behave, open } = held();
    world.engines.solo.behave = behave;
    const start = () => world.start(firm, { slug: "solo" });
    const [first, ...queued] = await Promise.all([1, 2, 3, 4].map(async () => runIn(await start())));
    const limit = (monthly_runs: number) =>
      world.store.write((tx) =>
        setQuota(tx, { firm_id: firm.id, capability: "solo", monthly_runs, changed_at: world.clock.now() }),
      );
    await limit(4);
    expect(await refusal(await start())).toEqual([402, "quota_exceeded"]);
    for (const { id } of queued) {
      expect((await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key })).status).toBe(202);
      expect((await start()).status).toBe(202);
      expect(await refusal(await start())).toEqual([402, "quota_exceeded"]);
    }
    open();
    await world.idle();
    expect(await world.run(firm, first?.id ?? "")).toMatchObject({ status: "succeeded" });
    await expectSound(world.store);
  });

  test("a monthly quota resets with the next month", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const quota = { firm_id: firm.id, capability: "echo", monthly_runs: 1, changed_at: world.clock.now() };
    await world.store.write((tx) => setQuota(tx, quota));
    await world.settled(firm);
    expect(await refusal(await world.start(firm))).toEqual([402, "quota_exceeded"]);
    expect((await world.start(firm, { slug: "solo" })).status).toBe(202);
    world.clock.advance(Date.parse("2026-04-01T00:00:00Z") - world.clock.now());
    expect((await world.start(firm)).status).toBe(202);
    await world.store.write((tx) => clearQuota(tx, firm.id, "echo"));
    expect((await world.start(firm)).status).toBe(202);
  });
});
