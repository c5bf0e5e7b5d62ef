#!/usr/bin/env bun
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { createApp } from "../../src/app.ts";
import { pathsOf, readMasterKey } from "../../src/cli/installation.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { type Engine, EngineError } from "../../src/contracts/engine.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { companyIntelligence } from "../../src/products/capabilities/company-intelligence/manifest.ts";
import { testServices } from "../support/services.ts";

/**
 * `job-server.ts DATA`: serves a demo's folder on a free port, which it prints, with an engine for company analyses
 * that needs no network. The engine takes a few milliseconds and reports progress, and the first attempt of some jobs
 * fails with a retryable error. A checkpoint records which attempt that was, since the jobs outlive this process.
 */

const engine: Engine = {
  identity: { name: "few-milliseconds", version: "1.0.0", model: null },
  ready: () => null,
  async run(_, { progress, random, checkpoint }) {
    let isUnlucky = false;
    if (random() < 0.1) {
      await checkpoint("fails once", async () => {
        isUnlucky = true;
      });
    }
    for (let page = 1; page <= 3; page++) {
      progress?.("reading pages", page, 3);
      await Bun.sleep(Math.random() * 10);
    }
    if (isUnlucky) throw new EngineError("engine_busy", "The engine is busy.", true);
    return { result: { company_name: "Example", target_audience: null, products_services: [], market: null } };
  },
};

const [data = ""] = process.argv.slice(2);
const { settings } = loadConfiguration({ env: {}, flags: { data } });
const paths = pathsOf(settings);
const store = openStore(paths.database);
await migrate(store);
const log = createLog(systemRuntime, "error");
const app = await createApp({
  store,
  runtime: systemRuntime,
  log,
  masterKey: present(readMasterKey(settings, paths), "the demo's master key"),
  baseUrl: "http://127.0.0.1",
  bodyLimit: settings.body_limit,
  capabilities: [{ ...companyIntelligence, engine }],
  useCases: [],
  stepEngines: {},
  services: testServices({ log }),
});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
await app.recover();
process.stdout.write(`${server.url.origin}\n`);
