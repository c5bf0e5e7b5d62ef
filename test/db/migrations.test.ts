import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Migrator } from "kysely";
import { migrations } from "../../db/schema/migrations/index.ts";
import { databaseOn, type LocalStore, openStore } from "../../db/sqlite/connection.ts";
import { migrate, migrationNames } from "../../db/sqlite/migrate.ts";
import { unscoped } from "../../db/tenancy.ts";

/** Data of earlier versions survives: it is written under their schema, and read under the current one. */

async function openedAt(last: string): Promise<LocalStore & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), "assay-migrations-"));
  const store = openStore(join(folder, "assay.db"));
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
  const migrator = new Migrator({
    db: unscoped(databaseOn(store.sqlite)),
    provider: { getMigrations: async () => known },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const run = (id: string, status: string, finished_at: number | null) =>
  `insert into runs (id, firm_id, workspace_id, user_id, kind, capability, semantic_version, status, mode, surface, input_json,
     input_sha256, steps_json, maximum_credits, reserved_credits, charged_credits, released_credits, created_at,
     finished_at, updated_at)
   values ('${id}', 'f', 'w', 'u', 'capability', 'echo', '1.0.0', '${status}', 'live', 'rest', '{}', '', '[]', 5, 5, 0, 0, 1,
     ${finished_at}, 1)`;

test("every migration listed by name can be applied, in that order", () => {
  expect(Object.keys(migrations)).toEqual([...migrationNames]);
});

test("0012 keeps runs, receipts, transfers and keys, and moves what a run waits for into its row", async () => {
  await using store = await openedAt("0011_connectors");
  const { sqlite } = store;
  const waiting = JSON.stringify({ status: "active", value: "awaiting_approval", context: { proposed: 350 } });
  for (const statement of [
    run("late", "succeeded", 30),
    run("waits", "awaiting_approval", null),
    run("early", "succeeded", 20),
    "insert into snapshots values ('late', 'run', 2, '{}'), ('job', 'job', 7, '{}')",
    `insert into snapshots values ('waits', 'run', 3, '${waiting}')`,
    `insert into effects values ('waits:s:expiry', 'waits', 'run', 'f', 'expire_approval', '', '{}', 99)`,
    "insert into receipts values ('late', 'signed late'), ('early', 'signed early')",
    `insert into transfers (id, firm_id, kind, debit, credit, amount, run_id, step, created_at)
       values ('t', 'f', 'settle', 'a', 'platform', 5, 'late', 's', 1)`,
    `insert into idempotency (digest, firm_id, operation, key, input_hash, resource_id, created_at)
       values (x'01', 'f', 'capability.run', 'key', 'hash', 'late', 1)`,
  ])
    sqlite.run(statement);

  expect(await migrate(store)).toEqual(Object.keys(migrations).filter((name) => name > "0011_connectors"));
  expect(sqlite.query("select seq, id, revision, proposed_credits from runs order by seq").all()).toEqual([
    { seq: 1, id: "late", revision: 1, proposed_credits: 0 },
    { seq: 2, id: "waits", revision: 3, proposed_credits: 350 },
    { seq: 3, id: "early", revision: 1, proposed_credits: 0 },
  ]);
  expect(sqlite.query("select seq, run_seq, receipt from receipts order by seq").all()).toEqual([
    { seq: 1, run_seq: 3, receipt: "signed early" },
    { seq: 2, run_seq: 1, receipt: "signed late" },
  ]);
  expect(sqlite.query("select seq from watermarks where name = 'run_days'").all()).toEqual([{ seq: 2 }]);
  expect(sqlite.query("select actor_id from snapshots").all()).toEqual([{ actor_id: "job" }]);
  expect(sqlite.query("select resource_id from idempotency where digest = x'01'").all()).toEqual([
    { resource_id: "late" },
  ]);
  // What the tables rejected before, they still reject.
  expect(() => sqlite.run("update transfers set amount = 6")).toThrow("the ledger is append-only");
  expect(() =>
    sqlite.run(`insert into transfers (id, firm_id, kind, debit, credit, amount, run_id, step, created_at)
      select 'again', firm_id, kind, debit, credit, amount, run_id, step, created_at from transfers`),
  ).toThrow("UNIQUE");
  expect(() => sqlite.run("insert into idempotency select 9, digest, '', '', '', '', '', 1 from idempotency")).toThrow(
    "UNIQUE",
  );
  sqlite.run(run("next", "succeeded", 40));
  expect(sqlite.query("select max(seq) as seq from runs").get()).toEqual({ seq: 4 });
  expect(sqlite.query("select name from sqlite_sequence where name in ('runs', 'transfers')").all()).toEqual([]);
  expect(sqlite.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
});

test("0038 removes only verdicts of runs that ended without one", async () => {
  await using store = await openedAt("0037_tool_day_credits");
  const { sqlite } = store;
  const study = (id: string) => [
    `insert into validations (id, firm_id, workspace_id, user_id, source, mode, hypothesis, market, decision_size, size,
       language, seed, status, asked, verdict, confidence, summary, report_json, created_at, finished_at)
     values ('${id}', 'f', 'w', 'u', 'run', 'live', 'h', 'CZ', 'M', 5, 'en', 's', 'completed', 5, 'GO', 0.4, 'GO.', '{}',
       1, 2)`,
    `insert into snapshots values ('${id}', 'validation', 6, '{"status":"done","value":"completed","context":{"reason":null}}')`,
  ];
  const step = (key: string, more: object) =>
    `update runs set steps_json = json('${JSON.stringify([{ key, ...more }])}')`;
  for (const statement of [
    ...[run("settled", "succeeded", 20), `${step("market-validator", {})} where id = 'settled'`, ...study("settled")],
    ...[run("goes-on", "running", null), `${step("market-validator", { status: "running" })} where id = 'goes-on'`],
    ...study("goes-on"),
    run("cancelled", "refused", 20),
    `${step("validator", { capability: "market-validator", status: "skipped" })} where id = 'cancelled'`,
    ...study("cancelled"),
  ])
    sqlite.run(statement);
  expect(await migrate(store)).toContain("0038_unsettled_verdicts");
  expect(sqlite.query("select id, verdict, summary, error_code from validations order by id").all()).toEqual([
    { id: "cancelled", verdict: null, summary: null, error_code: "cancelled" },
    { id: "goes-on", verdict: "GO", summary: "GO.", error_code: null },
    { id: "settled", verdict: "GO", summary: "GO.", error_code: null },
  ]);
  const reasons = "select actor_id from snapshots where json_extract(snapshot_json, '$.context.reason') = 'cancelled'";
  expect(sqlite.query(reasons).all()).toEqual([{ actor_id: "cancelled" }]);
});

test("0040 counts the runs of every month, except those refused before they started", async () => {
  await using store = await openedAt("0039_audience_markets");
  const { sqlite } = store;
  for (const statement of [
    run("one", "succeeded", 20),
    run("two", "running", null),
    run("never-started", "refused", 20),
    "update runs set started_at = 1 where id <> 'never-started'",
    "insert into uses (firm_id, name, period, used) values ('f', 'runs:other', '1970-01', 0), ('f', 'trial:echo', 'ever', 1)",
  ])
    sqlite.run(statement);
  expect(await migrate(store)).toEqual(["0040_counted_runs"]);
  expect(sqlite.query("select name, period, used from uses order by name").all()).toEqual([
    { name: "runs:echo", period: "1970-01", used: 2 },
    { name: "trial:echo", period: "ever", used: 1 },
  ]);
});

test("a failed migration leaves the schema unchanged, and the next start updates it", async () => {
  await using store = await openedAt("0002_credits");
  const tables = () => store.sqlite.query("select name from sqlite_master where type = 'table' order by name").values();
  store.sqlite.run("create table jobs (id text)");
  const before = tables();
  await expect(migrate(store)).rejects.toThrow("jobs");
  expect(tables()).toEqual(before);
  store.sqlite.run("drop table jobs");
  expect(await migrate(store)).toEqual(Object.keys(migrations).slice(2));
});
