import { describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import { day } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { succeed } from "../support/engines.ts";
import { type Firm, refusal, runIn, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const secret = "Jan Novák, the named contact";

/** Starts a run whose second step's output is `secret`, costs 600 and awaits approval. */
async function waiting(world: World, firm: Firm): Promise<Run> {
  world.engines.echo.behave = succeed(400);
  world.engines.names.behave = succeed(600, secret);
  const run = await world.settled(firm, { useCase: "triage" });
  expect(run.status).toBe("awaiting_approval");
  return run;
}

const decide = (world: World, as: string, { id }: Run, decision: "approve" | "reject", comment?: string) =>
  world.ask(`/v1/runs/${id}/approval`, { as, body: { decision, ...(comment !== undefined && { comment }) } });

const read = async (world: World, { id }: Run, as: string) => (await world.ask(`/v1/runs/${id}`, { as })).text();

describe("while a run awaits approval", () => {
  test("the output is shown to owners and approvers, and hidden from keys, admins and members", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const { owner, admin, approver, member } = firm.people;
    for (const { token } of [owner, approver]) expect(await read(world, run, token)).toContain(secret);
    for (const as of [firm.key, admin.token, member.token]) {
      expect(await read(world, run, as)).not.toContain(secret);
      expect(await (await world.ask("/v1/runs", { as })).text()).not.toContain(secret);
    }
    expect(await (await world.ask("/v1/runs", { as: owner.token })).text()).toContain(secret);
  });

  test("the run states what it is waiting for, until when, and where to decide", async () => {
    await using world = await World.open();
    const run = await waiting(world, await world.firm());
    expect(run.approval).toMatchObject({ step: "names", decided_at: null, decision: null, decided_by: null });
    const asked = Date.parse(run.approval?.requested_at ?? "");
    expect(Date.parse(run.approval?.expires_at ?? "") - asked).toBe(7 * day);
    expect(run.links.approve).toBe(`/v1/runs/${run.id}/approval`);
    expect(run).toMatchObject({ result: null, receipt_url: null, charges: { charged_credits: 400 } });
  });

  test("the step's credits stay reserved and are not charged yet", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await waiting(world, firm);
    expect(await world.balance(firm)).toEqual({ available: 8_500, reserved: 1_100 });
  });

  test("keys, admins and members cannot decide", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    expect(await refusal(await decide(world, firm.key, run, "approve"))).toEqual([401, "invalid_api_key"]);
    for (const role of ["admin", "member"] as const)
      expect(await refusal(await decide(world, firm.people[role].token, run, "approve"))).toEqual([
        403,
        "missing_scope",
      ]);
  });

  test("another firm's owner gets 404", async () => {
    await using world = await World.open();
    const run = await waiting(world, await world.firm());
    const { owner } = (await world.firm()).people;
    expect(await refusal(await decide(world, owner.token, run, "approve"))).toEqual([404, "not_found"]);
  });
});

describe("deciding", () => {
  test("approving charges the step, shows its output and continues the run", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const answer = await decide(world, firm.people.approver.token, run, "approve", "Looks right.");
    expect([answer.status, (await runIn(answer)).status]).toEqual([200, "running"]);
    await world.idle();
    const ended = await world.run(firm, run.id);
    expect(ended).toMatchObject({
      status: "succeeded",
      result: { names: { answer: secret } },
      approval: { decision: "approve", decided_by: firm.people.approver.id, comment: "Looks right." },
      charges: { reserved_credits: 1_500, charged_credits: 1_300, released_credits: 200 },
    });
    expect(world.engines.report.calls[0]?.context.earlier).toMatchObject({ names: { answer: secret } });
    await expectSound(world.store);
  });

  test("rejecting withholds the step, releases its credits, erases its output and continues the run", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const answer = await decide(world, firm.people.owner.token, run, "reject");
    expect((await runIn(answer)).status).toBe("running");
    await world.idle();
    const ended = await world.run(firm, run.id);
    expect(ended.steps.map(({ status }) => status)).toEqual(["succeeded", "withheld", "succeeded"]);
    expect(ended.charges).toMatchObject({ reserved_credits: 1_500, charged_credits: 700, released_credits: 800 });
    expect(Object.keys(ended.result as object)).toEqual(["company", "report"]);
    expect(world.engines.report.calls[0]?.context.earlier).not.toHaveProperty("names");
    await expectSound(world.store);
  });

  test("unapproved output is not stored in clear text, and rejected output is erased", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const everywhere = async () => {
      const db = unscoped(world.store.read);
      const rows = [
        await db.selectFrom("runs").selectAll().execute(),
        await db.selectFrom("snapshots").selectAll().execute(),
        await db.selectFrom("effects").selectAll().execute(),
        await db.selectFrom("audit").selectAll().execute(),
      ];
      return JSON.stringify(rows);
    };
    expect(await everywhere()).not.toContain(secret);
    await decide(world, firm.people.owner.token, run, "reject");
    await world.idle();
    expect(await everywhere()).not.toContain(secret);
    for (const as of [firm.key, firm.people.owner.token]) expect(await read(world, run, as)).not.toContain(secret);
  });

  test("a second decision returns 409 approval_already_decided and changes nothing", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const { token } = firm.people.owner;
    await decide(world, token, run, "approve");
    await world.idle();
    const before = await world.run(firm, run.id);
    for (const decision of ["approve", "reject"] as const)
      expect(await refusal(await decide(world, token, run, decision))).toEqual([409, "approval_already_decided"]);
    expect(await world.run(firm, run.id)).toEqual(before);
  });

  test("exactly one of many concurrent decisions counts", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const decisions = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? "approve" : "reject"));
    const answers = await Promise.all(decisions.map((d) => decide(world, firm.people.owner.token, run, d)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
    await world.idle();
    expect((await world.run(firm, run.id)).status).toBe("succeeded");
    expect(world.engines.report.calls).toHaveLength(1);
    await expectSound(world.store);
  });

  test("a run that is not awaiting approval returns 409 not_awaiting_approval", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await world.settled(firm);
    const { token } = firm.people.owner;
    expect(await refusal(await decide(world, token, run, "approve"))).toEqual([409, "not_awaiting_approval"]);
  });
});

describe("an undecided approval", () => {
  test("expires after seven days: the step is withheld and the run continues", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    world.clock.advance(7 * day - 1);
    await world.idle();
    expect((await world.run(firm, run.id)).status).toBe("awaiting_approval");
    world.clock.advance(1);
    await until(async () => (await world.run(firm, run.id)).status === "succeeded", "the run ends");
    const ended = await world.run(firm, run.id);
    expect(ended.steps.map(({ status }) => status)).toEqual(["succeeded", "withheld", "succeeded"]);
    expect(ended.approval).toMatchObject({ decision: "reject" });
    expect(await world.count("effects")).toBe(0);
    await expectSound(world.store);
  });

  test("expires at the next start if the service was down when it was due", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    const left = world.photograph();
    world.clock.advance(30 * day);
    await using restarted = await world.restart(left);
    await until(async () => (await restarted.run(firm, run.id)).status === "succeeded", "the run ends");
    expect((await restarted.run(firm, run.id)).charges.charged_credits).toBe(700);
  });
});
