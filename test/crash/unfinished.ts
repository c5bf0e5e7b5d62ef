#!/usr/bin/env bun
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { createApp } from "../../src/app.ts";
import { pathsOf, readMasterKey } from "../../src/cli/installation.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { present } from "../../src/platform/assert.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { benchNoop } from "../../src/products/capabilities/bench-noop/manifest.ts";
import { capabilityPlan } from "../../src/runs/plan.ts";
import { benchKeys } from "../blackbox/server.ts";
import { testServices } from "../support/services.ts";

/**
 * `unfinished.ts DATA COUNT`: accepts COUNT runs whose engine never answers, then kills itself with SIGKILL.
 * `recovery.ts` starts it as a separate process on a demo's folder. It leaves what any server leaves that dies with
 * this much to do.
 */

const [data = "", count = "0"] = process.argv.slice(2);
const { settings } = loadConfiguration({ env: {}, flags: { data } });
const paths = pathsOf(settings);
const store = openStore(paths.database);
await migrate(store);
const { runInline: _, ...engine } = benchNoop.engine;
const endless = { ...benchNoop, engine: { ...engine, run: () => new Promise<never>(() => undefined) } };
const { parts } = await createApp({
  store,
  runtime: systemRuntime,
  log: createLog(systemRuntime, "error"),
  masterKey: present(readMasterKey(settings, paths), "the demo's master key"),
  baseUrl: "http://127.0.0.1",
  bodyLimit: settings.body_limit,
  capabilities: [endless],
  useCases: [],
  stepEngines: {},
  services: testServices({}, store),
});
const principals = await Promise.all(benchKeys(data).map((key) => parts.identity.byApiKey(key)));
const plan = capabilityPlan(endless, "live");
await Promise.all(
  Array.from({ length: Number(count) }, async (_, i) => {
    const principal = present(principals[i % principals.length], "a key of the demo's");
    await parts.acceptance.accept({
      principal,
      slug: plan.slug,
      plan: () => plan,
      input: { payload: "x" },
      mode: "live",
      workspace_id: present(principal.workspace_id, "a key's workspace"),
      surface: "rest",
      idempotency_key: `unfinished-${i}`,
      operation: "capability.run",
    });
  }),
);
process.kill(process.pid, "SIGKILL");
