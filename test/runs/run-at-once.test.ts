import { describe, expect, test } from "bun:test";
import { compactVerify, createLocalJWKSet } from "jose";
import { newestAudit } from "../../db/queries/audit.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { Run } from "../../src/runs/schema.ts";
import { freshKey, runIn, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

/** Runs of engines that only compute and run inline: they finish in the transaction that accepts them. */

async function atOnce(credits?: number) {
  const world = await World.open();
  const firm = await world.firm();
  const { echo } = world.engines;
  echo.atOnce = () => ({ result: { answer: "yes" }, ...(credits !== undefined && { credits }) });
  return { world, firm, echo };
}

describe("a run whose engine completes inline", () => {
  test("has succeeded when it is accepted, is charged once and has its receipt", async () => {
    const { world, firm, echo } = await atOnce(350);
    await using _ = world;
    const run = await world.accepted(firm);
    expect([run.status, run.result, run.engine?.name]).toEqual(["succeeded", { answer: "yes" }, "echo"]);
    expect(run.charges).toMatchObject({ reserved_credits: 500, charged_credits: 350, released_credits: 150 });
    expect(run.steps).toMatchObject([{ status: "succeeded", attempt: 1, charged_credits: 350, error: null }]);
    expect(await world.run(firm, run.id)).toEqual(run);
    expect(echo.calls).toEqual([]);
    expect(await world.balance(firm)).toEqual({ available: 9_650, reserved: 0 });
    expect(await world.count("effects")).toBe(0);
    const receipt = await world.ask(run.receipt_url ?? "", { as: firm.key });
    const { payload } = await compactVerify(
      await receipt.text(),
      createLocalJWKSet({ keys: [...world.app.parts.keyring.jwks().keys] }),
    );
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ run_id: run.id, status: "succeeded" });
    const [entry] = await newestAudit(unscoped(world.store.read), 1);
    expect(entry).toMatchObject({ action: "run.accept", subject: run.id });
    expect(JSON.parse(entry?.data_json ?? "")).toMatchObject({ status: "succeeded", charged: 350, released: 150 });
    await expectSound(world.store);
  });

  test("has the same record as one that finished after its acceptance", async () => {
    const { world, firm, echo } = await atOnce();
    await using _ = world;
    const first = await world.accepted(firm);
    echo.atOnce = undefined;
    const second = await world.settled(firm);
    const plain = ({ id, receipt_url: _, links: __, ...run }: Run) => run;
    expect(plain(second)).toEqual(plain(first));
    expect(echo.calls).toHaveLength(1);
  });

  test("is returned again for the same key, and created once for many concurrent requests", async () => {
    const { world, firm } = await atOnce();
    await using _ = world;
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 32 }, () => world.start(firm, { key })));
    expect(answers.filter((answer) => answer.headers.get("idempotency-replayed") === "true")).toHaveLength(31);
    const runs = await Promise.all(answers.map(runIn));
    expect(new Set(runs.map((run) => JSON.stringify(run))).size).toBe(1);
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 0 });
    expect((await world.start(firm, { key, input: { text: "other" } })).status).toBe(409);
    await expectSound(world.store);
  });

  test("is refused without a charge if the maximum cannot be reserved", async () => {
    const { world } = await atOnce(1);
    await using _ = world;
    const poor = await world.firm({ credits: 499 });
    const run = await world.accepted(poor);
    expect([run.status, run.status_reason?.code, run.result]).toEqual(["refused", "insufficient_credits", null]);
    // The inline result is discarded, so the run reads as if its engine was never called.
    expect([run.engine, run.started_at]).toEqual([null, null]);
    expect(await world.balance(poor)).toEqual({ available: 499, reserved: 0 });
    await expectSound(world.store);
  });

  test("fails without a charge if the engine charges more than the maximum", async () => {
    const { world, firm } = await atOnce(501);
    await using _ = world;
    const run = await world.accepted(firm);
    expect([run.status, run.status_reason?.code]).toEqual(["failed", "charge_above_maximum"]);
    expect(run.charges).toMatchObject({ charged_credits: 0, released_credits: 500 });
    await expectSound(world.store);
  });

  test("is not created above the caller's maximum or behind a closed gate, nor is its engine called", async () => {
    const { world, firm, echo } = await atOnce();
    await using _ = world;
    let asked = 0;
    echo.atOnce = () => {
      asked++;
      return { result: { answer: "yes" } };
    };
    expect((await world.start(firm, { with: { maximum_credits: 499 } })).status).toBe(409);
    expect([asked, await world.count("runs")]).toEqual([0, 0]);
    await world.closeGate("echo");
    expect((await world.start(firm)).status).toBe(503);
    expect([asked, await world.count("runs")]).toEqual([0, 0]);
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });

  test("is still complete after a power cut, with nothing left to do", async () => {
    const { world, firm } = await atOnce();
    await using _ = world;
    const { id } = await world.accepted(firm);
    await using next = await world.restart();
    expect((await next.run(firm, id)).status).toBe("succeeded");
    expect(await next.count("effects")).toBe(0);
    await expectSound(next.store);
  });
});

describe("an engine with inline results runs after the acceptance", () => {
  test("if it throws, violates its contract, or has no inline result", async () => {
    const { world, firm, echo } = await atOnce();
    await using _ = world;
    const outcomes = [
      () => {
        throw new Error("not now");
      },
      () => ({ result: { answer: 7 } }),
      () => undefined,
    ];
    for (const outcome of outcomes) {
      echo.atOnce = outcome;
      const accepted = await world.accepted(firm);
      expect(accepted.status).toBe("running");
      await world.idle();
      expect(await world.run(firm, accepted.id)).toMatchObject({ status: "succeeded", result: { answer: "yes" } });
    }
    expect(echo.calls).toHaveLength(3);
    await expectSound(world.store);
  });

  test("if further steps follow, or a person decides", async () => {
    const { world, firm, echo } = await atOnce();
    await using _ = world;
    const run = await world.accepted(firm, { useCase: "triage" });
    expect(run.status).toBe("running");
    await world.idle();
    expect(echo.calls.length).toBeGreaterThan(0);
    await expectSound(world.store);
  });
});

test("each of hundreds of concurrent runs has its own verifiable receipt", async () => {
  const { world, firm } = await atOnce(1);
  await using _ = world;
  const keys = createLocalJWKSet({ keys: [...world.app.parts.keyring.jwks().keys] });
  for (let round = 0; round < 5; round++) {
    const runs = await Promise.all(Array.from({ length: 100 }, () => world.accepted(firm)));
    for (const run of runs) {
      const receipt = await (await world.ask(run.receipt_url ?? "", { as: firm.key })).text();
      const { payload } = await compactVerify(receipt, keys);
      expect(JSON.parse(new TextDecoder().decode(payload)).run_id).toBe(run.id);
    }
  }
  await expectSound(world.store);
});
