import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { createApp } from "../../src/app.ts";
import { prepareDemo } from "../../src/demo/index.ts";
import { monthlyLimit } from "../../src/execution/usage/quota.ts";
import { Job } from "../../src/jobs/schema.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { checker, problems } from "../../src/platform/validate.ts";
import { companyIntelligence } from "../../src/products/capabilities/company-intelligence/manifest.ts";
import { exaFilter } from "../../src/products/capabilities/exa-filter/manifest.ts";
import { testServices } from "../support/services.ts";

type Credentials = { firms: { id: string; keys: { all: string }; seeded: { job_id: string; key_id: string } }[] };

test("the demo has a finished analysis, marked synthetic, and a quota of 100 more per key and month", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-jobs-demo-"));
  const store = openStore(join(dataDir, "assay.db"));
  await migrate(store);
  const services = testServices();
  const capabilities = [exaFilter, companyIntelligence];
  const shared = { store, services, capabilities, baseUrl: "http://assay.test", masterKey: new Uint8Array(32).fill(7) };
  await prepareDemo({ ...shared, dataDir, bench: false, stop: new AbortController().signal });
  const told = JSON.parse(readFileSync(join(dataDir, "demo-credentials.json"), "utf8")) as Credentials;
  const [first] = told.firms;
  const rest = {
    runtime: systemRuntime,
    log: createLog(systemRuntime, "error"),
    bodyLimit: 65_536,
    useCases: [],
    stepEngines: {},
  };
  const app = await createApp({ ...shared, ...rest });
  const response = await app.fetch(
    new Request(`http://assay.test/v1/jobs/${first?.seeded.job_id}`, {
      headers: { authorization: `Bearer ${first?.keys.all}` },
    }),
  );
  const job = (await response.json()) as Job;
  expect([response.status, checker(Job).Check(job), job.status]).toEqual([200, true, "succeeded"]);
  expect(problems(companyIntelligence.output_schema, job.result, "")).toEqual([]);
  expect(JSON.stringify(job.result)).toContain("SYNTHETIC");
  const counted = {
    firm_id: first?.id ?? "",
    subject: `key:${first?.seeded.key_id}`,
    name: "company-analyses" as const,
  };
  expect(await monthlyLimit(store.read, counted)).toBe(100);
  await app.stop(0);
  await store.close();
  rmSync(dataDir, { recursive: true });
});
