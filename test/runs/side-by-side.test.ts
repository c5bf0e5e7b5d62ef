import { describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { createRegistry } from "../../src/registry/registry.ts";
import {
  type Behaviour,
  catalogueOf,
  failFirst,
  failForGood,
  held,
  scriptedEngines,
  succeed,
} from "../support/engines.ts";
import { until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { sendDecision } from "../support/shortlist.ts";

/**
 * A use case with parallel steps: `company` and `names` need nothing, `names` awaits approval, and `report` needs both.
 * At most 1,500 credits.
 */
function sideBySide() {
  const engines = scriptedEngines();
  const { useCases, ...sold } = catalogueOf(engines);
  const apart = useCases.map((one) => ({
    ...one,
    steps: one.steps.map((step) => (step.key === "report" ? step : { ...step, needs: [] })),
  }));
  return { engines, ...sold, useCases: apart };
}

const start = { useCase: "triage" } as const;
const statuses = ({ steps }: { steps: readonly { status: string }[] }) => steps.map(({ status }) => status);

/** Completes one part as a checkpoint, and then behaves like `then`. */
const withPart =
  (parts: string[], name: string, then: Behaviour): Behaviour =>
  async (input, context, call) => {
    await context.checkpoint(name, async () => parts.push(name));
    return then(input, context, call);
  };

async function opened() {
  const { engines, ...sold } = sideBySide();
  const world = await World.open(undefined, sold);
  return { engines, world, firm: await world.firm() };
}

describe("parallel steps", () => {
  test("run concurrently, each with its own progress, and approval is requested when both have finished", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    const [company, names] = [held(), held()];
    const reporting =
      (stage: string, then: Behaviour): Behaviour =>
      async (input, context, call) => {
        context.progress?.(stage, 1, 2);
        return then(input, context, call);
      };
    engines.echo.behave = reporting("reading", company.behave);
    engines.names.behave = reporting("choosing", names.behave);
    const { id } = await world.accepted(firm, start);
    await until(() => engines.echo.calls.length + engines.names.calls.length === 2, "both work");
    const both = await world.run(firm, id);
    expect(statuses(both)).toEqual(["running", "running", "pending"]);
    expect(both.steps.map(({ progress }) => progress?.stage)).toEqual(["reading", "choosing", undefined]);
    names.open();
    await until(async () => statuses(await world.run(firm, id))[1] === "awaiting_approval", "the names wait");
    const early = await world.run(firm, id, firm.people.approver.token);
    expect([early.status, early.approval, early.charges.charged_credits]).toEqual(["running", null, 0]);
    expect((await sendDecision(world, firm, early, { decision: "approve" })).status).toBe(409);
    company.open();
    await world.idle();
    const waiting = await world.run(firm, id);
    expect([waiting.status, waiting.charges.charged_credits]).toEqual(["awaiting_approval", 500]);
    await sendDecision(world, firm, waiting, { decision: "approve" });
    await world.idle();
    const run = await world.run(firm, id);
    expect([run.status, statuses(run)]).toEqual(["succeeded", ["succeeded", "succeeded", "succeeded"]]);
    expect(run.charges).toMatchObject({ charged_credits: 1500, released_credits: 0 });
    await expectSound(world.store);
  });

  test("do not see each other's results, however far they are", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    await world.settled(firm, start);
    for (const { calls } of [engines.echo, engines.names])
      expect(calls.map(({ context }) => context.earlier)).toEqual([{}]);
  });

  test("are retried individually: the other one is called once", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    engines.echo.behave = failFirst(2);
    const { id } = await world.accepted(firm, start);
    await world.nextAttempt(engines.echo);
    await world.nextAttempt(engines.echo);
    await world.idle();
    const run = await world.run(firm, id);
    expect([engines.echo.calls.length, engines.names.calls.length]).toEqual([3, 1]);
    expect([run.status, run.steps.map(({ attempt }) => attempt)]).toEqual(["awaiting_approval", [3, 1, 0]]);
    await expectSound(world.store);
  });

  test("end together if one fails permanently: the other is aborted, neither charged nor kept", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    const company = held(failForGood);
    engines.echo.behave = company.behave;
    const aborted: boolean[] = [];
    engines.names.behave = (_input, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          aborted.push(true);
          reject(signal.reason);
        }),
      );
    const { id } = await world.accepted(firm, start);
    await until(() => engines.names.calls.length === 1, "the names are looked for");
    company.open();
    await world.idle();
    const run = await world.run(firm, id);
    expect([run.status, statuses(run), aborted]).toEqual(["failed", ["failed", "skipped", "skipped"], [true]]);
    expect(run.charges).toMatchObject({ reserved_credits: 1500, charged_credits: 0, released_credits: 1500 });
    expect(await world.count("effects")).toBe(0);
    expect(await unscoped(world.store.read).selectFrom("step_keys").selectAll().execute()).toEqual([]);
    await expectSound(world.store);
  });

  test("are erased while awaiting approval if the other one fails permanently", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    const company = held(failForGood);
    engines.echo.behave = company.behave;
    engines.names.behave = succeed(700, "SYNTHETIC Zwirnberg");
    const { id } = await world.accepted(firm, start);
    await until(async () => statuses(await world.run(firm, id))[1] === "awaiting_approval", "the names wait");
    company.open();
    await world.idle();
    const run = await world.run(firm, id, firm.people.owner.token);
    expect([run.status, statuses(run)]).toEqual(["failed", ["failed", "skipped", "skipped"]]);
    expect(JSON.stringify(run)).not.toContain("Zwirnberg");
    for (const table of ["step_keys", "step_results", "effects"] as const)
      expect(await unscoped(world.store.read).selectFrom(table).selectAll().execute()).toEqual([]);
    await expectSound(world.store);
  });

  test("keep their checkpoints and keys when the other one finishes, and are not repeated after a crash", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    const parts: string[] = [];
    const names = held();
    engines.echo.behave = withPart(parts, "company", succeed());
    engines.names.behave = withPart(parts, "names", names.behave);
    const { id } = await world.accepted(firm, start);
    // A part completes before its checkpoint is written, and the company's is deleted with its step. Only the names'
    // remains.
    const written = async () => unscoped(world.store.read).selectFrom("checkpoints").select("key").execute();
    await until(
      async () => statuses(await world.run(firm, id))[0] === "succeeded" && (await written()).length === 1,
      "the company is known, and the names are half done",
    );
    const photograph = world.photograph();
    names.open();
    await world.idle();
    await using restarted = await world.restart(photograph);
    await restarted.idle();
    const run = await restarted.run(firm, id);
    expect([run.status, parts.toSorted(), engines.echo.calls.length]).toEqual([
      "awaiting_approval",
      ["company", "names"],
      1,
    ]);
    await sendDecision(restarted, firm, run, { decision: "reject" });
    await restarted.idle();
    expect((await restarted.run(firm, id)).charges).toMatchObject({ charged_credits: 800, released_credits: 700 });
    await expectSound(restarted.store);
  });

  test("are stopped together by a cancellation", async () => {
    const { engines, world, firm } = await opened();
    await using _ = world;
    const company = held();
    engines.echo.behave = company.behave;
    const { id } = await world.accepted(firm, start);
    await until(async () => statuses(await world.run(firm, id))[1] === "awaiting_approval", "the names wait");
    await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" });
    company.open();
    await world.idle();
    const run = await world.run(firm, id);
    expect([run.status, statuses(run)]).toEqual(["refused", ["skipped", "skipped", "skipped"]]);
    expect(run.charges).toMatchObject({ charged_credits: 0, released_credits: 1500 });
    expect(await world.count("effects")).toBe(0);
    await expectSound(world.store);
  });
});

test("a use case whose step needs one that does not precede it is not sold", () => {
  const { useCases, capabilities, stepEngines } = catalogueOf(scriptedEngines());
  const [one] = useCases;
  const broken = useCases.slice(0, 1).map((useCase) => ({
    ...useCase,
    steps: useCase.steps.map((step) => (step.key === "company" ? { ...step, needs: ["report"] } : step)),
  }));
  const registryOf = (sold: typeof useCases) =>
    createRegistry(capabilities, sold, stepEngines, {} as never, async () => new Set());
  expect(registryOf(one ? [one] : []).useCases.size).toBe(1);
  expect(() => registryOf(broken)).toThrow("needs only steps before it");
});
