import { expect, test } from "bun:test";
import { getShortestPaths } from "xstate/graph";
import { runsOf } from "../../db/queries/runs.ts";
import { backfill, ensureCaughtUp } from "../../db/queries/secondary-indexes.ts";
import { type RunEvent, runMachine, type StepPlan } from "../../machines/run.ts";
import { createHost } from "../../src/execution/host.ts";
import { createActorWatch } from "../../src/execution/watch.ts";
import { present } from "../../src/platform/assert.ts";
import { newId, sha256Hex } from "../../src/platform/ids.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import type { Plan, PricedStep } from "../../src/runs/accept.ts";
import { newRun } from "../../src/runs/accept.ts";
import { type EventContext, type RunState, runStatechart } from "../../src/runs/apply-event.ts";
import { decideNewRun } from "../../src/runs/decide.ts";
import { createRunKind } from "../../src/runs/kind.ts";
import { createRecentRuns } from "../../src/runs/recent.ts";
import { receiptType } from "../../src/runs/schema.ts";
import { createStepSealing } from "../../src/runs/sealing.ts";
import { snapshotOf } from "../../src/runs/snapshot.ts";
import { type Firm, World } from "../support/harness.ts";

/** The row is the snapshot: however a run proceeds, its row and steps contain the statechart's full state. */

const plans: readonly (readonly StepPlan[])[] = [
  [{ key: "a", maximum: 500, approval: false }],
  [{ key: "a", maximum: 0, approval: true }],
  [
    { key: "a", maximum: 500, approval: false },
    { key: "b", maximum: 700, approval: true },
  ],
];

const eventsFor = (plan: readonly StepPlan[]): RunEvent[] => [
  { type: "START" },
  { type: "REFUSE", reason: "insufficient_credits" },
  { type: "CANCEL" },
  ...plan.flatMap(({ key: step, maximum }): RunEvent[] => [
    { type: "STEP_SUCCEEDED", step, credits: Math.floor(maximum / 2) },
    { type: "STEP_FAILED", step, reason: "busy", retryable: true },
    { type: "STEP_FAILED", step, reason: "broken", retryable: false },
    { type: "APPROVE", step, approved: 1, of: 1 },
    { type: "APPROVE", step, approved: 2, of: 3 },
    { type: "WITHHOLD", step },
  ]),
];

/** Returns the events of every shortest path to a state of the statechart. */
const waysOf = (plan: readonly StepPlan[]): RunEvent[][] =>
  getShortestPaths(runMachine, {
    input: { steps: plan },
    events: eventsFor(plan),
    serializeState: ({ value, context }) => JSON.stringify({ value, context }),
    serializeEvent: (event) => JSON.stringify(event),
  }).map(({ steps }) => steps.map(({ event }) => event).filter((event) => !event.type.startsWith("xstate.")));

const priced = ({ key, maximum, approval }: StepPlan): PricedStep => ({
  key,
  capability: key,
  title: key,
  maximum_credits: maximum,
  requires_approval: approval,
});

function submission(firm: Firm, steps: readonly StepPlan[]) {
  const plan: Plan = {
    kind: "use_case",
    slug: "way",
    semantic_version: "1.0.0",
    steps: steps.map(priced),
    blocker: () => null,
    trial: null,
    spending: ["use-cases:run"],
  };
  const principal = {
    kind: "person" as const,
    user_id: firm.people.owner.id,
    firm_id: firm.id,
    role: "owner" as const,
    scopes: new Set<never>(),
    workspace_id: null,
    key_id: null,
    session_id: null,
    connection_id: null,
  };
  const [workspace_id] = firm.workspaces;
  return { principal, plan, input: {}, mode: "live" as const, workspace_id, surface: "rest", operation: "test" };
}

/** Decides and commits as the host does, without the worker. */
function moving({ store, app }: World) {
  const sealing = createStepSealing(systemRuntime, new Uint8Array(32));
  const rules = { runtime: { id: newId, random: () => 0 }, owner: "test", sealing, providerShare: () => undefined };
  const sign = (payload: string) => app.parts.keyring.sign(payload, receiptType);
  const host = createHost({ store, sign });
  const kind = createRunKind({ store, rules, recentRuns: createRecentRuns(), watch: createActorWatch() });
  return {
    kind,
    host,
    async accept(made: RunState, events: readonly RunEvent[], context: EventContext) {
      const applied = await host.commit(kind, decideNewRun(made, events, context, rules));
      if (applied.refused) throw new Error(applied.refused);
      return applied.state;
    },
  };
}

const given = (at: number) => ({ id: newId(), input_json: "{}", input_sha256: sha256Hex("{}"), at });

test("on every path through the statechart, the row contains the statechart's state", async () => {
  await using world = await World.open();
  const { kind, host, accept } = moving(world);
  const firm = await world.firm({ credits: 10_000_000 });
  let compared = 0;
  for (const plan of plans)
    for (const way of waysOf(plan)) {
      const context = { at: world.clock.now(), actor: "test" };
      let run = await accept(newRun(submission(firm, plan), given(context.at)), [], context);
      let snapshot = runStatechart.initial({ steps: plan }).snapshot;
      for (const event of way) {
        const stepped = runStatechart.next(snapshot, event);
        snapshot = stepped.snapshot;
        const decision = present(kind.decide(run, [event], context), "a decision");
        const applied = await host.commit(kind, decision);
        if (applied.refused) throw new Error(applied.refused);
        run = applied.state;
        expect(await kind.load(run.row.id)).toEqual(run);
        if (stepped.done) break;
        expect(snapshotOf(run.row, run.steps)).toBe(snapshot);
        compared++;
      }
    }
  expect(compared).toBeGreaterThan(50);
}, 600_000);

test("a decision from an outdated state is refused, and its retry changes nothing twice", async () => {
  await using world = await World.open();
  const { kind, host, accept } = moving(world);
  const firm = await world.firm();
  const context = { at: world.clock.now(), actor: "test" };
  const [plan = []] = plans;
  const run = await accept(newRun(submission(firm, plan), given(context.at)), [{ type: "START" }], context);
  const event: RunEvent = { type: "STEP_SUCCEEDED", step: "a", credits: 350 };
  const decision = present(kind.decide(run, [event], context), "a decision");
  expect((await host.commit(kind, decision)).refused).toBeUndefined();
  expect((await host.commit(kind, decision)).refused).toBe("stale_revision");
  expect(await host.deliver(kind, { id: run.row.id, known: run, events: [event], context })).toBeUndefined();
  expect(await world.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
});

test("an inline run, an ordinary run and an index update between them share a group commit", async () => {
  await using world = await World.open();
  const { accept } = moving(world);
  const { store } = world;
  const firm = await world.firm();
  const context = { at: world.clock.now(), actor: "test" };
  const [plan = []] = plans;
  const made = () => newRun(submission(firm, plan), given(context.at));
  const start: RunEvent = { type: "START" };
  const ended: RunEvent[] = [start, { type: "STEP_SUCCEEDED", step: "a", credits: 350 }];
  const [first, second, third] = [made(), made(), made()];
  const [one] = await Promise.all([
    accept(first, ended, { ...context, result: 1 }),
    accept(second, [start], context),
    store.write((tx) => backfill(tx, "workspace_runs")),
    accept(third, ended, { ...context, result: 1 }),
  ]);
  expect(one.row.status).toBe("succeeded");
  await ensureCaughtUp(store, "workspace_runs");
  const listed = await runsOf(store.read, { workspace_ids: firm.workspaces, limit: 10 });
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([third, second, first].map(({ row }) => row.id)));
});
