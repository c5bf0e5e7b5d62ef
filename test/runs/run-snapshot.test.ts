import { expect, test } from "bun:test";
import { getShortestPaths } from "xstate/graph";
import { backfill, ensureCaughtUp } from "../../db/queries/derived.ts";
import { runsOf } from "../../db/queries/runs.ts";
import { type RunEvent, runMachine, type StepPlan } from "../../machines/run.ts";
import { present } from "../../src/platform/assert.ts";
import { newId, sha256Hex } from "../../src/platform/ids.ts";
import type { Plan, PricedStep } from "../../src/runs/accept.ts";
import { newRun } from "../../src/runs/accept.ts";
import { createRunActors, type RunActor } from "../../src/runs/actor.ts";
import type { Next } from "../../src/runs/next.ts";
import { snapshotOf } from "../../src/runs/snapshot.ts";
import { type Firm, World } from "../support/harness.ts";

/** The row is the snapshot: whatever way a run goes, its row and steps say what the statechart knows. */

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
    { type: "APPROVE", step },
    { type: "WITHHOLD", step },
  ]),
];

/** The events of every shortest way to a state of the statechart. */
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

test("on every way through the statechart, the row says what the statechart knows", async () => {
  await using world = await World.open();
  const { store, app, clock } = world;
  const actors = createRunActors({ keyring: app.parts.keyring, random: () => 0, providerShare: () => undefined });
  const firm = await world.firm({ credits: 10_000_000 });
  let compared = 0;
  for (const plan of plans)
    for (const way of waysOf(plan)) {
      const note = { at: clock.now(), actor: "test" };
      const told = { id: newId(), input_json: "{}", input_sha256: sha256Hex("{}"), at: note.at };
      const seen = await store.write(async (tx) => {
        const made = newRun(submission(firm, plan), told);
        const states: RunActor[] = [(await actors.create(tx, made, note, "wait")).actor];
        for (const event of way) {
          const before = present(states.at(-1), "the run so far");
          const moved = present(await actors.move(tx, before, event, note), "the move");
          if (moved.actor.row.finished_at !== null) break;
          states.push(moved.actor);
          expect(await actors.load(tx, told.id)).toEqual(moved.actor);
        }
        return states;
      });
      for (const { row, steps, snapshot } of seen) expect(snapshotOf(row, steps)).toBe(snapshot);
      compared += seen.length;
    }
  expect(compared).toBeGreaterThan(50);
}, 30_000);

test("who moves a run from an old state moves nothing", async () => {
  await using world = await World.open();
  const { store, app, clock } = world;
  const actors = createRunActors({ keyring: app.parts.keyring, random: () => 0, providerShare: () => undefined });
  const firm = await world.firm();
  const note = { at: clock.now(), actor: "test" };
  const told = { id: newId(), input_json: "{}", input_sha256: sha256Hex("{}"), at: note.at };
  const [plan = []] = plans;
  const { actor } = await store.write((tx) => actors.create(tx, newRun(submission(firm, plan), told), note, "start"));
  const event: RunEvent = { type: "STEP_SUCCEEDED", step: "a", credits: 350 };
  expect(await store.write((tx) => actors.move(tx, actor, event, note))).toBeDefined();
  expect(await store.write((tx) => actors.move(tx, actor, event, note))).toBeUndefined();
  expect(await world.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
});

test("a run that ended with its acceptance, one that did not and an index between them share a group", async () => {
  await using world = await World.open();
  const { store, app, clock } = world;
  const actors = createRunActors({ keyring: app.parts.keyring, random: () => 0, providerShare: () => undefined });
  const firm = await world.firm();
  const note = { at: clock.now(), actor: "test" };
  const [plan = []] = plans;
  const made = () =>
    newRun(submission(firm, plan), { id: newId(), input_json: "{}", input_sha256: sha256Hex("{}"), at: note.at });
  const event: RunEvent = { type: "STEP_SUCCEEDED", step: "a", credits: 350 };
  const ended = (run: Next) => present(actors.foresee(run, { event, note: { result: 1 } }, note), "its end");
  const [first, second, third] = [made(), made(), made()];
  const [firstEnd, thirdEnd] = [ended(first), ended(third)];
  await Promise.all([
    store.write((tx) => actors.complete(tx, firstEnd)),
    store.write((tx) => actors.create(tx, second, note, "start")),
    store.write((tx) => backfill(tx, "workspace_runs")),
    store.write((tx) => actors.complete(tx, thirdEnd)),
  ]);
  await ensureCaughtUp(store, "workspace_runs");
  const listed = await runsOf(store.read, { workspace_ids: firm.workspaces, limit: 10 });
  expect(listed.map(({ id }) => id)).toEqual([third, second, first].map(({ row }) => row.id));
});
