#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { connectClient } from "./stored-release/oauth.ts";
import { type Caller, startRelease } from "./stored-release/server.ts";

/**
 * `bun tools/store-release.ts EXECUTABLE RELEASE` creates a release's data folder with the release's own executable, as
 * `test/data/release-RELEASE.zip`, and its expected contents as `release-RELEASE.json`. The server is killed while runs
 * and a job are in progress. `test/db/stored-release.test.ts` opens the folder with the current code.
 */

const [executable = "", release = ""] = process.argv.slice(2);
if (executable === "" || release === "") throw new Error("usage: bun tools/store-release.ts EXECUTABLE RELEASE");
const target = join(import.meta.dir, "..", "test", "data", `release-${release}`);
/** Maximum number of attempts: a kill that comes too early or too late leaves no unfinished work. */
const attempts = 10;
/** Credits that a run of `bench-noop` reserves, and that it is charged. */
const held = 500;
const charged = 350;

interface Started {
  readonly id: string;
  readonly api_key: string;
  readonly capability: string;
  readonly idempotency_key: string;
}

interface StoredRun extends Started {
  readonly firm_id: string;
  /** Status when the server was killed. */
  readonly status: string;
  /** Charge once the run has ended. */
  readonly charged_credits: number;
  readonly receipt: string | null;
}

const noop = "bench-noop";
/** Number of runs that keep the evidence engine busy while the last requests are accepted. */
const slowRuns = 24;
/** Number of concurrent runs, submitted with a job just before the kill. */
const lastRuns = 64;
const text = "The deductible of the policy is five thousand crowns for each event. ".repeat(25);
const slowInput = (n: number) => ({
  question: `What is the deductible of policy ${n}?`,
  answer: `${text.slice(0, 1_500)} ${n}.`,
  sources: Array.from({ length: 8 }, () => text),
  country: "CZ",
});

let keys = 0;
async function start(caller: Caller, api_key: string, capability: string, input: unknown): Promise<Started> {
  const idempotency_key = `release-${release}-${++keys}`;
  const path = `/v1/capabilities/${capability}/runs`;
  const { id } = await caller.post<{ id: string }>(path, api_key, { input }, idempotency_key);
  return { id, api_key, capability, idempotency_key };
}

interface Demo {
  readonly firms: readonly {
    readonly id: string;
    readonly name: string;
    readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
    readonly keys: { readonly all: string; readonly expired: string; readonly revoked: string };
    readonly connection_url: string;
    readonly seeded: { readonly run_id: string; readonly job_id: string; readonly configuration_id: string };
  }[];
}

/** Fills the folder and kills the server. Returns the requests made; the last of them may not have ended. */
async function fill(data: string) {
  const server = await startRelease(executable, data);
  const { caller } = server;
  const demo: Demo = JSON.parse(readFileSync(join(data, "demo-credentials.json"), "utf8"));
  const bench = readFileSync(join(data, "bench-keys.txt"), "utf8").trim().split("\n");
  const [alpha, beta] = demo.firms;
  const [rich = "", poor = "", busy = ""] = bench;
  const owner = alpha?.users[0];
  if (!alpha || !beta || !owner) throw new Error("the demo must have two firms with people");
  const over: Started[] = [];
  for (let n = 0; n < 3; n++) over.push(await start(caller, rich, noop, { payload: `inline ${n}` }));
  for (let n = 0; n < 3; n++) over.push(await start(caller, rich, noop, { payload: `later ${n}`, later: true }));
  // Leaves fewer credits than a run reserves.
  server.command("admin", "credits", "adjust", "--firm", "bench-2", "--credits=-999999999600", "--reason", "stored");
  over.push(await start(caller, poor, noop, { payload: "refused" }));
  const nowhere = { company_url: "https://nowhere.invalid/" };
  over.push(await start(caller, alpha.keys.all, "company-intelligence", nowhere));
  for (const { id, api_key } of over) await caller.ended(id, api_key);
  server.command("admin", "quotas", "set", "exa-filter", "--firm", beta.id, "--runs", "3");
  const limited = await start(caller, beta.keys.all, "exa-filter", slowInput(0));
  await caller.ended(limited.id, beta.keys.all);
  const connection = await connectClient(caller.url, owner);
  const slow = await Promise.all(
    Array.from({ length: slowRuns }, (_, n) => start(caller, alpha.keys.all, "exa-filter", slowInput(n))),
  );
  const job_key = `release-${release}-job`;
  const company_url = "https://nowhere.example.com/";
  const [job, ...last] = await Promise.all([
    caller.post<{ job_id: string }>("/v1/company-analyses", alpha.keys.all, { company_url }, job_key),
    ...Array.from({ length: lastRuns }, (_, n) => start(caller, busy, noop, { payload: `last ${n}`, later: true })),
  ]);
  await server.kill();
  return {
    demo,
    started: [...over, limited, ...slow, ...last],
    job: { id: job.job_id, api_key: alpha.keys.all, idempotency_key: job_key, company_url },
    connection,
  };
}

type Filled = Awaited<ReturnType<typeof fill>>;
type Row = Readonly<Record<string, string | number | null>>;

/** Describes what the killed server left, from a copy, because reading makes SQLite write. */
function describe(copy: string, { demo, started, job, connection }: Filled) {
  const database = new Database(join(copy, "assay.db"));
  const rows = (sql: string, ...values: string[]): Row[] => database.query<Row, string[]>(sql).all(...values);
  const one = (sql: string, ...values: string[]): Row => rows(sql, ...values)[0] ?? {};
  const runs = started.map((run): StoredRun => {
    const found = one("select seq, firm_id, status, charged_credits, finished_at from runs where id = ?", run.id);
    const { receipt = null } = one("select receipt from receipts where run_seq = ?", String(found.seq));
    const isOver = found.finished_at !== null;
    const due = run.capability === noop ? charged : 0;
    return {
      ...run,
      firm_id: String(found.firm_id),
      status: String(found.status),
      charged_credits: isOver ? Number(found.charged_credits) : due,
      receipt: receipt === null ? null : String(receipt),
    };
  });
  const described = {
    release,
    held_credits: held,
    firms: demo.firms.map(({ id, name, users, keys: { all, expired, revoked }, connection_url, seeded }) => ({
      ...{ id, name, api_key: all, expired_key: expired, revoked_key: revoked, seeded },
      people: users.map(({ email, role }) => ({ email, role })),
      connection: connection_url.replace(/^.*token=/, ""),
    })),
    balances: [...new Map(runs.map((run) => [run.firm_id, run.api_key]))].map(([firm_id, api_key]) => {
      const kept = one("select available, reserved from balances where account = ?", `firm:${firm_id}`);
      return { firm_id, api_key, available: Number(kept.available), reserved: Number(kept.reserved) };
    }),
    runs,
    run_count: Number(one("select count(*) as n from runs").n),
    job: { ...job, status: String(one("select status from jobs where id = ?", job.id).status) },
    oauth: connection,
    documents: Number(one("select count(*) as n from documents where state = 'live'").n),
    audit: { seq: 0, hash: "", ...one("select seq, hash from audit order by seq desc limit 1") },
    quotas_used: rows("select firm_id, name, period, used from uses order by name"),
  };
  database.close();
  return described;
}

/** Whether the kill came in time: a run is running, one is queued, and the job has not ended. */
function isWorthKeeping({ runs, job }: ReturnType<typeof describe>): boolean {
  const has = (status: string, capability: string) =>
    runs.some((run) => run.status === status && run.capability === capability);
  const jobIsOpen = job.status === "queued" || job.status === "running";
  return has("running", noop) && has("running", "exa-filter") && has("queued", "exa-filter") && jobIsOpen;
}

/** Returns the folder's files, except those that belong to the killed process. */
function filesOf(data: string): Record<string, Uint8Array> {
  const names = readdirSync(data).filter((name) => name !== "server.json" && !name.endsWith("-shm"));
  return Object.fromEntries(names.sort().map((name) => [name, new Uint8Array(readFileSync(join(data, name)))]));
}

for (let attempt = 1; attempt <= attempts; attempt++) {
  const folder = mkdtempSync(join(tmpdir(), "assay-release-"));
  const filled = await fill(join(folder, "data"));
  const files = filesOf(join(folder, "data"));
  const copy = join(folder, "copy");
  mkdirSync(copy);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(copy, name), bytes);
  const described = describe(copy, filled);
  rmSync(folder, { recursive: true, force: true });
  if (!isWorthKeeping(described)) continue;
  writeFileSync(`${target}.zip`, zipSync(files, { level: 9, mtime: "1980-01-01T00:00:00Z" }));
  writeFileSync(`${target}.json`, `${JSON.stringify(described, null, 2)}\n`);
  console.log(`${target}.zip after ${attempt} attempts`);
  process.exit(0);
}
throw new Error(`none of ${attempts} kills left unfinished work`);
