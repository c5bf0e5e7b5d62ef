import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { dirname } from "node:path";
import { openReader, type Reader } from "../../db/sqlite/verification.ts";
import { adjustCredits, grantCredits } from "../../src/accounts/admin/credits.ts";
import { verifyAudit } from "../../src/execution/audit-check.ts";
import { verifyCharges } from "../../src/execution/credits/agreement.ts";
import { verifyUsage } from "../../src/execution/usage/verify.ts";
import { verifyJobs } from "../../src/jobs/verify.ts";
import { day } from "../../src/platform/clock.ts";
import type { Findings } from "../../src/platform/findings.ts";
import { verifyRuns } from "../../src/runs/audited.ts";
import { failForGood, ScriptedEngine, succeed } from "../support/engines.ts";
import { World } from "../support/harness.ts";
import { openJobs } from "../support/jobs-world.ts";
import { assay } from "../support/operator.ts";
import { OperatorBrowser } from "../support/operator-browser.ts";
import { tamper } from "../support/tamper.ts";

// Some commands are separate processes.
setDefaultTimeout(600_000);

type Check = (reader: Reader) => Promise<Findings>;

async function found(world: World, check: Check): Promise<string> {
  const reader = openReader(world.store.file);
  try {
    return (await check(reader)).problems.join("\n");
  } finally {
    reader.close();
  }
}

/**
 * Opens a world with runs of two firms that ended in every way, on two days, started with a key and by a person, with
 * credits granted and deducted.
 */
async function historied(): Promise<World> {
  const world = await World.open();
  const firm = await world.firm({ credits: 3_000 });
  const other = await world.firm({ credits: 600 });
  const { echo } = world.engines;
  const given = { firm_id: other.id, credits: 5, reason: "order 17" };
  await world.store.write((tx) => grantCredits(tx, world.act, given, "topup"));
  await world.store.write((tx) => adjustCredits(tx, world.act, { ...given, credits: -17 }));
  await world.settled(firm);
  echo.behave = succeed(300);
  await world.settled(firm, { as: firm.people.owner.token, with: { workspace_id: firm.workspaces[0] } });
  await world.settled(firm, { with: { mode: "trial" } });
  world.clock.advance(day);
  await world.settled(firm, { useCase: "triage" });
  echo.behave = succeed(0);
  await world.settled(firm);
  echo.behave = failForGood;
  await world.settled(other);
  const poor = await world.firm({ credits: 10 });
  await world.settled(poor);
  for (const path of [
    "/v1/usage/days",
    "/v1/runs",
    "/v1/credits",
    "/v1/runs?capability=echo",
    "/v1/runs?use_case=triage",
    "/v1/runs?from=2026-03-01",
  ])
    expect([path, (await world.ask(path, { as: firm.key })).status]).toEqual([path, 200]);
  return world;
}

const topup = "(select firm_id from transfers where kind = 'topup')";
const freeRun = "(select seq from runs where status = 'failed' order by seq limit 1)";

describe("data stored in two places", () => {
  test("agrees after runs, grants and trials of every kind", async () => {
    await using world = await historied();
    for (const check of [verifyCharges, verifyRuns, verifyUsage]) expect(await found(world, check)).toBe("");
  });

  test.each<[string, Check, readonly string[], RegExp]>([
    [
      "an increased grant, with every derived sum",
      verifyCharges,
      [
        `update transfers set amount = 1005 where kind = 'topup'`,
        `update firm_transfers set available_after = available_after + 1000 where seq >= (select seq from transfers where kind = 'topup')`,
        `update balances set available = available + 1000 where account = 'firm:' || ${topup}`,
      ],
      /^the topup of firm .*: the audit log says 5 credits, the ledger has 1005$/,
    ],
    [
      "a forged grant",
      verifyCharges,
      [
        `insert into transfers (id, firm_id, kind, debit, credit, amount, reason, created_at)
         select 'forged', firm_id, 'grant', 'issued', '/available', 5000, 'forged', created_at + 1 from transfers where kind = 'topup'`,
      ],
      /^the grant of firm .*: the audit log says 0 credits, the ledger has 5000$/,
    ],
    [
      "a grant's reason",
      verifyCharges,
      ["update transfers set reason = 'order 18' where kind = 'topup'"],
      /^transfer .*: its reason differs from the audit log$/,
    ],
    [
      "a replaced transfer",
      verifyCharges,
      ["update transfers set id = 'another' where kind = 'topup'"],
      /the audit log names transfer .*, which is missing or belongs to something else$/,
    ],
    [
      "a grant's kind",
      verifyCharges,
      ["update transfers set kind = 'grant' where kind = 'topup'"],
      /the audit log says 5 credits, the ledger has 0\n.*the grant of firm/s,
    ],
    [
      "the month of a grant",
      verifyCharges,
      ["update transfers set created_at = created_at - 2592000000 where kind = 'adjust'"],
      /the adjust of firm .*: the audit log says -17 credits, the ledger has 0/,
    ],
    [
      "the month of every settlement",
      verifyCharges,
      ["update transfers set created_at = created_at - 2592000000 where kind = 'settle'"],
      /the settle of run .*: the audit log says 500 credits, the ledger has 0/,
    ],
    [
      "the person who ran it",
      verifyRuns,
      ["update runs set user_id = 'x' where api_key_id is null"],
      /accepted for user:/,
    ],
    [
      "the owner of the key that ran it",
      verifyRuns,
      ["update runs set user_id = 'x' where api_key_id is not null"],
      /accepted for key:/,
    ],
    ["the key that ran it", verifyRuns, ["update runs set api_key_id = null"], /accepted for key:/],
    ["the time of creation", verifyRuns, ["update runs set created_at = created_at - 3456000000"], /was created at/],
    [
      "the time of the start",
      verifyRuns,
      ["update runs set started_at = 1 where started_at is not null"],
      /did not start when/,
    ],
    ["the time of the end", verifyRuns, ["update runs set finished_at = finished_at + 1"], /did not end when/],
    [
      "a run without charges, deleted with its receipt",
      verifyRuns,
      [`delete from receipts where run_seq = ${freeRun}`, `delete from runs where seq = ${freeRun}`],
      /^audit entry \d+ accepts run .*, which does not exist/,
    ],
    [
      "a forged run",
      verifyRuns,
      [
        `insert into runs select (select max(seq) + 1 from runs), 'invented', firm_id, workspace_id, user_id, api_key_id, kind,
           capability, use_case, semantic_version, status, reason_code, mode, surface, input_json, input_sha256, engine_json,
           steps_json, approval_json, maximum_credits, reserved_credits, charged_credits, released_credits, created_at,
           started_at, finished_at, updated_at, revision, proposed_credits from runs where seq = 1`,
      ],
      /^run invented has no acceptance in the audit log$/,
    ],
    ["the credits of a day", verifyUsage, ["update run_days set credits = credits + 500"], /^run_days of 2026-03-0/],
    ["the runs of a day", verifyUsage, ["update run_days set runs = runs + 5"], /^run_days of /],
    ["a deleted day", verifyUsage, ["delete from run_days where day like '%02'"], /^run_days of 2026-03-02/],
    ["the credits of a key's day", verifyUsage, ["update key_days set credits = credits + 1"], /^key_days of /],
    ["the days of a workspace", verifyUsage, ["update workspace_days set last_seq = 1"], /^workspace_days of /],
    ["trials", verifyUsage, ["update uses set used = 0 where name like 'trial:%'"], /^uses of trial:echo ever/],
    ...["workspace_runs", "capability_runs", "use_case_runs", "workspace_transfers"].map(
      (table): [string, Check, readonly string[], RegExp] => [
        `an entry deleted from ${table}`,
        verifyUsage,
        [`delete from ${table} where seq = (select max(seq) from ${table})`],
        new RegExp(`^${table} has \\d+ entries`),
      ],
    ),
    [
      "a run in another workspace's list",
      verifyUsage,
      ["update workspace_runs set workspace_id = x'00' where seq = 1"],
      /^workspace_runs has \d+ entries, \d+ of them right/,
    ],
  ])("is reported if inconsistent: %s", async (_, check, statements, message) => {
    await using world = await historied();
    tamper(world.store.file, ...statements);
    expect(await found(world, check)).toMatch(message);
  });
});

test("a replaced job result differs from the one in the audit log", async () => {
  const engine = new ScriptedEngine("company-intelligence");
  await using jobs = await openJobs(engine);
  const { world } = jobs;
  const firm = await world.firm();
  const id = await jobs.accepted(firm);
  expect((await jobs.ended(firm, id)).status).toBe("succeeded");
  expect(await found(world, verifyJobs)).toBe("");
  tamper(world.store.file, "update jobs set result_json = '{}'");
  expect(await found(world, verifyJobs)).toBe(`job ${id}: its result is not the one in the audit log`);
});

describe("an audit log", () => {
  const folderOf = (world: World) => ["--data", dirname(world.store.file)];
  const chain = (world: World, ...more: string[]) =>
    assay(["admin", "audit", "verify", ...more, "--json", ...folderOf(world)]);
  const emptied = "delete from audit";
  const cut = "delete from audit where seq > (select max(seq) - 8 from audit)";

  test.each([
    ["emptied", emptied],
    ["cut at its end", cut],
  ])("that was %s is reported by every check", async (_, sql) => {
    await using world = await historied();
    const operator = await OperatorBrowser.open(world);
    tamper(world.store.file, sql);
    const answer = await operator.ask("/v1/operator/audit/verification");
    expect(await answer.json()).toMatchObject({ ok: false });
    const { code, out } = await chain(world);
    expect([code, JSON.parse(out).problems.join("\n")]).toEqual([
      1,
      expect.stringContaining("its audit entry is missing"),
    ]);
    const all = await assay(["verify", "--json", ...folderOf(world)]);
    const wrong = (JSON.parse(all.out) as { checks: Findings[] }).checks.filter(({ problems }) => problems.length > 0);
    expect([all.code, wrong.map(({ name }) => name)]).toEqual([1, expect.arrayContaining(["runs", "audit"])]);
  });

  test("that continues after being emptied is reported too", async () => {
    await using world = await historied();
    tamper(world.store.file, emptied);
    const firm = await world.firm();
    await world.settled(firm);
    const { problems } = await verifyAudit(world.store.read);
    expect(problems.join("\n")).toContain("its audit entry is missing");
  });

  test("proves that it still contains an entry noted earlier", async () => {
    await using world = await historied();
    const { last } = await verifyAudit(world.store.read);
    const noted = `${last?.seq}:${last?.hash}`;
    await world.firm();
    expect((await chain(world, "--noted", noted)).code).toBe(0);
    const told = await assay(["verify", ...folderOf(world), "--noted", noted.toUpperCase()]);
    expect([told.code, told.out]).toEqual([
      0,
      expect.stringMatching(/^audit: ok \(\d+ checked, last entry \d+:[0-9a-f]{64}\)$/m),
    ]);
    // The audit log and the rows are both gone, so nothing in the file shows that there was more.
    tamper(world.store.file, `delete from audit where seq >= ${last?.seq}`);
    for (const command of [["admin", "audit", "verify"], ["verify"]]) {
      const { code, out } = await assay([...command, "--json", ...folderOf(world), "--noted", noted]);
      expect([code, out]).toEqual([1, expect.stringContaining(`does not have entry ${last?.seq} with the hash`)]);
    }
  });

  test("accepts a noted entry only as printed", async () => {
    for (const text of ["7", "7:abc", `0:${"a".repeat(64)}`]) {
      const { code, err } = await assay(["verify", "--noted", text]);
      expect([text, code, err]).toEqual([text, 2, expect.stringContaining("It must be a number and a hash")]);
    }
  });
});
