#!/usr/bin/env bun
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { createApp } from "../../src/app.ts";
import { createModels } from "../../src/integrations/models/models.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { marketValidator } from "../../src/products/capabilities/market-validator/manifest.ts";
import { testServices } from "../support/services.ts";

/**
 * `validation-server.ts DATABASE MODEL`: recovers studies from an earlier process, interviewed by the language model at
 * MODEL (host and port), serves on a free port, which it prints, and kills itself with SIGKILL right after the first
 * commit that changes a study. It survives if no study has anything left to do.
 */

const [file = "", host = ""] = process.argv.slice(2);
const opened = openStore(file);
await migrate(opened);
const store: Store = {
  ...opened,
  async commit(transition) {
    const outcome = await opened.commit(transition);
    if (transition.actors.some(({ write }) => write === "validation.update")) process.kill(process.pid, "SIGKILL");
    return outcome;
  },
};
const log = createLog(systemRuntime, "error");
const outbound = createOutbound({ runtime: systemRuntime, allow_private: [host] });
const endpoint = { url: `http://${host}/v1`, name: "m", timeout_ms: 60_000 };
const models = createModels({ language: endpoint, capabilities: ["market-validator"], embedding: endpoint }, outbound);
const app = await createApp({
  store,
  runtime: systemRuntime,
  log,
  masterKey: new Uint8Array(32).fill(7),
  baseUrl: "http://127.0.0.1",
  bodyLimit: 65_536,
  capabilities: [marketValidator],
  useCases: [],
  stepEngines: {},
  services: testServices({ log, outbound, models }, store),
});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
await app.recover();
process.stdout.write(`${server.url.origin}\n`);
