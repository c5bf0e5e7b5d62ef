import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "../../db/sqlite/backup.ts";
import { openReader } from "../../db/sqlite/verification.ts";
import { unscoped } from "../../db/tenancy.ts";
import { day } from "../../src/platform/clock.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { createStepSealing } from "../../src/runs/sealing.ts";
import { verifyReceipts } from "../../src/runs/verify.ts";
import type { Behaviour } from "../support/engines.ts";
import { type Firm, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { idsBut, names, openShortlist, sendDecision, targets, waitingShortlist } from "../support/shortlist.ts";

/** Unapproved output is never stored unencrypted, and is deleted when the run ends without approval. */

const bytesOf = (file: string): Buffer =>
  Buffer.concat(
    ["", "-wal"].map((part) => file + part).flatMap((path) => (existsSync(path) ? readFileSync(path) : [])),
  );

/** Returns everything on disk (the database, its WAL, a new backup) and everything logged. */
async function everything(world: World): Promise<Buffer> {
  const backup = join(mkdtempSync(join(tmpdir(), "assay-backup-")), "assay.db");
  copyDatabase(world.store.file, backup);
  return Buffer.concat([bytesOf(world.photograph()), bytesOf(backup), Buffer.from(world.logged.join("\n"))]);
}

const found = (bytes: Buffer): string[] => names.filter((name) => bytes.includes(name));

const keys = (world: World) => unscoped(world.store.read).selectFrom("step_keys").selectAll().execute();

/** Checkpoints a part for each target, as a long step does, and then names all of them. */
const inParts: Behaviour = async (_, { checkpoint }) => {
  for (const [i, target] of targets.targets.entries()) await checkpoint(`target ${i}`, async () => target);
  return { result: targets };
};

describe("an output that awaits approval", () => {
  test("and its parts are in clear text nowhere in the database, its WAL, a backup or the log", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const { id } = await waitingShortlist(world, firm, inParts);
    expect(found(await everything(world))).toEqual([]);
    expect(await keys(world)).toHaveLength(1);
    const seen = await world.run(firm, id, firm.people.owner.token);
    expect(seen.steps[1]?.result).toEqual(targets);
    await expectSound(world.store);
  });

  test("has no part in clear text while its engine runs, and its parts are reused after a crash", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    let isHeld = true;
    const done: number[] = [];
    world.engines.names.behave = async (_, { checkpoint, signal }) => {
      for (const [i, target] of targets.targets.entries())
        await checkpoint(`target ${i}`, async () => {
          done.push(i);
          if (i === 5 && isHeld)
            await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          return target;
        });
      return { result: targets };
    };
    const { id } = await world.accepted(firm, { useCase: "shortlist" });
    await until(() => done.length === 6, "the sixth part is running");
    expect(found(await everything(world))).toEqual([]);
    isHeld = false;
    await using restarted = await world.restart();
    await restarted.idle();
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]);
    expect((await restarted.run(firm, id, firm.people.owner.token)).steps[1]?.result).toEqual(targets);
    expect(found(await everything(restarted))).toEqual([]);
  });

  test("is shown to its approvers after a restart, and delivered when approved", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm);
    await using restarted = await world.restart();
    expect((await restarted.run(firm, run.id, firm.people.approver.token)).approval?.items).toHaveLength(10);
    await sendDecision(restarted, firm, run, { decision: "approve" });
    await restarted.idle();
    expect(await restarted.run(firm, run.id)).toMatchObject({ status: "succeeded", result: { names: targets } });
    expect(await keys(restarted)).toEqual([]);
  });

  const cancel = (world: World, firm: Firm, id: string) =>
    world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" });

  test.each<[string, (world: World, firm: Firm, id: string) => unknown]>([
    [
      "rejected",
      async (world, firm, id) => sendDecision(world, firm, await world.run(firm, id), { decision: "reject" }),
    ],
    [
      "rejected item by item",
      async (world, firm, id) =>
        sendDecision(world, firm, await world.run(firm, id), { decision: "reject", items: { reject: idsBut() } }),
    ],
    ["cancelled", cancel],
    ["left undecided", (world) => world.clock.advance(7 * day)],
  ])("is nowhere after it is %s, and its key is deleted from the file", async (_, end) => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm, inParts);
    const [key] = await keys(world);
    await end(world, firm, run.id);
    await until(async () => (await world.run(firm, run.id)).finished_at !== null, "the run ends");
    await world.idle();
    expect(await keys(world)).toEqual([]);
    expect(found(await everything(world))).toEqual([]);
    for (const as of [firm.key, world.tokenOf(firm.people.owner.id)])
      for (const path of [`/v1/runs/${run.id}`, "/v1/runs", `/v1/runs/${run.id}/receipt`])
        expect(found(Buffer.from(await (await world.ask(path, { as })).text()))).toEqual([]);
    expect(key?.sealed_key).toBeString();
    await using reopened = await world.reopen();
    expect(readFileSync(reopened.store.file).includes(key?.sealed_key ?? "")).toBe(false);
    await expectSound(reopened.store);
  });

  test("is in clear text only for the approved part", async () => {
    await using world = await openShortlist();
    const firm = await world.firm();
    const run = await waitingShortlist(world, firm, inParts);
    const items = { approve: ["4", "9"], reject: idsBut("4", "9") };
    await sendDecision(world, firm, run, { decision: "approve", items });
    await world.idle();
    expect(found(await everything(world))).toEqual([names[3] ?? "", names[8] ?? ""]);
    expect(await keys(world)).toEqual([]);
    await expectSound(world.store);
  });
});

test("a step that fails, is retried or is cancelled while running leaves no key behind", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  world.engines.names.behave = async () => {
    throw new Error("broken");
  };
  expect((await world.settled(firm, { useCase: "shortlist" })).status).toBe("failed");
  expect(await keys(world)).toEqual([]);
});

test("a run of an earlier release, whose output is in its row, is shown and decided like any other", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  const run = await waitingShortlist(world, firm);
  const row = await unscoped(world.store.read).selectFrom("runs").selectAll().executeTakeFirstOrThrow();
  const steps = (JSON.parse(row.steps_json) as Record<string, unknown>[]).map(
    ({ sealed: _s, separate_result_chars: _c, ...step }) =>
      step.key === "names" ? { ...step, result: targets } : step,
  );
  const { items: _i, approved_sha256: _a, ...approval } = JSON.parse(row.approval_json ?? "{}");
  const earlier = { steps_json: JSON.stringify(steps), approval_json: JSON.stringify(approval) };
  await world.store.write(async (tx) => {
    await unscoped(tx).deleteFrom("step_keys").execute();
    await unscoped(tx).deleteFrom("step_results").execute();
    await unscoped(tx).updateTable("runs").set(earlier).execute();
  });
  await using later = await world.reopen();
  expect((await later.run(firm, run.id)).approval).toMatchObject({ items: null, approved_sha256: null });
  expect((await later.run(firm, run.id, firm.people.owner.token)).approval?.items).toHaveLength(10);
  const items = { approve: ["1"], reject: idsBut("1") };
  await sendDecision(later, firm, run, { decision: "approve", items });
  await later.idle();
  expect((await later.run(firm, run.id)).steps[1]).toMatchObject({ charged_credits: 70, status: "succeeded" });
  await expectSound(later.store);
});

test("an output whose key was lost cannot be delivered, only rejected", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  const run = await waitingShortlist(world, firm);
  await world.store.write((tx) => unscoped(tx).deleteFrom("step_keys").execute());
  for (const more of [{}, { items: { approve: idsBut() } }])
    expect((await sendDecision(world, firm, run, { decision: "approve", ...more })).status).toBe(500);
  expect((await world.run(firm, run.id, firm.people.owner.token)).steps[1]?.result).toBeNull();
  expect((await sendDecision(world, firm, run, { decision: "reject" })).status).toBe(200);
  await world.idle();
  expect((await world.run(firm, run.id)).steps[1]?.status).toBe("withheld");
  await expectSound(world.store);
});

describe("a step's key", () => {
  const sealing = createStepSealing(systemRuntime, new Uint8Array(32).fill(1));
  const key = sealing.newKey("run", "names");

  test("opens what was sealed with it", () => {
    expect(sealing.cipher(key).open(sealing.cipher(key).seal("Jan Novák"))).toBe("Jan Novák");
  });

  test("is useless for another step, with another master key, or after a modification", () => {
    expect(() => sealing.cipher({ ...key, step: "other" })).toThrow();
    expect(() => createStepSealing(systemRuntime, new Uint8Array(32)).cipher(key)).toThrow();
    const sealed = sealing.cipher(key).seal("Jan Novák");
    expect(() => sealing.cipher(sealing.newKey("run", "names")).open(sealed)).toThrow();
    expect(() => sealing.cipher(key).open(`${sealed.slice(0, -2)}AA`)).toThrow();
  });
});

test("assay verify finds a key that should have been destroyed", async () => {
  await using world = await openShortlist();
  const firm = await world.firm();
  const run = await waitingShortlist(world, firm);
  await sendDecision(world, firm, run, { decision: "reject" });
  await world.idle();
  const problems = async () => {
    const reader = openReader(world.store.file);
    try {
      return (await verifyReceipts(reader, world.app.parts.keyring.jwks().keys)).problems;
    } finally {
      reader.close();
    }
  };
  expect(await problems()).toEqual([]);
  world.store.sqlite.run("insert into step_keys select id, 'names', 'kept' from runs");
  expect(await problems()).toEqual(["1 keys of withheld outputs should have been destroyed"]);
});
