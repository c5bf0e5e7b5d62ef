import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { bodyOf } from "../../src/cli/client/http.ts";
import { minute } from "../../src/platform/clock.ts";
import { Run } from "../../src/runs/schema.ts";
import { assay, type ServerProcess, startServer, temporaryFolder } from "../blackbox/server.ts";
import { creditsOf, ended, forEach } from "../crash/load.ts";
import stored from "../data/release-0.3.json" with { type: "json" };

/**
 * The data folder of release 0.3, left by a SIGKILL with runs and a job unfinished. `tools/store-release.ts` created it
 * with that release's executable only, and recorded what must be found in it.
 */

// Every command is a separate process.
setDefaultTimeout(10 * minute);

const folder = temporaryFolder("stored-release");
const data = join(folder.path, "data");
const [alpha, beta] = stored.firms;
let server: ServerProcess;
let baseUrl = "";
/** The output of `assay verify` before a server had recovered anything. */
let verified: Awaited<ReturnType<typeof assay>>;

const isOpen = ({ status }: { readonly status: string }): boolean => status === "queued" || status === "running";
const open = stored.runs.filter(isOpen);
const over = stored.runs.filter((run) => !isOpen(run));

beforeAll(async () => {
  mkdirSync(data, { mode: 0o700 });
  const files = unzipSync(new Uint8Array(readFileSync(join(import.meta.dir, "..", "data", "release-0.3.zip"))));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(data, name), bytes, { mode: 0o600 });
  expect((await assay(["migrate", "--data", data])).code).toBe(0);
  verified = await assay(["verify", "--json", "--data", data]);
  server = startServer(data);
  baseUrl = await server.ready;
});

afterAll(async () => {
  await server.end("SIGKILL");
  folder.dispose();
});

const get = (path: string, apiKey: string): Promise<Response> =>
  fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });

const json = async (path: string, apiKey: string): Promise<Record<string, unknown>> => {
  const response = await get(path, apiKey);
  expect([path, response.status]).toEqual([path, 200]);
  return JSON.parse(await response.text());
};

const post = (path: string, apiKey: string, key: string, body: unknown): Promise<Response> =>
  fetch(baseUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });

/** Returns the output of an operator's command. */
async function told<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await assay([...args, "--json", "--data", data]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

interface Verified {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly problems: readonly string[] }[];
}

test("it is migrated, and every balance, receipt and entry of the audit chain verifies", () => {
  const { ok, checks }: Verified = JSON.parse(verified.out);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  expect([verified.code, ok]).toEqual([0, true]);
});

test("it contains work that was running, waiting and finished in every way", () => {
  expect([...new Set(open.map(({ capability, status }) => `${capability} ${status}`))].sort()).toEqual([
    "bench-noop running",
    "exa-filter queued",
    "exa-filter running",
  ]);
  expect([...new Set(over.map(({ status }) => status))].sort()).toEqual(["failed", "refused", "succeeded"]);
});

describe("runs", () => {
  test("that were unfinished are recovered and finish, each charged once", async () => {
    await forEach(open, async ({ id, api_key, charged_credits }) => {
      const { status, charges } = await ended(baseUrl, api_key, id, 60_000);
      expect([id, status, charges.charged_credits]).toEqual([id, "succeeded", charged_credits]);
      expect(charges.charged_credits + charges.released_credits).toBe(charges.reserved_credits);
    });
    for (const { firm_id, api_key, available, reserved } of stored.balances) {
      const due = open.filter((run) => run.firm_id === firm_id).reduce((sum, run) => sum + run.charged_credits, 0);
      const balance = await creditsOf(baseUrl, api_key);
      expect([firm_id, balance]).toEqual([firm_id, { available: available + reserved - due, reserved: 0 }]);
    }
  });

  test("that had finished are unchanged", async () => {
    for (const { id, api_key, status, charged_credits } of over) {
      const run = await json(`/v1/runs/${id}`, api_key);
      expect([id, run.status, run.charges]).toEqual([id, status, expect.objectContaining({ charged_credits })]);
    }
  });

  test("keep their receipts, which verify with the server's keys", async () => {
    for (const { id, api_key, receipt } of over) {
      const found = await get(`/v1/runs/${id}/receipt`, api_key);
      expect([id, await found.text()]).toEqual([id, receipt ?? ""]);
      const file = join(folder.path, "receipt.jws");
      writeFileSync(file, receipt ?? "");
      const { code, err } = await assay(["receipt", "verify", file, "--base-url", baseUrl]);
      expect([id, code, err]).toEqual([id, 0, expect.anything()]);
    }
  });

  test("are found by their idempotency keys, with their original input", async () => {
    await forEach(stored.runs, async ({ id, api_key, capability, idempotency_key }) => {
      const { input } = await json(`/v1/runs/${id}`, api_key);
      const path = `/v1/capabilities/${capability}/runs`;
      const again = await post(path, api_key, idempotency_key, { input });
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
      expect(bodyOf(Run, await again.text()).id).toBe(id);
    });
    const { id, api_key, idempotency_key } = stored.runs[0] ?? { id: "", api_key: "", idempotency_key: "" };
    const other = { input: { payload: "something else" } };
    const conflict = await post("/v1/capabilities/bench-noop/runs", api_key, idempotency_key, other);
    expect([id, conflict.status]).toEqual([id, 409]);
  });

  test("can be started", async () => {
    const { api_key = "" } = stored.balances.find(({ available }) => available > stored.held_credits * 1_000) ?? {};
    const before = await creditsOf(baseUrl, api_key);
    const answer = await post("/v1/capabilities/bench-noop/runs", api_key, "of-this-release", {
      input: { payload: "new", later: true },
    });
    expect(answer.status).toBe(202);
    const { id, status, charges } = await ended(baseUrl, api_key, bodyOf(Run, await answer.text()).id, 60_000);
    expect(status).toBe("succeeded");
    expect(await creditsOf(baseUrl, api_key)).toEqual({
      available: before.available - charges.charged_credits,
      reserved: 0,
    });
    expect((await get(`/v1/runs/${id}/receipt`, api_key)).status).toBe(200);
  });
});

test("a job that was unfinished finishes, and the finished one keeps its result", async () => {
  const { id, api_key, idempotency_key, company_url } = stored.job;
  const again = await post("/v1/company-analyses", api_key, idempotency_key, { company_url });
  expect([again.status, JSON.parse(await again.text())]).toEqual([
    202,
    expect.objectContaining({ job_id: id, replayed: true }),
  ]);
  // The company's host does not exist.
  for (let job = await json(`/v1/jobs/${id}`, api_key); job.status !== "failed"; ) {
    expect(["queued", "running"]).toContain(String(job.status));
    job = await json(`/v1/jobs/${id}`, api_key);
  }
  const seeded = await json(`/v1/jobs/${alpha?.seeded.job_id}`, api_key);
  expect([seeded.status, seeded.result]).toEqual([
    "succeeded",
    expect.objectContaining({ company_name: "SYNTHETIC Example Brokers" }),
  ]);
});

describe("access", () => {
  test("of expired or revoked keys stays denied", async () => {
    for (const firm of stored.firms) {
      expect((await get("/v1/runs", firm.api_key)).status).toBe(200);
      for (const key of [firm.expired_key, firm.revoked_key]) expect((await get("/v1/runs", key)).status).toBe(401);
    }
  });

  test("of people keeps their roles", async () => {
    for (const { id, people } of stored.firms) {
      const users = await told<{ email: string; role: string }[]>("admin", "users", "list", "--firm", id);
      expect(users.map(({ email, role }) => ({ email, role }))).toEqual(expect.arrayContaining(people));
    }
  });

  test("by a personal connection and an OAuth client's is kept", async () => {
    const response = await fetch(`${baseUrl}/mcp?token=${alpha?.connection}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("search_docs")]);
    const clients = await told<{ client_id: string }[]>("admin", "oauth-clients", "list");
    expect(clients.map(({ client_id }) => client_id)).toContain(stored.oauth.client_id);
    const connections = await told<{ client_id: string | null }[]>(
      ...["admin", "connections", "list", "--firm", alpha?.id ?? ""],
    );
    expect(connections.map(({ client_id }) => client_id)).toContain(stored.oauth.client_id);
  });

  test("a saved configuration, a quota and the documents are kept", async () => {
    const listed = await json("/v1/saved-configurations", alpha?.api_key ?? "");
    expect(JSON.stringify(listed)).toContain(String(alpha?.seeded.configuration_id));
    expect(await told<unknown[]>("admin", "quotas", "list", "--firm", beta?.id ?? "")).toEqual(
      expect.arrayContaining([expect.objectContaining({ capability: "exa-filter", monthly_runs: 3 })]),
    );
    const documents = await told<unknown[]>("admin", "corpus", "list");
    expect(documents.length).toBe(stored.documents);
  });
});

test("the audit chain and the quotas' counts continue from where they were", async () => {
  const entries = await told<{ seq: number; hash: string }[]>("admin", "audit", "list", "--limit", "10000");
  expect(entries.find(({ seq }) => seq === stored.audit.seq)?.hash).toBe(stored.audit.hash);
  expect(await server.end("SIGTERM")).toBe(0);
  // Closed cleanly: everything is in the database file.
  expect(existsSync(join(data, "assay.db-wal"))).toBe(false);
  const database = new Database(join(data, "assay.db"), { readonly: true });
  const used = database.query("select firm_id, name, period, used from uses").all();
  database.close();
  expect(used).toEqual(expect.arrayContaining(stored.quotas_used));
  const { code, out } = await assay(["verify", "--json", "--data", data]);
  const { ok }: Verified = JSON.parse(out);
  expect([code, ok]).toEqual([0, true]);
});
