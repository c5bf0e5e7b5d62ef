import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { unscoped } from "../../db/tenancy.ts";
import { day } from "../../src/platform/clock.ts";
import { canonicalHash } from "../../src/platform/json.ts";
import { errorIn, type Firm, refusal, runIn, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import {
  idsBut,
  names,
  nameTargets,
  openShortlist,
  sendDecision,
  type Targets,
  targets,
  waitingShortlist,
} from "../support/shortlist.ts";

const delivered = (result: unknown): string[] =>
  ((result as { names?: Targets }).names?.targets ?? []).map(({ name }) => name);

async function lastAudit(world: World): Promise<unknown> {
  const row = await unscoped(world.store.read)
    .selectFrom("audit")
    .selectAll()
    .where("action", "in", ["run.approve", "run.withhold"])
    .orderBy("seq", "desc")
    .executeTakeFirstOrThrow();
  return { actor: row.actor, ...JSON.parse(row.data_json) };
}

const receiptOf = async (world: World, firm: Firm, id: string) =>
  decodeJwt(await (await world.ask(`/v1/runs/${id}/receipt`, { as: firm.key })).text());

describe("an output with items", () => {
  test("lists them with position and label to owners and approvers only", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const { id } = await waitingShortlist(world, firm);
    const { owner, approver, admin, member } = firm.people;
    for (const { token } of [owner, approver]) {
      const { approval, steps } = await world.run(firm, id, token);
      expect(approval?.items).toEqual(names.map((label, i) => ({ id: `${i + 1}`, label, decision: null })));
      expect(steps[1]?.result).toEqual(targets);
    }
    for (const as of [firm.key, admin.token, member.token]) {
      expect((await world.run(firm, id, as)).approval?.items).toBeNull();
      for (const path of [`/v1/runs/${id}`, "/v1/runs"])
        expect(await (await world.ask(path, { as })).text()).not.toContain("Zmrzlina");
    }
  });

  test("delivers what was approved, charges its share, and releases the rest immediately", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    expect(await world.balance(firm)).toEqual({ available: 8_500, reserved: 1_000 });
    const items = { approve: idsBut("2", "7", "10"), reject: ["10", "2", "7"] };
    const answer = await sendDecision(world, firm, run, { decision: "approve", items });
    expect([answer.status, (await runIn(answer)).status]).toEqual([200, "running"]);
    await world.idle();
    const ended = await world.run(firm, run.id);
    const kept = names.filter((_, i) => ![1, 6, 9].includes(i));
    expect(delivered(ended.result)).toEqual(kept);
    expect(ended.steps[1]).toMatchObject({ status: "succeeded", charged_credits: 490, maximum_credits: 700 });
    expect(ended.charges).toMatchObject({ reserved_credits: 1_500, charged_credits: 1_290, released_credits: 210 });
    const [report] = world.engines.report.calls;
    expect(delivered(report?.context.earlier)).toEqual(kept);
    const released = await unscoped(world.store.read)
      .selectFrom("transfers")
      .select(["step", "amount"])
      .where("kind", "=", "release")
      .execute();
    expect(released).toEqual([{ step: "names", amount: 210 }]);
    await expectSound(world.store);
  });

  test("is recorded item by item, with approver, time, reason and the hash of the approved item", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    const items = { approve: ["1", "2"], reject: idsBut("1", "2") };
    await sendDecision(world, firm, run, { decision: "approve", comment: "Only the two that we know.", items });
    await world.idle();
    const ended = await world.run(firm, run.id);
    const approved_sha256 = canonicalHash({ targets: targets.targets.slice(0, 2) });
    const decided = names.map((_, i) => ({ id: `${i + 1}`, decision: i < 2 ? "approve" : "reject" }));
    const verdict = { decision: "approve", comment: "Only the two that we know.", approved_sha256 };
    expect(ended.approval).toMatchObject({
      ...verdict,
      decided_by: firm.people.approver.id,
      items: decided.map((item) => ({ ...item, label: null })),
    });
    expect(await lastAudit(world)).toMatchObject({
      ...verdict,
      actor: `user:${firm.people.approver.id}`,
      items: decided,
    });
    expect((await receiptOf(world, firm, run.id)).approval).toEqual({
      ...verdict,
      step: "names",
      decided_at: ended.approval?.decided_at,
      decided_by: firm.people.approver.id,
      items: decided,
    });
  });

  test("may be approved or rejected as a whole", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const whole = await waitingShortlist(world, firm, nameTargets(333));
    await sendDecision(world, firm, whole, { decision: "approve" });
    const none = await waitingShortlist(world, firm, nameTargets(333));
    await sendDecision(world, firm, none, { decision: "reject" });
    await world.idle();
    const approved = await world.run(firm, whole.id);
    expect(approved.steps[1]).toMatchObject({ status: "succeeded", charged_credits: 333, result: targets });
    expect(approved.approval).toMatchObject({ items: null, approved_sha256: canonicalHash(targets) });
    const rejected = await world.run(firm, none.id);
    expect(rejected.steps[1]).toMatchObject({ status: "withheld", charged_credits: 0, result: null });
    expect(rejected.approval).toMatchObject({ items: null, approved_sha256: null });
    await expectSound(world.store);
  });

  test("is withheld if every item is rejected, and each decision is recorded", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    await sendDecision(world, firm, run, { decision: "reject", items: { reject: idsBut() } });
    await world.idle();
    const ended = await world.run(firm, run.id);
    expect(ended.steps.map(({ status }) => status)).toEqual(["succeeded", "withheld", "succeeded"]);
    expect(ended.approval?.items).toEqual(idsBut().map((id) => ({ id, label: null, decision: "reject" })));
    expect(ended.approval?.approved_sha256).toBeNull();
    expect(ended.charges).toMatchObject({ charged_credits: 800, released_credits: 700 });
    await expectSound(world.store);
  });

  test("is charged and delivered in full if all items are approved by name", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm, nameTargets(699));
    await sendDecision(world, firm, run, { decision: "approve", items: { approve: idsBut(), reject: [] } });
    await world.idle();
    const ended = await world.run(firm, run.id);
    expect(ended.steps[1]).toMatchObject({ charged_credits: 699, result: targets });
  });
});

describe("an invalid decision", () => {
  test.each<[string, unknown, string, string]>([
    ["names an unknown item", { approve: idsBut(), reject: ["11"] }, "/body/items/reject/0", 'no item "11"'],
    ["names one by its label", { approve: [names[0]], reject: idsBut("1") }, "/body/items/approve/0", "at most 20"],
    ["puts one in both lists", { approve: idsBut(), reject: ["3"] }, "/body/items/reject/0", "item 3 is named twice"],
    ["names one twice", { approve: [...idsBut(), "4"] }, "/body/items/approve/10", "item 4 is named twice"],
    ["leaves one out", { approve: idsBut("5", "6"), reject: ["6"] }, "/body/items", "item 5 is in neither list"],
    ["leaves all out", { approve: [], reject: [] }, "/body/items", "item 1 is in neither list"],
    [
      "approves nothing",
      { approve: [], reject: idsBut() },
      "/body/decision",
      "must be reject, because every item is rejected",
    ],
    ["has an unknown list", { approve: idsBut(), maybe: ["1"] }, "/body/items/maybe", ""],
    ["gives positions as numbers", { approve: [1, 2] }, "/body/items/approve/0", ""],
  ])("returns 422 at its path and changes nothing because it %s", async (_, items, path, message) => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    const answer = await sendDecision(world, firm, run, { decision: "approve", items });
    expect(answer.status).toBe(422);
    const { code, details } = await errorIn(answer);
    expect(code).toBe("validation_error");
    expect(details?.[0]?.path).toBe(path);
    expect(details?.[0]?.message).toContain(message);
    expect(await world.run(firm, run.id)).toEqual(run);
  });

  test("is refused if it rejects but approves items", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    const items = { approve: ["1"], reject: idsBut("1") };
    const answer = await sendDecision(world, firm, run, { decision: "reject", items });
    expect((await errorIn(answer)).details).toEqual([
      { path: "/body/decision", message: "must be approve, because some items are approved" },
    ]);
  });

  test("is refused if it names items of an output without any", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await world.settled(firm, { useCase: "triage" });
    const answer = await sendDecision(world, firm, run, { decision: "approve", items: { approve: ["1"] } });
    expect((await errorIn(answer)).details?.[0]?.path).toBe("/body/items");
    expect((await world.run(firm, run.id)).status).toBe("awaiting_approval");
  });

  test("is refused with half a surrogate pair in its comment", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    const answer = await sendDecision(world, firm, run, '{"decision": "approve", "comment": "\\ud800"}');
    expect((await errorIn(answer)).details?.[0]?.path).toBe("/body/comment");
  });

  test("is refused from a key, an admin, a member, another firm or a removed approver", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const other = await world.firm();
    const run = await waitingShortlist(world, firm);
    const body = { decision: "approve", items: { approve: idsBut() } };
    const send = async (as: string) => refusal(await sendDecision(world, firm, run, body, as));
    expect(await send(firm.key)).toEqual([401, "invalid_api_key"]);
    for (const role of ["admin", "member"] as const)
      expect(await send(firm.people[role].token)).toEqual([403, "missing_scope"]);
    expect(await send(other.people.owner.token)).toEqual([404, "not_found"]);
    await world.store.write((tx) =>
      tx.deleteFrom("members").where("firm_id", "=", firm.id).where("user_id", "=", firm.people.approver.id).execute(),
    );
    expect((await send(firm.people.approver.token))[0]).toBeOneOf([401, 403]);
    expect((await world.run(firm, run.id)).status).toBe("awaiting_approval");
  });

  test("is refused if it is the second, or after the expiry", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const decided = await waitingShortlist(world, firm);
    const expired = await waitingShortlist(world, firm);
    const items = { approve: ["1"], reject: idsBut("1") };
    await sendDecision(world, firm, decided, { decision: "approve", items });
    const again = { decision: "approve", items: { approve: ["no such item"] } };
    expect(await refusal(await sendDecision(world, firm, decided, again))).toEqual([409, "approval_already_decided"]);
    world.clock.advance(7 * day);
    await until(async () => (await world.run(firm, expired.id)).finished_at !== null, "the approval expires");
    const as = world.tokenOf(firm.people.approver.id);
    const late = await sendDecision(world, firm, expired, { decision: "approve", items }, as);
    expect(await refusal(late)).toEqual([409, "approval_already_decided"]);
    expect((await world.run(firm, expired.id)).approval).toMatchObject({ decided_by: "expiry", decision: "reject" });
    await expectSound(world.store);
  });
});

test("exactly one of many concurrent decisions about different items counts, in full", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  const run = await waitingShortlist(world, firm);
  const answers = await Promise.all(
    idsBut().map((id) =>
      sendDecision(world, firm, run, { decision: "approve", items: { approve: [id], reject: idsBut(id) } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  await world.idle();
  const { charges, result } = await world.run(firm, run.id);
  expect(delivered(result)).toHaveLength(1);
  expect(charges.charged_credits).toBe(500 + 70 + 300);
  await expectSound(world.store);
});

test("a decided approval leaves no timer behind", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  const run = await waitingShortlist(world, firm);
  expect(world.app.parts.worker.load().sleeping).toBe(1);
  await sendDecision(world, firm, run, { decision: "approve" });
  await world.idle();
  expect(world.app.parts.worker.load().sleeping).toBe(0);
});
