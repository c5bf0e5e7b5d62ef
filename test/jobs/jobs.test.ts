import { describe, expect, test } from "bun:test";
import { CompanyAnalysisSubmission, Job, type JobList } from "../../src/jobs/schema.ts";
import { second } from "../../src/platform/clock.ts";
import { checker } from "../../src/platform/validate.ts";
import {
  type Behaviour,
  crash,
  deaf,
  failFirst,
  failForGood,
  hang,
  held,
  invalidOutput,
  ScriptedEngine,
  succeed,
} from "../support/engines.ts";
import { errorIn, freshKey, refusal, until } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { jobDeadline, openJobs } from "../support/jobs-world.ts";

type Submitted = { job_id: string; replayed: boolean };
const submitted = async (response: Response) => (await response.json()) as Submitted;

describe("a company analysis", () => {
  test("is queued with 202 and a URL to poll, and finishes with its result", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const line = held();
    jobs.engine.behave = line.behave;
    const response = await jobs.submit(firm);
    expect([response.status, response.headers.get("idempotency-replayed")]).toEqual([202, null]);
    const answer = (await response.json()) as CompanyAnalysisSubmission;
    expect(checker(CompanyAnalysisSubmission).Check(answer)).toBe(true);
    expect(answer).toMatchObject({ status: "queued", status_url: `/v1/jobs/${answer.job_id}`, replayed: false });
    await until(() => jobs.engine.calls.length === 1, "the engine works");
    const working = await jobs.job(firm, answer.job_id);
    expect(working).toMatchObject({ status: "running", attempts: 1, result: null, error: null, finished_at: null });
    line.open();
    const done = await jobs.ended(firm, answer.job_id);
    expect(checker(Job).Check(done)).toBe(true);
    expect(done).toMatchObject({
      id: answer.job_id,
      type: "company.analyze_url",
      status: "succeeded",
      result: { answer: "yes" },
      links: { self: answer.status_url },
    });
    expect(jobs.engine.calls.map(({ input }) => input)).toEqual([{ company_url: "https://example.com/" }]);
    await expectSound(jobs.world.store);
  });

  test("that fails with a retryable error is retried after a pause, five attempts in total", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    jobs.engine.behave = failFirst(4);
    const id = await jobs.accepted(firm);
    await jobs.world.idle();
    expect(await jobs.job(firm, id)).toMatchObject({ status: "running", attempts: 1 });
    expect(await jobs.ended(firm, id)).toMatchObject({ status: "succeeded", attempts: 5 });
    expect(new Set(jobs.engine.calls.map(({ context }) => context.stepKey)).size).toBe(1);
    jobs.engine.behave = failFirst(99);
    const other = await jobs.accepted(firm);
    const failed = await jobs.ended(firm, other);
    expect(failed).toMatchObject({ status: "failed", attempts: 5, error: { code: "engine_busy" }, result: null });
    expect(jobs.engine.calls).toHaveLength(10);
  });

  const ends: readonly (readonly [string, Behaviour, string])[] = [
    ["that the engine refuses", failForGood, "no_answer"],
    ["whose engine crashes", crash("secret of the engine"), "engine_failed"],
    ["whose output violates its contract", invalidOutput, "engine_output_invalid"],
  ];
  for (const [name, behave, code] of ends)
    test(`${name} fails with ${code} on its first attempt`, async () => {
      await using jobs = await openJobs();
      const firm = await jobs.world.firm();
      jobs.engine.behave = behave;
      const failed = await jobs.ended(firm, await jobs.accepted(firm));
      expect(failed).toMatchObject({ status: "failed", attempts: 1, error: { code }, result: null });
      expect(JSON.stringify(failed)).not.toContain("secret");
    });

  for (const [name, behave] of [
    ["hangs", hang],
    ["ignores the abort", deaf],
  ] as const)
    test(`whose engine ${name} is aborted at its deadline, and retried`, async () => {
      await using jobs = await openJobs();
      const firm = await jobs.world.firm();
      jobs.engine.behave = async (input, context, call) =>
        call < 5 ? behave(input, context, call) : succeed()(input, context, call);
      const id = await jobs.accepted(firm);
      for (let attempt = 1; attempt < 5; attempt++) {
        await until(() => {
          if (jobs.engine.calls.length < attempt) jobs.world.clock.advance(100);
          return jobs.engine.calls.length === attempt;
        }, `attempt ${attempt}`);
        jobs.world.clock.advance(jobDeadline);
      }
      expect(await jobs.ended(firm, id)).toMatchObject({ status: "succeeded", attempts: 5 });
    });

  test("reports its stage and progress, at most once a second", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    const line = held();
    engine.behave = async (input, context, call) => {
      for (let page = 1; page <= 1_000; page++) context.progress?.("reading pages", page, 1_000);
      await line.behave(input, context, call);
      return succeed()(input, context, call);
    };
    const id = await jobs.accepted(firm);
    await until(async () => (await jobs.job(firm, id)).stage !== null, "the first stage is reported");
    const first = await jobs.job(firm, id);
    expect(first).toMatchObject({ stage: "reading pages", progress: { completed: 1, total: 1_000 } });
    await until(async () => {
      world.clock.advance(second);
      return (await jobs.job(firm, id)).progress?.completed === 1_000;
    }, "the latest is reported");
    const written = world.store.sqlite.query("select revision from snapshots where actor_id = ?").get(id);
    expect(written).toEqual({ revision: 4 });
    line.open();
    expect(await jobs.ended(firm, id)).toMatchObject({ status: "succeeded", stage: null, progress: null });
    await expectSound(world.store);
  });
});

describe("an address", () => {
  const refused = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "https://example.com:8443/",
    "https://user:word@example.com/",
    "ftp://example.com/",
    "/relative",
    "not a url",
    `https://example.com/${"x".repeat(2_048)}`,
  ];
  test("that may not be fetched is 422 immediately, and is not echoed", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    for (const url of refused) {
      const response = await jobs.submit(firm, { url });
      const text = await response.clone().text();
      const { code, details } = await errorIn(response);
      expect([url, code, details?.map(({ path }) => path)]).toEqual([url, "validation_error", ["/body/company_url"]]);
      expect(text).not.toContain(url);
    }
    expect(jobs.engine.calls).toEqual([]);
  });

  test("is the same in every spelling of it", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const key = freshKey();
    const first = await jobs.accepted(firm, { key, url: "https://example.com/about" });
    for (const url of ["HTTPS://EXAMPLE.com:443/about", "https://example.com/x/../about#team"])
      expect(await submitted(await jobs.submit(firm, { key, url }))).toMatchObject({ job_id: first, replayed: true });
    expect(await refusal(await jobs.submit(firm, { key, url: "http://example.com/about" }))).toEqual([
      409,
      "idempotency_conflict",
    ]);
  });
});

describe("the idempotency key of an analysis", () => {
  const bad = ["", "short", "x".repeat(129), "-beginswrong", "with space", "with/slash"];
  test("is required, in a valid format", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const without = await jobs.world.ask("/v1/company-analyses", {
      as: firm.key,
      body: { company_url: "https://example.com/" },
    });
    for (const response of [without, ...(await Promise.all(bad.map((key) => jobs.submit(firm, { key }))))]) {
      const { code, details } = await errorIn(response);
      expect([code, details?.[0]?.path]).toEqual(["validation_error", "/header/idempotency-key"]);
      expect(details?.[0]?.message).toMatch(/^is required|^must have|^must start with a letter or digit/);
    }
  });

  test("creates one job for 32 identical concurrent submissions, counted once", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const firm = await world.firm();
    const key = freshKey();
    const all = await Promise.all(Array.from({ length: 32 }, () => jobs.submit(firm, { key })));
    const answers = await Promise.all(all.map(submitted));
    expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(all.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(31);
    await world.idle();
    expect(jobs.engine.calls).toHaveLength(1);
    expect(world.store.sqlite.query("select used from uses").all()).toEqual([{ used: 1 }]);
  });

  test("returns the same job after a restart too, whatever its state", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const key = freshKey();
    const id = await jobs.accepted(firm, { key });
    await jobs.ended(firm, id);
    await using restarted = await jobs.world.restart();
    const again = await restarted.ask("/v1/company-analyses", {
      as: firm.key,
      body: { company_url: "https://example.com/" },
      headers: { "idempotency-key": key },
    });
    expect(await submitted(again)).toMatchObject({ job_id: id, status: "succeeded", replayed: true });
  });

  test("does not conflict with another firm's, and conflicts with another workspace of the same firm", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const [firm, other] = [await world.firm(), await world.firm()];
    const key = freshKey();
    const mine = await jobs.accepted(firm, { key });
    expect(await jobs.accepted(other, { key, url: "https://other.example.com/" })).not.toBe(mine);
    const elsewhere = await world.key(firm, ["company:analyze"], { workspace: firm.workspaces[1] });
    expect(await refusal(await jobs.submit(firm, { key, as: elsewhere.secret }))).toEqual([
      409,
      "idempotency_conflict",
    ]);
  });

  test("is not claimed by a refused submission", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const key = freshKey();
    await jobs.world.closeGate("platform");
    expect(await refusal(await jobs.submit(firm, { key }))).toEqual([503, "capability_runs_disabled"]);
    await jobs.world.openGates("platform");
    expect((await jobs.submit(firm, { key, url: "https://example.com/other" })).status).toBe(202);
  });
});

describe("company analyses", () => {
  for (const gate of ["platform", "company-intelligence"])
    test(`return 503 with Retry-After while the gate ${gate} is closed`, async () => {
      await using jobs = await openJobs();
      const firm = await jobs.world.firm();
      await jobs.world.closeGate(gate);
      const response = await jobs.submit(firm);
      expect(response.headers.get("retry-after")).toBe("60");
      expect(await refusal(response)).toEqual([503, "capability_runs_disabled"]);
    });

  test("return 503 while the engine is not ready", async () => {
    await using jobs = await openJobs();
    jobs.engine.unready = "no network";
    const response = await jobs.submit(await jobs.world.firm());
    const text = await response.clone().text();
    expect(await refusal(response)).toEqual([503, "capability_runs_disabled"]);
    expect(text).not.toContain("network");
  });

  test("that are queued when their gate is closed fail, and do not count", async () => {
    await using jobs = await openJobs(new ScriptedEngine("company-intelligence", { total: 1, perFirm: 1 }));
    const { world } = jobs;
    const firm = await world.firm();
    const line = held();
    jobs.engine.behave = line.behave;
    const [first, second] = [await jobs.accepted(firm), await jobs.accepted(firm)];
    await until(() => jobs.engine.calls.length === 1, "the first works");
    await world.closeGate("company-intelligence");
    line.open();
    expect((await jobs.ended(firm, first)).status).toBe("succeeded");
    const refused = await jobs.ended(firm, second);
    expect(refused).toMatchObject({ status: "failed", attempts: 0, error: { code: "capability_runs_disabled" } });
    expect(world.store.sqlite.query("select used from uses").all()).toEqual([{ used: 1 }]);
    await expectSound(world.store);
  });

  test("of one firm do not delay another's", async () => {
    await using jobs = await openJobs(new ScriptedEngine("company-intelligence", { total: 1, perFirm: 1 }));
    const { world, engine } = jobs;
    const [busy, other] = [await world.firm(), await world.firm()];
    const line = held();
    engine.behave = line.behave;
    for (let i = 0; i < 50; i++) await jobs.accepted(busy, { url: `https://busy.example.com/${i}` });
    await jobs.accepted(other, { url: "https://other.example.com/" });
    line.open();
    await world.idle();
    const order = engine.calls.map(({ input }) => (input as { company_url: string }).company_url);
    expect(order).toHaveLength(51);
    expect(order.indexOf("https://other.example.com/")).toBeLessThanOrEqual(2);
  });
});

describe("a job", () => {
  test("is visible to the keys of the submitting key's user, in its workspace, and to no one else", async () => {
    await using jobs = await openJobs();
    const { world } = jobs;
    const [firm, other] = [await world.firm(), await world.firm()];
    const id = await jobs.accepted(firm);
    const look = (as: string, of = id) => world.ask(`/v1/jobs/${of}`, { as });
    const sister = await world.key(firm, ["jobs:read"]);
    expect((await look(sister.secret)).status).toBe(200);
    const colleague = await world.key(firm, ["jobs:read"], { user: firm.people.member.id });
    const elsewhere = await world.key(firm, ["jobs:read"], { workspace: firm.workspaces[1] });
    const missing = await (await look(firm.key, crypto.randomUUID())).text();
    for (const as of [other.key, colleague.secret, elsewhere.secret]) {
      const response = await look(as);
      expect([response.status, await response.text()]).toEqual([404, missing]);
    }
    expect((await look(world.tokenOf(firm.people.owner.id))).status).toBe(401);
    expect(await refusal(await look((await world.key(firm, ["company:analyze"])).secret))).toEqual([
      403,
      "missing_scope",
    ]);
  });

  test("is listed for those who may see it, newest first, by status and paginated", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const [firm, other] = [await world.firm(), await world.firm()];
    const done: string[] = [];
    for (let i = 0; i < 3; i++) done.unshift((await jobs.ended(firm, await jobs.accepted(firm))).id);
    const line = held();
    engine.behave = line.behave;
    const going = await jobs.accepted(firm);
    await until(() => engine.calls.length === 4, "it works");
    const list = async (query = "", as = firm.key) =>
      (await (await world.ask(`/v1/jobs${query}`, { as })).json()) as JobList;
    const ids = ({ items }: JobList) => items.map(({ id }) => id);
    expect(ids(await list())).toEqual([going, ...done]);
    expect(ids(await list("?status=succeeded"))).toEqual(done);
    const first = await list("?limit=3");
    expect(ids(await list(`?limit=3&cursor=${first.next_cursor}`))).toEqual(done.slice(2));
    const elsewhere = await world.key(firm, ["jobs:read"], { workspace: firm.workspaces[1] });
    const colleague = await world.key(firm, ["jobs:read"], { user: firm.people.member.id });
    for (const as of [elsewhere.secret, colleague.secret, other.key]) expect(ids(await list("", as))).toEqual([]);
    const { secret } = await world.key(firm, ["runs:read"]);
    expect(await refusal(await world.ask("/v1/jobs", { as: secret }))).toEqual([403, "missing_scope"]);
    line.open();
    await world.idle();
  });

  test("can be awaited in one request, until it has finished or the time is up", async () => {
    await using jobs = await openJobs();
    const { world, engine } = jobs;
    const firm = await world.firm();
    const line = held();
    engine.behave = line.behave;
    const id = await jobs.accepted(firm);
    const wait = (seconds: number | string) => world.ask(`/v1/jobs/${id}?wait=${seconds}`, { as: firm.key });
    await until(() => engine.calls.length === 1, "it works");
    let isAnswered = false;
    const [short, long] = [wait(1), wait(60)];
    const answered = short.finally(() => {
      isAnswered = true;
    });
    // Advances the clock until then, by less than the attempt's deadline, since the start of the wait can't be
    // observed.
    await until(() => {
      world.clock.advance(10);
      return isAnswered;
    }, "the time is up");
    expect(await (await answered).json()).toMatchObject({ id, status: "running" });
    line.open();
    expect(await (await long).json()).toMatchObject({ id, status: "succeeded" });
    expect((await errorIn(await wait("soon"))).details?.map(({ path }) => path)).toEqual(["/query/wait"]);
  });

  test("states its URL and a polling interval when accepted", async () => {
    await using jobs = await openJobs();
    const answer = await jobs.submit(await jobs.world.firm());
    const { status_url } = (await answer.json()) as { status_url: string };
    expect([answer.headers.get("location"), answer.headers.get("retry-after")]).toEqual([status_url, "2"]);
  });

  test("with an invalid id is 422", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const { code, details } = await errorIn(await jobs.world.ask("/v1/jobs/not-a-uuid", { as: firm.key }));
    expect([code, details?.[0]?.path]).toEqual(["validation_error", "/path/job_id"]);
  });

  test("shows neither its input nor the submitting key", async () => {
    await using jobs = await openJobs();
    const firm = await jobs.world.firm();
    const id = await jobs.accepted(firm, { url: "https://example.com/private-plan" });
    const text = JSON.stringify(await jobs.ended(firm, id));
    for (const hidden of ["private-plan", firm.id, firm.people.owner.id, "quota"]) expect(text).not.toContain(hidden);
  });
});
