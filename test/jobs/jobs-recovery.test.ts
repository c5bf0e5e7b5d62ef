import { describe, expect, test } from "bun:test";
import { openReader } from "../../db/sqlite/verification.ts";
import { verifyJobs } from "../../src/jobs/verify.ts";
import { minute } from "../../src/platform/clock.ts";
import { failFirst, failForGood, hang, held, ScriptedEngine, succeed } from "../support/engines.ts";
import { type Firm, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { type JobsWorld, openJobs } from "../support/jobs-world.ts";

/** Returns the problems that `assay verify` finds in the jobs of a file. */
async function problems(world: World): Promise<readonly string[]> {
  const reader = openReader(world.store.file);
  try {
    return (await verifyJobs(reader)).problems;
  } finally {
    reader.close();
  }
}

/** Returns the ends of jobs in the audit log: exactly one for each terminal job. */
const endings = (world: World) =>
  world.store.sqlite
    .query<{ subject: string; ends: number }, []>(
      `select subject, count(*) as ends from audit
       where action in ('job.succeeded', 'job.failed', 'job.refuse') and data_json not like '%"status":"running"%'
       group by subject`,
    )
    .all();

async function expectEndedOnce(world: World, jobs: JobsWorld, firm: Firm, id: string, status: string) {
  const job = await jobs.ended(firm, id, world);
  expect(job.status).toBe(status as typeof job.status);
  expect(endings(world)).toEqual([{ subject: id, ends: 1 }]);
  expect(await world.count("effects")).toBe(0);
  expect(await problems(world)).toEqual([]);
  await expectSound(world.store);
}

describe("a power cut", () => {
  for (const [name, behave, status, attempts] of [
    ["succeeds at its second attempt", failFirst(1), "succeeded", 2],
    ["fails permanently", failForGood, "failed", 1],
  ] as const)
    test(`after any commit of a job that ${name} loses nothing, and the job finishes once`, async () => {
      const left: string[] = [];
      let watching = false;
      const engine = new ScriptedEngine("company-intelligence");
      await using jobs = await openJobs(engine, (current) => void (watching && left.push(current().photograph())));
      const firm = await jobs.world.firm();
      engine.behave = async (input, context, call) => {
        context.progress?.("reading", 1, 2);
        return behave(input, context, call);
      };
      watching = true;
      const id = await jobs.accepted(firm);
      expect(await jobs.ended(firm, id)).toMatchObject({ status, attempts });
      watching = false;
      expect(left.length).toBeGreaterThanOrEqual(3);
      engine.behave = status === "succeeded" ? succeed() : failForGood;
      for (const photograph of left) {
        await using restarted = await jobs.world.restart(photograph);
        await expectEndedOnce(restarted, jobs, firm, id, status);
      }
    });

  test("while the engine runs repeats the same attempt with the same key", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    engine.behave = hang;
    const id = await jobs.accepted(firm);
    await until(() => engine.calls.length === 1, "the engine works");
    engine.behave = succeed();
    await using restarted = await world.restart();
    expect(await jobs.ended(firm, id, restarted)).toMatchObject({ status: "succeeded", attempts: 1 });
    const keys = engine.calls.map(({ context }) => context.stepKey);
    expect(keys).toEqual([`${id}:company.analyze_url`, `${id}:company.analyze_url`]);
  });

  test("between two attempts keeps the attempt count and the pause", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    engine.behave = failFirst(99);
    const id = await jobs.accepted(firm);
    await world.idle();
    await world.app.stop(0);
    await using restarted = await world.restart();
    expect(restarted.app.parts.worker.load().sleeping).toBe(1);
    expect(await jobs.ended(firm, id, restarted)).toMatchObject({ status: "failed", attempts: 5 });
    expect(engine.calls).toHaveLength(5);
  });

  test("with 100 unfinished jobs lets all of them finish", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    engine.behave = hang;
    const ids = await Promise.all(Array.from({ length: 100 }, () => jobs.accepted(firm)));
    engine.behave = succeed();
    await using restarted = await world.restart();
    await restarted.idle();
    for (const id of ids) expect((await jobs.job(firm, id, restarted)).status).toBe("succeeded");
    expect(endings(restarted)).toHaveLength(100);
    expect(await problems(restarted)).toEqual([]);
  });
});

test("an attempt executed twice concurrently finishes the job once", async () => {
  for (const [then, status] of [
    [succeed(), "succeeded"],
    [failForGood, "failed"],
  ] as const) {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    const line = held(then);
    engine.behave = line.behave;
    const id = await jobs.accepted(firm);
    await world.app.recover();
    await until(() => engine.calls.length === 2, "both are at work");
    line.open();
    await world.idle();
    await expectEndedOnce(world, jobs, firm, id, status);
  }
});

test("a stopping server leaves the attempt to the next start, without counting it as failed", async () => {
  await using jobs = await openJobs();
  const { world, engine } = jobs;
  const firm = await world.firm();
  engine.behave = hang;
  const id = await jobs.accepted(firm);
  await until(() => engine.calls.length === 1, "the engine works");
  await world.app.stop(0);
  expect(await jobs.job(firm, id)).toMatchObject({ status: "running", attempts: 1, error: null });
  engine.behave = succeed();
  await using restarted = await world.restart();
  await expectEndedOnce(restarted, jobs, firm, id, "succeeded");
});

test("a job that finishes while the disk is full is written once there is space again", async () => {
  await using jobs = await openJobs();
  const { world, engine } = jobs;
  const firm = await world.firm();
  const line = held();
  engine.behave = async (...call) => {
    await line.behave(...call);
    return { result: { answer: "x".repeat(100_000) } };
  };
  const id = await jobs.accepted(firm);
  await until(() => engine.calls.length === 1, "the engine works");
  const { page_count } = world.store.sqlite.query("pragma page_count").get() as { page_count: number };
  world.store.sqlite.run(`pragma max_page_count = ${page_count}`);
  line.open();
  await world.idle();
  expect((await jobs.job(firm, id)).status).toBe("running");
  world.store.sqlite.run("pragma max_page_count = 1000000");
  world.clock.advance(minute);
  await world.idle();
  await expectEndedOnce(world, jobs, firm, id, "succeeded");
});

describe("`assay verify` reports a manipulated job:", () => {
  test.each([
    ["a status", "update jobs set status = 'failed'", "but its snapshot is succeeded"],
    ["a deleted result", "update jobs set result_json = null", "contradicts its result"],
    ["a deleted end", "update jobs set finished_at = null", "contradicts its end time"],
    ["attempts", "update jobs set attempts = 7", "has 7 attempts"],
    ["a forged error", "update jobs set error_code = 'made_up'", "has another error than its snapshot"],
    ["a deleted snapshot", "delete from snapshots", "has no snapshot"],
    ["an unreadable snapshot", "update snapshots set snapshot_json = '{'", "can't be read"],
    ["a count of the month", "update uses set used = used + 1", "counts 2 in 2026-03, but there are 1 jobs"],
    ["a deleted usage counter", "delete from uses", "counts 0 in 2026-03, but there are 1 jobs"],
    [
      "something left to do",
      `insert into effects (id, actor_id, machine, firm_id, kind, engine, payload_json, due_at)
       select id || ':9', id, 'job', firm_id, 'attempt', '', '{}', 0 from jobs`,
      "has 1 pending effects",
    ],
  ])("%s", async (_, sql, told) => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    await jobs.ended(firm, await jobs.accepted(firm));
    expect(await problems(jobs.world)).toEqual([]);
    jobs.world.store.sqlite.run(sql);
    expect((await problems(jobs.world)).join("\n")).toContain(told);
  });
});
